# At stake: a counter that does not work is unavailable, with a reason that is told once; it is never 0, never silent.
import csv
import io
import json
import shlex
import unittest

from bench_process import BenchTest, can_count_cycles, refused_counting

COMMON = ["cycles", "instructions", "branches", "branch_misses"]
HARDWARE = [*COMMON, "l1d_misses", "l2_misses", "llc_misses", "dtlb_walks"]
SOFTWARE = ("task_clock", "page_faults", "context_switches")


class List(BenchTest):
    def test_finds_instructions_among_roles_and_events(self):
        listed = self.bench("pmu", "list", "instructions")
        self.assertRegex(listed.out, r"(?m)^instructions +instructions retired")
        self.assertRegex(listed.out, r"(?m)^perf::INSTRUCTIONS +")
        self.assertNotIn("page_faults", listed.out)
        self.assertRegex(listed.out, r"\n\d+ events?\n$")

    def test_that_matches_nothing_or_is_no_expression_is_a_usage_error(self):
        self.assert_one_error(self.bench("pmu", "list", "nonsense_event", code=2), "matches none of", "bench pmu list")
        self.assert_one_error(self.bench("pmu", "list", "instrctions", code=2), "nearest: instructions")
        self.assert_one_error(self.bench("pmu", "list", "a(", code=2), "is no regular expression")

    def test_in_other_formats_holds_the_same_events(self):
        events = json.loads(self.bench("pmu", "list", "--format", "json").out)["events"]
        names = [event["name"] for event in events]
        self.assertEqual(names[: len(HARDWARE)], HARDWARE)
        self.assertIn("perf::PERF_COUNT_SW_PAGE_FAULTS", names)
        l1d = next(event for event in events if event["name"] == "perf::PERF_COUNT_HW_CACHE_L1D")
        self.assertIn("READ", [mask["name"] for mask in l1d["masks"]])
        rows = list(csv.DictReader(io.StringIO(self.bench("pmu", "list", "--format", "csv").out)))
        self.assertEqual([row["event"] for row in rows if not row["mask"]], names)
        self.assertIn("| `cycles` |", self.bench("pmu", "list", "--format", "markdown").out)


class Check(BenchTest):
    def checked(self, *arguments):
        found = json.loads(self.bench("pmu", "check", *arguments, "--format", "json").out)
        if refused := refused_counting():
            # Skipped because nothing counts where the kernel refuses the call: test_counters has what is said then.
            self.skipTest(f"perf_event_open is refused here: {refused}")
        return found, {counter["name"]: counter for counter in found["counters"]}

    def test_measures_the_kernels_counters_on_any_machine(self):
        found, counters = self.checked()
        self.assertEqual(list(counters), [*HARDWARE, *SOFTWARE])
        for name in SOFTWARE:
            self.assertEqual(counters[name]["state"], "measured", counters[name])
            self.assertIsNone(counters[name]["problem"])
            self.assertTrue(counters[name]["passes"])
        self.assertEqual(counters["context_switches"]["source"], "usage")
        self.assertEqual(max(i for c in found["counters"] for i in c["passes"]) + 1, found["passes"])

    def test_tells_the_reason_of_what_does_not_count_once(self):
        found, counters = self.checked()
        refused = [c for c in found["counters"] if c["state"] != "measured"]
        for counter in refused:
            self.assertTrue(counter["problem"]["reason"], counter)
        if can_count_cycles():
            # Skipped because what is told here is said of machines without one; those with one have tests of their own.
            self.skipTest("this machine has a PMU")
        self.assertIsNone(found["pmu"])
        self.assertEqual([c["name"] for c in refused if c["problem"]["errno"] == "ENOENT"][:4], COMMON)
        table = self.bench("pmu", "check").out
        reason = counters["cycles"]["problem"]["reason"]
        self.assertEqual(table.count(reason), 1, table)
        self.assertRegex(table, r"(?m)^instructions .* unavailable \(1\)")
        self.assertRegex(table, r"(?m)^task_clock .* measured +1$")
        self.assertRegex(table, r"(?m)^3 of 11 counters work here")

    def test_without_the_kernel_says_how_migrations_are_counted(self):
        _, counters = self.checked("--counters", "cpu-migrations,major-faults")
        self.assertEqual(counters["cpu_migrations"]["state"], "unavailable")
        self.assertIn("--count-kernel", counters["cpu_migrations"]["problem"]["hint"])
        self.assertEqual(counters["major_faults"]["state"], "measured")

    def test_of_unknown_counters_costs_one_error_with_the_nearest(self):
        wrong = {"brnches": "nearest: branches", "cycles,": "an empty name", "none": "nothing to check"}
        for counters, words in wrong.items():
            self.assert_one_error(self.bench("pmu", "check", "--counters", counters, code=2), words)

    def test_of_generic_cache_misses_warns_which_cache_it_is(self):
        ran = self.bench("pmu", "check", "--counters", "cache-misses")
        self.assertRegex(ran.err, r"^bench: warning: cache-misses counts misses of ")

    def test_on_a_cpu_that_is_not_there_is_an_error(self):
        self.assert_one_error(self.bench("pmu", "check", "--cpu", 99999, code=2), "--cpu 99999")


class Alone(BenchTest):
    def test_prints_its_help_and_exits_2(self):
        ran = self.bench("pmu", code=2)
        self.assertIn("bench: error: bench pmu takes one of its own commands", ran.err)
        self.assertIn("which counters work here", ran.err)
        self.assertEqual(ran.out, "")


class Help(BenchTest):
    def test_shows_examples_that_work(self):
        for command in ([], ["list"], ["check"]):
            lines = self.bench("pmu", *command, "--help").out.splitlines()
            examples = [shlex.split(line) for line in lines if line.startswith("  bench ")]
            self.assertGreaterEqual(len(examples), 2, command)
            for example in examples:
                self.bench(*example[1:])


if __name__ == "__main__":
    unittest.main()
