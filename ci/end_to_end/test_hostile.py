# At stake: of 24 operations that misbehave, each costs itself alone; 4 healthy cases are measured in every round.
import re
import subprocess
import sys
import unittest

from bench_process import HERE, SHORT, BenchTest

HEALTHY = {"healthy_add[n=1]", "healthy_add[n=8]", "healthy_scale", "healthy_though_its_set_up_prints"}
LIMIT_S = 6  # a healthy case takes a hundredth of it on an idle machine
REASONS = {
    "raises": r"^ZeroDivisionError: division by zero \|",
    "raises_in_setup": r"^RuntimeError: no operands today \(at .*hostile\.py, line \d+\)",
    # The rung that makes the 5,000th call is the statement's or its bare call's: batches are as long as it is quick.
    "raises_late": r"^(the call rung: )?ZeroDivisionError: division by zero \(at .*hostile\.py, line \d+\)",
    "crashes": r"worker died.*SIGSEGV",
    "crashes_late": r"worker died.*SIGSEGV",
    "aborts": r"worker died.*SIGABRT",
    "hangs": rf"no answer within {LIMIT_S} s.*--time-limit",
    "hangs_outside_python": rf"no answer within {LIMIT_S} s.*--time-limit",
    "calls_sys_exit": r"SystemExit: 3.*a case must return",
    "calls_os_exit": r"left with status 0.*os\._exit",
    "prints": r"wrote to stdout while it was measured: hello from a benchmark.*bytes in all",
    "writes_to_descriptor_1": r"wrote to stdout while it was measured: raw",
    "closes_descriptors": r"closed the worker's file descriptors",
    "changes_seterr": r"np\.seterr changed.*errstate",
    "changes_directory": r"cwd changed",
    "recurses": r"RecursionError",
    "kills_its_process_group": r"SIGKILL",
    "forks_and_leaves": r"left with status 7",
    "uses_an_unknown_name": r"uses 'nowhere', which is no operand \(x\)",
    "returns_no_dict": r"returned list, not a dict of operands",
    "forks_late": r"child processes changed|worker died",
    "leaves_a_thread": r"Python threads changed: 1 -> 2",
    "says_goodbye": r"worker died.*status 9.*last line on stderr: goodbye",
}


def cpus_of_one_that_asks_for_all() -> int:
    """A cpuset limits what a process may ask for; taskset, which a process takes off by itself, does not."""
    everywhere = "range(os.sysconf('SC_NPROCESSORS_CONF'))"
    asks = f"import os; os.sched_setaffinity(0, {everywhere}); print(len(os.sched_getaffinity(0)))"
    return int(subprocess.run([sys.executable, "-c", asks], check=True, capture_output=True, text=True).stdout)


if cpus_of_one_that_asks_for_all() > 1:
    REASONS["changes_affinity"] = r"CPU affinity changed"
else:
    HEALTHY.add("changes_affinity")  # to the CPU that it has


class Hostile(BenchTest):
    def test_operations_cost_themselves_alone(self):
        rounds = 2
        ran = self.bench(
            "run", "--suite", HERE / "hostile", "--rounds", rounds, "--time-limit", LIMIT_S, *SHORT, code=4
        )
        self.assertEqual(set(ran.cases), HEALTHY | set(REASONS))
        self.assertEqual(set(ran.failures), set(REASONS))
        for case, reason in REASONS.items():
            with self.subTest(case):
                self.assertRegex(ran.failures[case].replace("\n", " "), reason)
                (row,) = [row for row in ran.record["benchmarks"] if row["name"] == case]
                self.assertIs(row["error_occurred"], True)
                self.assertIn(case, ran.out)
        for case in HEALTHY:
            rows = ran.rows(case, "python")
            self.assertEqual([row["tare"]["round"] for row in rows], list(range(rounds)), case)
            self.assertGreater(ran.cases[case]["gross_ns"], 0)
        self.assertRegex(ran.out, rf"(?m)^{len(REASONS)} of {len(REASONS) + len(HEALTHY)} cases failed$")
        longest = max(len(line) for line in ran.out.splitlines())
        self.assertLess(longest, 600, "a printing case floods the table")
        self.assert_valid(ran.record_path)
        self.assert_nobody_left()

    def test_operations_cost_nothing_when_they_are_not_selected(self):
        ran = self.bench("run", "--suite", HERE / "hostile", "--filter", "^healthy", "--quick", *SHORT)
        self.assertEqual(set(ran.cases), {name for name in HEALTHY if name.startswith("healthy")})
        self.assertEqual(ran.failures, {})


class BrokenSuite(BenchTest):
    def test_files_are_named_and_the_others_measured(self):
        ran = self.bench("run", "--suite", HERE / "broken_suite", "--quick", *SHORT, code=4)
        self.assertEqual(list(ran.cases), ["add_one"])
        self.assertGreater(ran.cases["add_one"]["gross_ns"], 0)
        warnings = [line for line in ran.err.splitlines() if line.startswith("bench: warning: ")]
        self.assertEqual(len(warnings), 1, ran.err)
        self.assertRegex(warnings[0], r"no_import\.py.*ModuleNotFoundError.*a_package_that_does_not_exist")
        (problem,) = ran.record["tare"]["problems"]
        self.assertTrue(problem["file"].endswith("no_import.py"))
        self.assertIn("no_import.py:2", problem["error"])

    def test_files_are_named_by_list_too(self):
        listed = self.bench("list", "--suite", HERE / "broken_suite", code=4)
        self.assertIn("add_one", listed.out)
        self.assertEqual(len(re.findall(r"no_import\.py:\d+: ", listed.err)), 1)

    def test_files_alone_leave_nothing_to_measure(self):
        suite = self.suite(bad="import (", leaves="import sys; sys.exit(3)")
        ran = self.bench("run", "--suite", suite, code=2)
        self.assert_one_error(ran, "no file of the suite can be read", "bad.py", "SyntaxError", "(and 1 more)")


if __name__ == "__main__":
    unittest.main()
