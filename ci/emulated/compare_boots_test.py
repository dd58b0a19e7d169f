"""Number at stake: 0.1 instructions between boots. Each way in which boots can fail to agree is exit status 1."""

import json
import tempfile
import unittest
from pathlib import Path
from typing import Any

import compare_boots

CASE = "np_add[kind=array,dtype=f8,n=8]"


def run(value: float | None, state: str = "measured", case: str = CASE) -> dict[str, Any]:
    return {
        "cases": [{"case": case, "counters": {"counted_instructions": {"value": value, "state": state}}}],
        "failed_cases": [],
    }


def console(said: dict[str, Any]) -> str:
    return f"[    0.7] a kernel's line\npmu-vm: begin of JSON\n{json.dumps(said)}\npmu-vm: end of JSON\nthe end\n"


class Boots(unittest.TestCase):
    def status(self, logs: list[str]) -> int:
        with tempfile.TemporaryDirectory() as folder:
            paths = [Path(folder, f"boot-{i}.log") for i in range(len(logs))]
            for path, log in zip(paths, logs):
                path.write_text(log)
            return compare_boots.main([str(path) for path in paths])

    def test_boots_within_a_tenth_agree(self) -> None:
        self.assertEqual(self.status([console(run(v)) for v in (3940.0, 3939.999, 3940.09)]), 0)

    def test_boots_that_differ_by_more_than_a_tenth_fail(self) -> None:
        self.assertEqual(self.status([console(run(v)) for v in (3940.0, 3940.0, 3940.11)]), 1)

    def test_boot_without_json_fails(self) -> None:
        self.assertEqual(self.status([console(run(3940.0)), "Kernel panic\n", console(run(3940.0))]), 1)

    def test_json_cut_off_fails(self) -> None:
        cut = console(run(3940.0)).replace(compare_boots.END, "")
        self.assertEqual(self.status([console(run(3940.0)), cut]), 1)

    def test_value_that_was_not_measured_fails(self) -> None:
        for value, state in (
            (None, "unavailable"),
            (3940.0, "suspect"),
            (3940.0, "partial"),
            (float("nan"), "measured"),
        ):
            with self.subTest(value=value, state=state):
                self.assertEqual(self.status([console(run(3940.0)), console(run(value, state))]), 1)

    def test_case_that_a_boot_lacks_fails(self) -> None:
        self.assertEqual(self.status([console(run(3940.0)), console(run(3940.0, case="other"))]), 1)

    def test_failed_case_fails(self) -> None:
        self.assertEqual(self.status([console(run(3940.0)), console(run(3940.0) | {"failed_cases": ["x"]})]), 1)

    def test_zeros_do_not_agree(self) -> None:
        self.assertEqual(self.status([console(run(0.0)), console(run(0.0))]), 1)

    def test_nothing_to_compare_fails(self) -> None:
        nothing = console({"cases": [], "failed_cases": []})
        self.assertEqual(self.status([]), 1)
        self.assertEqual(self.status([console(run(3940.0))]), 1)
        self.assertEqual(self.status([nothing, nothing]), 1)


if __name__ == "__main__":
    unittest.main()
