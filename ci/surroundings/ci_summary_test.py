"""At stake: a test that passes at its third try looks like one that passes, and a fault is never mended."""

import unittest

import ci_summary

LOG = """ci: installed them in 17 s
ci: building build/release (takes minutes the first time; log: x)
ci: built all in build/release in 373 s
1/6 Test #1: A.good ...........................   Passed    0.50 sec
2/6 Test #2: P/B.flaky/0  # GetParam() = 3 ....***Failed    0.01 sec
said 0 Test #9: not a line of ctest
    Start 2: P/B.flaky/0  # GetParam() = 3
    Test #2: P/B.flaky/0  # GetParam() = 3 ....   Passed    0.02 sec
3/6 Test #3: C.bad ............................***Failed    0.00 sec
    Test #3: C.bad ............................***Failed    0.00 sec
4/6 Test #4: D.skips ..........................***Skipped   0.00 sec
5/6 Test  #16: F.crash+ ........................***Exception: SegFault  0.00 sec
6/6 Test #5: E.slow ...........................***Timeout   1.25 sec
"""


class CiSummary(unittest.TestCase):
    def setUp(self) -> None:
        self.summary = ci_summary.read(LOG)

    def test_tells_flaky_tests_from_failed_ones(self) -> None:
        self.assertEqual(self.summary.flaky(), ["P/B.flaky/0  # GetParam() = 3"])
        self.assertEqual(self.summary.failed(), ["C.bad", "F.crash+", "E.slow"])
        self.assertEqual(len(self.summary.ended), 6)

    def test_says_how_to_repeat_each_alone(self) -> None:
        lines = ci_summary.lines_of(self.summary)
        self.assertEqual(lines[:2], ["ci: installed them in 17 s", "ci: built all in build/release in 373 s"])
        self.assertEqual(lines[3], "      1.2 s  E.slow")
        self.assertIn("failed: F.crash+: Exception: SegFault; alone: ci/test --tests-regex '^F.crash.'", lines)
        self.assertRegex("\n".join(lines), r"flaky: P/B.flaky/0 .*: Failed, Passed; ci/soak 20 busy")

    def test_of_a_green_log_names_nothing(self) -> None:
        green = "\n".join(line for line in LOG.splitlines() if "***" not in line or "Skipped" in line)
        self.assertNotRegex("\n".join(ci_summary.lines_of(ci_summary.read(green))), "(flaky|failed): ")


if __name__ == "__main__":
    unittest.main()
