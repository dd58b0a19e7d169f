"""At stake: a table that favours one detector. Truths are where they are said to be, rates count what they say, and
with `--peers PROGRAM` every detector finds a step that nobody could miss.
"""

import contextlib
import statistics
import sys
import unittest
from pathlib import Path

import compare_detectors
import peers
import rates
import simulated

PROGRAM: Path | None = None


class Simulated(unittest.TestCase):
    def test_series_are_the_same_each_time_and_differ_from_each_other(self) -> None:
        scenario = simulated.UNCHANGED[0]
        self.assertEqual(scenario.series(3), scenario.series(3))
        self.assertNotEqual(scenario.series(2)[0], scenario.series(2)[1])
        self.assertEqual(scenario.series(2), scenario.series(3)[:2])

    def test_noise_has_the_spread_and_correlation_of_its_name(self) -> None:
        for scenario, correlation in zip(simulated.UNCHANGED, (0, 0.5, 0.8, 0)):
            source = simulated.random.Random(7)
            values = [value for _ in range(200) for value in scenario.noise(source, 100)]
            self.assertAlmostEqual(statistics.pstdev(values), 1, delta=0.08, msg=scenario.name)
            self.assertAlmostEqual(
                statistics.correlation(values[:-1], values[1:]), correlation, delta=0.03, msg=scenario.name
            )

    def test_steps_are_where_they_are_said_to_be(self) -> None:
        for scenario in simulated.CHANGED:
            begin, end = scenario.raised
            series = scenario.series(300)
            mean = [statistics.fmean(values) / simulated.LEVEL_NS - 1 for values in zip(*series)]
            inside, outside = mean[begin:end], mean[:begin] + mean[end:]
            self.assertGreater(min(inside), max(outside), scenario.name)
            self.assertAlmostEqual(statistics.fmean(inside), scenario.spreads * simulated.SPREAD, delta=0.008)


class Counting(unittest.TestCase):
    def test_counts_series_places_and_points(self) -> None:
        found = [[], [90], [20, 88], [99], [60]]
        self.assertEqual(rates.rates(found, [90]), rates.Rates(5, 4, 2, 3, 5))
        self.assertEqual(rates.rates(found, []), rates.Rates(5, 4, 0, 0, 5))

    def test_asks_for_both_ends_of_a_piece(self) -> None:
        self.assertEqual(rates.rates([[35], [34, 66], [30, 65], [35, 36]], [35, 65]).close, 1)

    def test_shares_have_wilsons_interval(self) -> None:
        self.assertEqual(rates.share(0, 60), "0.0 [0.0, 6.0]")
        self.assertEqual(rates.share(50, 100), "50.0 [40.4, 59.6]")

    def test_tables_hold_every_detector_and_scenario(self) -> None:
        with contextlib.redirect_stderr(None):
            shown = compare_detectors.tables({"none": lambda series: [[] for _ in series], "all": all_points}, 2)
        self.assertEqual([len(rows) for _, _, rows in shown], [len(simulated.UNCHANGED), 3 * len(simulated.CHANGED), 1])
        self.assertEqual(shown[0][2][0][1:], ["0.0 [0.0, 65.8]", "100.0 [34.2, 100.0]"])
        self.assertIn("| independent | 0.0", rates.markdown(*shown[0][1:]))
        self.assertEqual(len({len(line) for line in rates.text(*shown[0][1:]).splitlines()}), 1)

    def test_a_detector_that_skips_a_series_is_an_error(self) -> None:
        with contextlib.redirect_stderr(None), self.assertRaisesRegex(RuntimeError, "mute answered 0 of 2"):
            compare_detectors.tables({"mute": lambda _: []}, 2)


def all_points(series: list[list[float]]) -> list[list[int]]:
    return [list(range(len(values))) for values in series]


class Peers(unittest.TestCase):
    def test_all_find_a_step_that_nobody_could_miss_and_none_in_a_constant(self) -> None:
        if PROGRAM is None:
            self.skipTest("without --peers PROGRAM; ci/full runs this with the environment of ci/compare_detectors")
        step = [100.0 + i % 3 * 0.1 + 20 * (i >= 60) for i in range(100)]
        for name, detect in peers.all_detectors(PROGRAM).items():
            self.assertEqual(detect([step, [100.0] * 100]), [[60], []], name)


if __name__ == "__main__":
    if "--peers" in sys.argv:
        at = sys.argv.index("--peers")
        PROGRAM = Path(sys.argv[at + 1])
        del sys.argv[at : at + 2]
    unittest.main(verbosity=2)
