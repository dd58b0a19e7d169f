# At stake: several cases in one bisection, commits that cannot be built, and releases from the package index.
import json
import unittest

from bench_process import DEBIAN_PYTHON
from test_bisect import SUITE, Bisect


class Wider(Bisect):
    def test_goes_around_a_commit_that_cannot_be_built_and_reports_the_other_cases(self):
        works = [(10, 80)] * 2 + [(10, 10)] + [(None, 0)] + [(10, 10)] + [(90, 10)] * 3
        commits = self.repository(*works)
        suite = self.suite("changing_suite", cases=SUITE)
        ran = self.bisect(commits[0], commits[7], "--suite", suite, "--format", "json")
        cases = {case["case"]: case for case in json.loads(ran.out)["cases"]}
        self.assertEqual((cases["first"]["last_before"], cases["first"]["first_after"]), (commits[4], commits[5]))
        self.assertTrue(cases["first"]["decided"])
        self.assertLess(cases["second"]["total_ratio"], 1)
        self.assertIn(cases["second"]["first_after"], commits[2:5])
        self.assertIn(f"{commits[3]} is left out", ran.err)

    def test_leaves_a_range_where_nothing_between_can_be_built(self):
        commits = self.repository((10, 10), (None, 0), (90, 10))
        ran = self.bisect(commits[0], commits[2], "-e", "f()", "--setup", "from changing import f", code=3)
        self.assertIn(f"slower since one of {commits[1][:12]} to {commits[2][:12]}", ran.out)

    def test_of_unchanged_commits_says_that_there_is_nothing_to_find(self):
        commits = self.repository((40, 10), (40, 10))
        ran = self.bisect(commits[0], commits[1], "-e", "f()", "--setup", "from changing import f", code=None)
        if ran.code == 0:
            self.assertIn("there is nothing to bisect", ran.out)
        else:  # a machine too busy to prove it
            self.assertEqual(ran.code, 3)
            self.assertIn("inconclusive", ran.out)

    def test_finds_the_release_in_which_add_at_became_fast(self):
        if self.bench("bisect", "--good", "0.0.1", "--bad", "0.0.2", "--python", DEBIAN_PYTHON, code=2).err.count(
            "cannot be listed"
        ):
            self.skipTest("no package index can be reached")
        statement = ("-e", "np.add.at(x, i, 1.0)", "--setup", "x = np.ones(1024); i = np.arange(1024)")
        ends = ("--good", "1.24.3", "--bad", "1.25.1", "--python", DEBIAN_PYTHON, "--faster")
        ran = self.bench("bisect", *ends, *statement)
        self.assertIn("faster since 1.25.0", ran.out)
        self.assertIn("1.24.4 is the last slow one", ran.out)


del Bisect  # its own tests run in test_bisect

if __name__ == "__main__":
    unittest.main()
