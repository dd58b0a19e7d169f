# At stake: a counter that cannot be read costs one line that says why; never a 0 among the numbers, never the run.
import json
import re
import unittest

from bench_process import ADD, QUICK, BenchTest, can_count_cycles, refused_counting

HARDWARE = (
    "cycles",
    "instructions",
    "branches",
    "branch_misses",
    "l1d_misses",
    "l2_misses",
    "llc_misses",
    "dtlb_walks",
)
SOFTWARE = ("task_clock", "page_faults", "context_switches")
NO_PMU = "this machine exposes no PMU"
ONE = ("run", "--filter", f"^{re.escape(ADD)}$", *QUICK)
REFUSED = refused_counting()
needs_counting = unittest.skipIf(REFUSED, f"perf_event_open is refused here: {REFUSED}")


class Counters(BenchTest):
    def counters(self, outcome):
        """What the record says of each counter, by name."""
        return {counter["name"]: counter for counter in outcome.record["tare"]["counters"]}

    def refused(self, errno_name, *arguments):
        """Runs bench where the kernel answers perf_event_open with this error."""
        return self.bench_without("perf_event_open", errno_name, *arguments)

    @needs_counting
    def test_of_the_kernel_are_values_and_those_of_a_missing_pmu_are_null_with_one_reason(self):
        if can_count_cycles():
            # Skipped because what is told here is said of machines without one; those with one have tests of their own.
            self.skipTest("this machine has a PMU")
        ran = self.bench(*ONE, "--counters", "default")
        self.assertEqual(ran.out.count(NO_PMU), 1, ran.out)
        self.assertIn("ENOENT", ran.out)
        counters = self.counters(ran)
        self.assertEqual(set(counters), {*HARDWARE, *SOFTWARE})
        for name in HARDWARE:
            self.assertEqual(counters[name]["state"], "unavailable", name)
            self.assertTrue(counters[name]["reason"], name)
        for name in SOFTWARE:
            self.assertEqual(counters[name]["state"], "measured", counters[name])
        case = ran.cases[ADD]["counters"]
        for name in HARDWARE:
            stored = "counted_instructions" if name == "instructions" else name  # a ledger's are `instructions`
            self.assertIsNone(case[stored]["value"], name)
        for name in SOFTWARE:
            self.assertIsInstance(case[name]["value"], (int, float), name)
        [row] = ran.rows(ADD, "python")
        self.assertFalse(set(HARDWARE) & set(row), "no number stands in a row for what was not counted")
        self.assertIn("task_clock", row)
        self.assert_valid(ran.record_path)

    @needs_counting
    def test_of_the_task_clock_agree_with_the_time(self):
        ran = self.bench(*ONE, "--counters", "task-clock,page-faults")
        value = ran.cases[ADD]["counters"]["task_clock"]["value"]
        cpu_ns = ran.rows(ADD, "python")[0]["cpu_time"]
        self.assertLess(abs(value / cpu_ns - 1), 0.2, (value, cpu_ns))

    @needs_counting
    def test_count_what_the_statement_does(self):
        """Each execution maps 64 fresh pages and touches each: 64 page faults, whatever the clock says."""
        suite = self.suite(
            pages="# touches fresh pages\nimport mmap\nfrom tare import operation\n\n"
            "def touch():\n    fresh = mmap.mmap(-1, 64 * 4096)\n    fresh.madvise(mmap.MADV_NOHUGEPAGE)\n"
            "    for at in range(0, 64 * 4096, 4096):\n        fresh[at]\n    fresh.close()\n\n"
            "@operation('touch()')\ndef pages():\n    return {'touch': touch}\n"
            "@operation('x + x')\ndef none():\n    return {'x': 1.0}\n"
        )
        ran = self.bench("run", "--suite", suite, *QUICK, "--counters", "page-faults,minor-faults")
        counted = {name: case["counters"] for name, case in ran.cases.items()}
        for name in ("page_faults", "minor_faults"):
            self.assertAlmostEqual(counted["pages"][name]["value"], 64, delta=0.5)
            self.assertAlmostEqual(counted["none"][name]["value"], 0, delta=0.01)
        self.assertIn("<0.01", ran.out)

    @needs_counting
    def test_that_are_required_and_cannot_count_end_the_run(self):
        if can_count_cycles():
            # Skipped because what is told here is said of machines without one; those with one have tests of their own.
            self.skipTest("this machine has a PMU")
        ran = self.bench(*ONE, "--counters", "cycles", "--require-counters", code=2)
        self.assert_one_error(ran, "'cycles'", "ENOENT", NO_PMU, "bench pmu check")

    @needs_counting
    def test_that_are_required_and_count_do_no_harm(self):
        self.bench(*ONE, "--counters", "page-faults", "--require-counters")

    def test_of_unknown_names_are_refused_before_anything_is_measured(self):
        ran = self.bench(*ONE, "--counters", "cycles,brunch-misses", code=2)
        self.assert_one_error(ran, "'brunch-misses'", "branch_misses", "bench pmu list")
        self.assertFalse((self.store / "records").exists() and any((self.store / "records").iterdir()))

    def test_of_none_change_nothing(self):
        ran = self.bench(*ONE, "--counters", "none")
        self.assertNotIn("counters", ran.record["tare"])

    def test_that_the_kernel_refuses_say_why_and_the_times_stay(self):
        for errno_name, words in (("EACCES", "perf_event_paranoid"), ("EPERM", "PERFMON"), ("EMFILE", "ulimit -n")):
            ran = self.refused(errno_name, *ONE, "--counters", "instructions,page-faults,context-switches")
            self.assertEqual(ran.code, 0, ran.err)
            counters = self.counters(ran)
            for name in ("instructions", "page_faults"):
                self.assertEqual((counters[name]["state"], counters[name]["errno"]), ("unavailable", errno_name))
                self.assertIn(words, counters[name]["reason"] + counters[name]["hint"])
            self.assertEqual(counters["context_switches"]["state"], "measured", "getrusage needs no permission")
            self.assertGreater(ran.cases[ADD]["gross_ns"], 0)
            self.assertEqual(ran.out.count(errno_name), 1, ran.out)

    def test_of_the_clock_need_neither_a_pmu_nor_permission(self):
        ran = self.refused("EACCES", *ONE, "--cycles")
        self.assertEqual(ran.code, 0, ran.err)
        counter = self.counters(ran)["timed_cycles"]
        self.assertEqual((counter["state"], counter["source"]), ("measured", "clock"))
        case = ran.cases[ADD]
        cycles = case["counters"]["timed_cycles"]["value"]
        self.assertTrue(0.3 < cycles / case["gross_ns"] < 10, (cycles, case["gross_ns"]))  # GHz of some core
        self.assertIn("timed cycles", ran.out)
        self.assertIn("wall time by the clock rate", ran.out)

    @needs_counting
    def test_stand_in_every_format(self):
        arguments = (*ONE, "--counters", "task-clock,cycles")
        markdown = self.bench(*arguments, "--format", "markdown").out
        self.assertIn("task clock", markdown)
        csv = self.bench(*arguments, "--format", "csv").out.splitlines()
        line = dict(zip(csv[0].split(","), re.findall(r'"[^"]*"|[^,]+|(?<=,)(?=,|$)', csv[1]), strict=False))
        self.assertGreater(float(line["task_clock"]), 0)
        listed = json.loads(self.bench(*arguments, "--format", "json").out)
        [case] = listed["cases"]
        self.assertGreater(case["counters"]["task_clock"]["value"], 0)

    @needs_counting
    def test_of_a_worker_that_dies_are_lost_with_it_alone(self):
        suite = self.suite(
            dies="# one dies\nimport os\nfrom tare import operation\n\n"
            "@operation('os._exit(3)')\ndef dies():\n    return {'os': os}\n"
            "@operation('x + x')\ndef lives():\n    return {'x': 1.0}\n"
        )
        ran = self.bench("run", "--suite", suite, *QUICK, "--counters", "task-clock", code=4)
        self.assertGreater(ran.cases["lives"]["counters"]["task_clock"]["value"], 0)
        self.assert_valid(ran.record_path)


if __name__ == "__main__":
    unittest.main()
