"""At stake: every run made is in the results, the bad ones too, and an interruption costs one step."""

import contextlib
import io
import json
import os
import tempfile
import time
import unittest
from pathlib import Path
from unittest import mock

import duet
import load
import plan
import summary
import validate
from journal import Journal
from plan import Size, Step

FAKE_BENCH = Path(__file__).with_name("fake_bench.py")
CASES = [f"case_{number}[n={number}]" for number in range(8)]
SIZE = Size(2, 1, 3, 2, 2, 0, 0, (5.0, -5.0))


class AValidation(unittest.TestCase):
    def setUp(self) -> None:
        holder = tempfile.TemporaryDirectory()
        self.addCleanup(holder.cleanup)
        self.folder = Path(holder.name)
        (self.folder / "cases").write_text("\n".join(CASES))
        self.asked = self.folder / "asked"
        self.environment = {"FAKE_BENCH_CASES": str(self.folder / "cases"), "FAKE_BENCH_LOG": str(self.asked)}
        self.plan = plan.make_plan(CASES, ["aa", "power", "needle"], SIZE, 1)
        self.here = validate.Machine(FAKE_BENCH, (Path("/a"), Path("/b")), 0, {})

    def run_all(self, resume: bool = False, **environment: str) -> tuple[int, Journal]:
        settings = {"plan": self.plan.digest(), "steps": {"aa": 2, "power": 2, "needle": 2}}
        journal = Journal(self.folder / "out", settings, resume)
        with (
            mock.patch.dict(os.environ, {**self.environment, **environment}),
            contextlib.redirect_stderr(io.StringIO()),
        ):
            status = validate.run_plan(self.plan.steps, journal, lambda step: validate.run_step(step, self.here))
        return status, journal

    def test_runs_every_step_of_the_plan_once(self) -> None:
        status, journal = self.run_all()
        self.assertEqual(status, 0)
        self.assertEqual([line["step"] for line in journal.lines], [step.name for step in self.plan.steps])

    def test_asks_bench_for_the_seeds_that_were_fixed(self) -> None:
        self.run_all()
        asked = [json.loads(line)["seed"] for line in self.asked.read_text().splitlines()]
        self.assertEqual(asked, [step.seed for step in self.plan.steps])

    def test_stops_at_a_failed_step_keeps_it_and_goes_on_from_there(self) -> None:
        bad = self.plan.steps[2]
        status, journal = self.run_all(FAKE_BENCH_FAILS_AT=str(bad.seed))
        self.assertEqual((status, len(journal.lines)), (1, 3))
        self.assertIn("cannot pin to the CPU", journal.lines[-1]["error"])
        status, journal = self.run_all(resume=True)
        self.assertEqual(status, 0)
        self.assertEqual([line["step"] for line in journal.lines].count(bad.name), 2)
        self.assertIn(f"- failed: {bad.name}", "\n".join(summary.runs(journal.settings, journal.lines, journal.begun)))

    def test_knows_of_a_run_that_was_cut_short(self) -> None:
        def interrupted(step: Step) -> dict[str, object]:
            raise KeyboardInterrupt

        settings = {"plan": self.plan.digest(), "steps": {"aa": 2, "power": 2, "needle": 2}}
        journal = Journal(self.folder / "out", settings, resume=False)
        with contextlib.redirect_stderr(io.StringIO()) as said:
            self.assertEqual(validate.run_plan(self.plan.steps, journal, interrupted), 130)
        self.assertIn("interrupted in aa-001; go on with: --resume", said.getvalue())
        status, journal = self.run_all(resume=True)
        self.assertEqual(status, 0)
        text = "\n".join(summary.runs(journal.settings, journal.lines, journal.begun))
        self.assertIn("- cut short: aa-001, 1 times", text)

    def test_counts_what_the_fake_was_told_to_find(self) -> None:
        _, journal = self.run_all()
        text = "\n".join([*summary.power(journal.lines), *summary.needle(journal.lines)])
        self.assertIn("| +5 % | 3/3 = 100.0 %", text)
        self.assertIn("| -5 % | 3/3 = 100.0 %", text)
        self.assertIn("| +3 % | 2/2 = 100.0 %", text)
        self.assertIn("0/14 = 0.0 %", text)  # beside the needles

    def test_takes_a_case_without_a_verdict_for_a_failure(self) -> None:
        (self.folder / "cases").write_text("\n".join(CASES[1:]))
        status, journal = self.run_all()
        self.assertEqual(status, 1)
        self.assertIn("no verdict for 1 cases: case_0[n=0]", journal.lines[-1]["error"])

    def test_swaps_the_environments_without_moving_the_injection(self) -> None:
        step = Step("s", "power", "duet", (CASES[0],), 3, swapped=True, injected_percent=5, injected_cases=(CASES[0],))
        with mock.patch.dict(os.environ, self.environment):
            line = validate.run_step(step, self.here)
        asked = json.loads(self.asked.read_text())
        self.assertEqual((asked["a"], asked["b"]), ("/b", "/a"))
        self.assertEqual(duet.comparison_of(line["comparisons"][0]).verdict, "slower")


class ALoad(unittest.TestCase):
    def test_needs_another_cpu(self) -> None:
        with self.assertRaisesRegex(RuntimeError, "'memory' needs a second CPU"), load.busy("memory", None):
            self.fail("there was none")

    def test_keeps_a_cpu_busy_and_ends(self) -> None:
        before_s = os.times().children_user
        with load.busy("arithmetic", min(os.sched_getaffinity(0))):
            time.sleep(0.2)
        self.assertGreater(os.times().children_user - before_s, 0.02)  # dead, and waited for


if __name__ == "__main__":
    unittest.main()
