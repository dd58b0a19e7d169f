"""At stake: the history that is shipped. Every record is valid, and three improvements that NumPy's release notes tell
of stand as steps at their releases, while an addition of two floats, which NumPy never sees, stays where it is.
"""

import statistics
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

import environment
import make_history
import records

ROOT = Path(__file__).resolve().parents[2]
FOLDER = ROOT / "results" / "history" / "records"
TOOLS = ROOT / ".tools" / "bin" / "python"  # holds jsonschema
MOST_BYTES = 20_000_000
REFERENCE = records.REFERENCE


class ShippedHistory(unittest.TestCase):
    @classmethod
    def setUpClass(cls) -> None:
        cls.duets = records.by_release(FOLDER, duets=True)
        cls.runs = records.by_release(FOLDER, duets=False)

    def test_every_record_is_valid(self) -> None:
        paths = sorted(FOLDER.glob("*.json"))
        self.assertGreaterEqual(len(paths), 2 * 18)
        # jsonschema takes a quarter of a second a record: two processes share them.
        validate = [str(TOOLS), str(ROOT / "ci" / "validate_record.py")]
        halves = [
            subprocess.Popen([*validate, *map(str, half)], stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)
            for half in (paths[::2], paths[1::2])
        ]
        for process in halves:
            _, errors = process.communicate(timeout=500)
            self.assertEqual(process.returncode, 0, errors)

    def test_has_room_in_the_tree(self) -> None:
        self.assertLess(sum(path.stat().st_size for path in FOLDER.glob("*.json")), MOST_BYTES)

    def test_holds_a_duet_with_one_reference_and_a_run_of_every_release(self) -> None:
        self.assertEqual(list(self.duets), list(self.runs))
        self.assertGreaterEqual(len(self.duets), 18)
        self.assertEqual(list(self.duets), sorted(self.duets, key=records.order_of))
        for duet in self.duets.values():
            self.assertEqual(duet["tare"]["sides"]["a"]["numpy"]["version"], REFERENCE)
            self.assertTrue(records.is_whole(duet))

    def levels(self, case: str) -> dict[str, float]:
        levels = records.levels(self.duets, case)
        self.assertEqual(list(levels), list(self.duets), case)
        return levels

    def assert_step(self, case: str, release: str, least_factor: float) -> None:
        """Every release before takes at least `least_factor` times what any from this one on takes."""
        levels = self.levels(case)
        order = records.order_of(release)
        before = [level for each, level in levels.items() if records.order_of(each) < order]
        after = [level for each, level in levels.items() if records.order_of(each) >= order]
        self.assertGreater(min(before) / max(after), least_factor, levels)

    def test_add_at_became_fast_in_1_25(self) -> None:
        self.assert_step("add_at[kind=array,dtype=f8,n=1024]", "1.25.0", 3)

    def test_errstate_became_fast_in_2_0(self) -> None:
        self.assert_step("errstate", "2.0.0", 1.5)

    def test_the_sine_of_a_float_became_fast_in_2_4(self) -> None:
        self.assert_step("sin_of_scalar[kind=float,dtype=f8]", "2.4.0", 1.5)

    def test_an_addition_of_floats_never_moved(self) -> None:
        for release, level in self.levels("add[kind=float]").items():
            self.assertAlmostEqual(level, 1, delta=0.03, msg=release)

    def test_the_reference_against_itself_is_one(self) -> None:
        pairs = records.ratios(self.duets[REFERENCE])
        self.assertEqual(set(pairs), set(make_history.lines("cases.txt")))
        middle = statistics.median(statistics.mean(values) for values in pairs.values())
        self.assertAlmostEqual(middle, 0, delta=0.02)

    def test_instructions_tell_the_same_steps_exactly(self) -> None:
        counts = records.instructions(self.runs, "errstate")
        before = [count for each, count in counts.items() if records.order_of(each) < (2, 0, 0)]
        after = [count for each, count in counts.items() if records.order_of(each) >= (2, 0, 0)]
        self.assertGreater(min(before), 1.3 * max(after), counts)
        floats = set(records.instructions(self.runs, "add[kind=float]").values())
        self.assertEqual(len(floats), 1, "CPython's own code is the same under every NumPy")


class Records(unittest.TestCase):
    def test_a_pair_says_the_median_of_its_neighbouring_batches(self) -> None:
        def row(side: str, wall_ns: list[float]) -> dict:
            return {"name": f"f[n=8]/python/{side}", "tare": {"visit_index": 0, "wall_ns": wall_ns}}

        duet = {"tare": {"kind": "duet"}, "benchmarks": [row("a", [100, 100, 10, 10]), row("b", [200, 200, 20, 20])]}
        self.assertAlmostEqual(records.levels({"1.0.0": duet}, "f[n=8]")["1.0.0"], 2)
        self.assertEqual(records.levels({"1.0.0": duet}, "g[n=8]"), {})

    def test_releases_are_ordered_by_number(self) -> None:
        self.assertLess(records.order_of("1.9.3"), records.order_of("1.24.0"))


class Environments(unittest.TestCase):
    def test_one_that_is_there_is_used_again_without_pip(self) -> None:
        with tempfile.TemporaryDirectory() as folder:
            abi = "import sysconfig; print(sysconfig.get_config_var('SOABI'))"
            soabi = subprocess.run(
                [sys.executable, "-c", abi], check=True, capture_output=True, text=True
            ).stdout.strip()
            home = Path(folder) / f"numpy-9.9.9-{soabi}"
            home.mkdir()
            self.assertEqual(environment.environment(Path(folder), sys.executable, "9.9.9"), home / "bin" / "python")


if __name__ == "__main__":
    unittest.main()
