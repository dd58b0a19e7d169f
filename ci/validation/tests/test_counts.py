"""At stake: a share is of those compared, its interval Wilson's, and the size recovered is held to the executed one."""

import unittest

import counts
import summary
from counts import Share, Tally
from duet import Comparison


def compared(verdict: str, ratio: float | None = 1.0, executed: float | None = 1.0, case: str = "c") -> Comparison:
    return Comparison(case, verdict, "", 10, ratio, None, None, executed)


def line(step: str, part: str, comparisons: list[Comparison], **more: object) -> dict[str, object]:
    return {
        "step": step,
        "part": part,
        "protocol": "duet",
        "sides": "copies",
        "load": "none",
        "injected_percent": 0.0,
        "injected_cases": [],
        "cases": [one.case for one in comparisons],
        "wall_s": 6.0,
        "comparisons": [one.as_row() for one in comparisons],
        **more,
    }


class AShare(unittest.TestCase):
    def test_has_wilsons_interval(self) -> None:
        # Brown, Cai, DasGupta 2001: 0 of 600 is [0, 3.84 / 603.84], symmetric for all of them
        self.assertAlmostEqual(Share(0, 600).interval_percent()[1], 0.636, places=3)
        self.assertAlmostEqual(Share(600, 600).interval_percent()[0], 99.364, places=3)

    def test_reads_as_count_share_and_interval(self) -> None:
        self.assertEqual(str(Share(3, 290)), "3/290 = 1.0 % [0.4, 3.0]")

    def test_of_nothing_says_so(self) -> None:
        self.assertEqual(str(Share(0, 0)), "none")


class ATally(unittest.TestCase):
    def test_counts_both_directions_as_false_alarms_and_failed_cases_not_at_all(self) -> None:
        tally = Tally(tuple(map(compared, ["slower", "faster", "same", "same", "inconclusive", "failed"])))
        self.assertEqual(tally.share("slower", "faster"), Share(2, 5))
        self.assertEqual(tally.verdicts()["failed"], 1)

    def test_recovers_against_what_was_executed_not_what_was_asked(self) -> None:
        tally = Tally((compared("slower", 1.052, 1.050), compared("slower", 1.046, 1.048)))
        mean, error = tally.bias_points() or (None, None)
        self.assertAlmostEqual(mean, 0.0, places=9)
        self.assertAlmostEqual(error, 0.2, places=9)

    def test_has_no_bias_where_one_value_or_none_is_known(self) -> None:
        self.assertIsNone(Tally((compared("slower"), compared("slower", None))).bias_points())


class TheSummary(unittest.TestCase):
    def test_separates_injected_cases_from_those_beside_them(self) -> None:
        both = [compared("slower", 1.05, 1.05, "x"), compared("slower", 1.0, 1.0, "y")]
        suite = line("power+5.0-001", "power", both, injected_percent=5.0, injected_cases=["x"])
        text = "\n".join(summary.power([suite]))
        self.assertIn("| +5 % | 1/1 = 100.0 %", text)
        self.assertIn("| 1/1 = 100.0 % [20.7, 100.0] |\n", text)  # the false alarm beside

    def test_marks_a_target_that_was_missed(self) -> None:
        text = "\n".join(summary.targets([line("aa-001", "aa", [compared("slower"), compared("same")])]))
        self.assertIn("MISSED", text)
        self.assertIn("1/2 = 50.0 %", text)
        self.assertIn("| s a case | at most 1 | 3.00 | MISSED |", text)

    def test_says_that_a_target_is_met(self) -> None:
        suite = line("aa-001", "aa", [compared("same")] * 20)
        text = "\n".join(summary.targets([suite]))
        self.assertNotIn("MISSED", text)
        self.assertIn("| s a case | at most 1 | 0.30 | met |", text)

    def test_reports_the_run_that_failed_and_leaves_it_out_of_the_shares(self) -> None:
        failed = {"step": "aa-002", "part": "aa", "protocol": "duet", "wall_s": 1.0, "error": "bench ...\nstatus 2: no"}
        lines = [line("aa-001", "aa", [compared("same")]), failed]
        settings = {"steps": {"aa": 2}}
        text = "\n".join(summary.runs(settings, lines, ["aa-001", "aa-002", "aa-002"]))
        self.assertIn("| aa | 2 | 1 | 1 | 7 |", text)
        self.assertIn("- failed: aa-002: status 2: no", text)
        self.assertIn("- cut short: aa-002, 1 times", text)
        self.assertEqual(len(counts.of_part(lines, "aa")), 1)

    def test_shows_peers_beside_tare_with_false_alarms_in_either_direction(self) -> None:
        own = line("peers-001+0.0-duet", "peers", [compared("same"), compared("same")])
        decisions = {"pyperf": ["slower", "faster"]}
        peer = {**line("peers-001+0.0-pyperf", "peers", []), "protocol": "pyperf", "decisions": decisions}
        peer["cases"] = ["c", "c"]
        text = "\n".join(summary.peers([peer, own], {}))
        self.assertIn("| tare | 0/2", text)
        self.assertIn("| pyperf | 2/2 = 100.0 %", text)
        self.assertLess(text.index("| tare"), text.index("| pyperf"))


if __name__ == "__main__":
    unittest.main()
