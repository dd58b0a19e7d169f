# At stake: 17 ms for a sort that takes 203, since only the first execution sorts; and a set-up of 1 ms that would hide
# a statement of 1 us.
import json
import unittest

from bench_process import DRIFTS, BenchTest, said_every_time

FEW = ("--rounds", "2", "--visit-budget", "0.1")
LIST = "import random; l = [random.random() for _ in range(3000)]"


class SetupEach(BenchTest):
    def measured(self, statement, *how):
        ran = self.bench("run", "-e", statement, *how, *FEW)
        return ran.cases[" ".join(statement.split())]["gross_ns"], " ".join(ran.out.split())

    def test_each_execution_finds_what_the_first_one_found(self):
        _, told = self.measured("l.sort()", "--setup", LIST)
        self.assertIn("before each execution (--setup-each", told)
        unsorted = "assert m[:3] == l[:3] and m is not l; m.sort(); assert m[:3] != l[:3]"
        asked = (unsorted, "--setup", LIST, "--setup-each", "m = l[:]")
        self.assertFalse(said_every_time(DRIFTS, lambda: self.measured(*asked)[1]))

    def test_a_set_up_that_does_not_restore_is_told(self):
        _, told = self.measured("m.sort()", "--setup", LIST, "--setup-each", "m = l")  # no copy
        self.assertIn("its cost falls as it is repeated", told)
        _, told = self.measured("q.append(0); q.count(1)", "--setup", "q = []", "--setup-each", "pass")
        self.assertIn("its cost rises as it is repeated", told)

    def test_a_slow_set_up_leaves_as_many_executions_to_warm_up_as_cpython_takes(self):
        what = ("-e", "seen.append(0); len(seen) < 9 or 1 / 0", "--setup", "import time; seen = []")
        for seconds, command in ((0.03, ("run", *FEW)), (0.08, ("explain", "--no-timing", "--layouts", "1"))):
            ran = self.bench(*command, *what, "--setup-each", f"time.sleep({seconds})", code=4)
            self.assertIn("ZeroDivisionError", ran.out)  # of the ninth execution

    def test_a_set_up_of_a_twentieth_of_the_time_limit_fits_into_it(self):
        what = ("-e", "m.sort()", "--setup", LIST + "; import time", "--setup-each", "m = l[:]; time.sleep(0.3)")
        ran = self.bench("run", *what, "--time-limit", "6", "--rounds", "1", "--visit-budget", "0.1")
        self.assertGreater(ran.cases["m.sort()"]["gross_ns"], 0)

    def test_what_runs_before_is_not_in_the_time(self):
        before, _ = self.measured("sum(range(30_000))")
        short, _ = self.measured("x + y", "--setup", "x = y = 1.5", "--setup-each", "sum(range(30_000))")
        self.assertLess(short, 0.01 * before)

    def test_a_queue_does_not_grow(self):
        asked = ("q.append(0); q.count(1)", "--setup-each", "q = []")
        self.assertFalse(said_every_time(DRIFTS, lambda: self.measured(*asked)[1]))

    def test_an_operation_of_a_suite_has_one(self):
        text = (
            "from tare import operation, over\n"
            "@operation('m.sort()', over(n=[300, 3000]), setup_each='m = l[:]')\n"
            "def sorts(n):\n    return {'l': [(7 * i) % n for i in range(n)]}\n"
        )
        wrong = (
            "from tare import operation\n@operation('m.sort()', setup_each=lambda: 3)\ndef wrong():\n    return {}\n"
        )
        ran = self.bench("run", "--suite", self.suite(mine=text, wrong=wrong), *FEW, code=4)
        small, large = (ran.cases[f"sorts[n={n}]"]["gross_ns"] for n in (300, 3000))
        self.assertGreater(large, 5 * small)
        self.assertIn("the set-up of each execution is int, not text", ran.out + ran.err)
        listed = self.bench("list", "--suite", self.suite(mine=text), "--format", "json", code=4)
        self.assertIn("m.sort()  # each after: m = l[:]", listed.out)

    def test_a_ledger_counts_the_statement_alone(self):
        what = ("x.sum()", "--setup", "import numpy as np; x = np.ones(8)", "--no-timing", "--format", "json")
        plain = self.explained(*what)
        after = self.explained(*what, "--setup-each", "y = sorted(range(500))")
        self.assertLess(abs(after - plain), 0.15 * plain)

    def explained(self, *what):
        ran = self.bench("explain", "--layouts", "2", "-e", *what)
        return json.loads(ran.out)["ledgers"][0]["total"]["value"]

    def test_a_duet_compares_the_statements_alone(self):
        setup = "import os; n = int(os.environ['N']); l = [(7 * i) % 3001 for i in range(n)]"
        each = "m = l[:]; sum(range(10_000))"
        sides = ("--env-a", "N=1000", "--env-b", "N=3000", "--budget", "4")
        ran = self.bench("duet", "-e", "m.sort()", "--setup", setup, "--setup-each", each, *sides)
        self.assertGreater(ran.record["tare"]["verdicts"][0]["ratio"], 2)
        self.assertEqual(ran.record["tare"]["settings"]["setup_each"], each)

    def test_counters_and_a_duet_of_what_is_short_are_told_of(self):
        _, told = self.measured("x + y", "--setup", "x = y = 1.5", "--setup-each", "pass", "--counters", "default")
        self.assertIn("not counted: counters would count what runs before", told)
        required = ("--counters", "timed_cycles", "--require-counters", *FEW)
        what = ("-e", "x + y", "--setup", "x = y = 1.5", "--setup-each", "pass")
        ran = self.bench("run", *what, *required, code=4)
        self.assertIn("not counted: counters would count", " ".join(ran.out.split()))
        what = (*what, "--budget", "1", "--quads", "3")
        self.assertIn("a change looks smaller than it is", " ".join(self.bench("duet", *what).out.split()))

    def test_a_time_that_cannot_be_had_is_refused(self):
        ran = self.bench("run", "-e", "m.sort()", "--setup", LIST, "--setup-each", "m = l[:]", "--profile", *FEW)
        self.assertIn("there is no profile of the case", " ".join(ran.out.split()))
        self.assertGreater(ran.cases["m.sort()"]["gross_ns"], 0)
        ran = self.bench("run", "-e", "m.sort()", "--setup-each", "# nothing", code=2)
        self.assert_one_error(ran, "the set-up of each execution is empty")
        ran = self.bench("run", "-e", "m.sort()", "--setup-each", "m = ", code=2)
        self.assert_one_error(ran, "SyntaxError")
        ran = self.bench("run", "-e", "m.sort()", "--setup-each", "l[:]", code=4)
        self.assertIn("does not assign 'l', 'm'", ran.out)
        ran = self.bench("run", "--setup-each", "m = l[:]", code=2)
        self.assert_one_error(ran, "--setup-each", "--expression")
        ran = self.bench("run", "-e", "m.sort()", "--setup-each", "m = []", "--unroll", "4", code=2)
        self.assert_one_error(ran, "--unroll", "--setup-each")
        ran = self.bench("run", "-e", "m.remove(0)", "--setup-each", "m = []", *FEW, code=4)
        self.assertIn("ValueError", ran.out)


if __name__ == "__main__":
    unittest.main()
