# At stake: nothing changed, and a finding for each of 21 topics on whatever machine this is.
import csv
import io
import json
import os
import re
import signal
import time
import unittest
from pathlib import Path

from bench_process import BenchTest

TOPICS = [
    "timer",
    "governor",
    "turbo",
    "thermal",
    "load",
    "steal",
    "jitter",
    "quiet",
    "smt",
    "isolation",
    "affinity",
    "virtualization",
    "container",
    "cpu_quota",
    "aslr",
    "huge_pages",
    "swap",
    "memory",
    "pmu",
    "perf_event_paranoid",
    "nmi_watchdog",
]
STATES = {"good": "ok", "could_be_better": "note", "bad": "bad", "unknown": "?"}
SETTINGS = (
    "/proc/sys/kernel/randomize_va_space",
    "/proc/sys/kernel/perf_event_paranoid",
    "/proc/sys/kernel/nmi_watchdog",
    "/sys/kernel/mm/transparent_hugepage/enabled",
    "/sys/devices/system/clocksource/clocksource0/current_clocksource",
    "/sys/devices/system/cpu/online",
)
SOON_S = 20


class Doctor(BenchTest):
    def findings(self, *arguments, **expected):
        ran = self.bench("doctor", "--format", "json", *arguments, **expected)
        self.assertEqual(ran.err, "")
        return json.loads(ran.out)

    def test_has_a_finding_for_every_topic_and_a_verdict(self):
        found = self.findings()
        self.assertEqual([each["topic"] for each in found["findings"]], TOPICS)
        self.assertIn(found["fit_for"], ("single_numbers", "paired_comparisons", "nothing"))
        self.assertRegex(found["verdict"], r"^(not )?fit ")
        self.assertIn(found["cpu"], os.sched_getaffinity(0))
        for each in found["findings"]:
            with self.subTest(topic=each["topic"]):
                self.assertIn(each["state"], STATES)
                self.assertTrue(each["found"])
                self.assertTrue(each["meaning"])
                for remedy in each["remedies"]:
                    changes = re.search(r"sudo (tee|sysctl|swapoff)", remedy["command"] or "")
                    self.assertEqual(bool(changes), remedy["undo"] is not None, remedy)

    def test_measures_the_clock_and_the_gaps_of_a_second(self):
        values = {each["topic"]: each["values"] for each in self.findings()["findings"]}
        self.assertGreater(values["timer"]["clock_cost_ns"], 0)
        self.assertLess(values["timer"]["clock_cost_ns"], 1e6)
        self.assertGreaterEqual(values["jitter"]["spun_ns"], 1_000_000_000)
        gaps, longest_ns = values["jitter"]["gaps"], values["jitter"]["longest_gap_ns"]
        self.assertEqual(gaps == 0, longest_ns == 0)
        self.assertTrue(longest_ns == 0 or longest_ns >= values["jitter"]["gap_threshold_ns"])
        self.assertTrue(0 <= values["jitter"]["lost_ratio"] <= 1)
        self.assertTrue(0 <= values["load"]["others_here_ratio"] <= 1)

    def test_prints_a_line_for_every_topic_and_the_verdict_last(self):
        out = self.bench("doctor").out
        self.assertEqual(re.findall(r"(?m)^(?:ok|note|bad|\?) +(\w+)  ", out), TOPICS)
        self.assertRegex(out.splitlines()[-1], r"^verdict: (not )?fit ")
        self.assertNotIn("\x1b", out)

    def test_gives_csv_and_markdown(self):
        rows = list(csv.DictReader(io.StringIO(self.bench("doctor", "--format", "csv").out)))
        self.assertEqual(list(dict.fromkeys(row["topic"] for row in rows)), TOPICS)
        markdown = self.bench("doctor", "--format", "markdown").out
        self.assertEqual(re.findall(r"(?m)^\| (?:ok|note|bad|\?) \| (\w+) \|", markdown), TOPICS)

    def test_watches_as_long_as_it_is_asked_to(self):
        quiet = {each["topic"]: each["values"] for each in self.findings("--watch", "2")["findings"]}["quiet"]
        self.assertGreaterEqual(quiet["quiet_watched_s"], 2)
        for ratio in ("quiet_ratio", "quiet_alu_ratio"):
            self.assertTrue(0 <= quiet[ratio] <= 1)
        self.assert_one_error(self.bench("doctor", "--watch", "0", code=2), "--watch")

    def test_changes_nothing(self):
        def settings():
            return {path: Path(path).read_text() for path in SETTINGS if Path(path).exists()}

        before = settings()
        self.bench("doctor")
        self.assertEqual(settings(), before)
        self.assertEqual(list(self.folder.iterdir()), [], "not even a store")

    def test_strict_exits_2_where_a_topic_is_bad(self):
        ran = self.bench("doctor", "--strict", "--format", "json", code=None)
        bad = [each for each in json.loads(ran.out)["findings"] if each["state"] == "bad"]
        self.assertEqual(ran.code, 2 if bad else 0, ran.out)

    def test_looks_at_the_cpu_asked_for(self):
        cpu = min(os.sched_getaffinity(0))
        self.assertEqual(self.findings("--cpu", cpu)["cpu"], cpu)
        self.assert_one_error(self.bench("doctor", "--cpu", 8000, code=2), "--cpu 8000", "may run only on CPU")

    def test_finds_a_limit_of_address_randomization(self):
        process = self.start("doctor", "--format", "json", preexec_fn=fix_addresses)
        aslr = next(each for each in json.loads(self.finish(process).out)["findings"] if each["topic"] == "aslr")
        if not aslr["values"]["fixed_addresses"]:
            self.skipTest("personality(2) is forbidden here")
        self.assertEqual(aslr["state"], "bad")

    def test_ends_when_interrupted(self):
        process = self.start("doctor")
        deadline = time.monotonic() + SOON_S
        while not catches(process.pid, signal.SIGINT) and time.monotonic() < deadline:
            time.sleep(0.01)  # its loader takes some milliseconds, then it looks for more than a second
        process.send_signal(signal.SIGINT)
        outcome = self.finish(process)
        self.assertEqual((outcome.code, outcome.out), (130, ""))

    def closed_output(self, *arguments):
        """How bench ends when nobody reads, as in `bench doctor | head -0`: exit status and stderr."""
        reader, writer = os.pipe()
        os.close(reader)
        process = self.start(*arguments, stdout=writer)
        os.close(writer)
        err = process.stderr.read()
        process.stderr.close()
        return process.wait(SOON_S), err

    def test_an_output_that_is_closed_ends_it_as_it_ends_the_others(self):
        self.assertEqual(self.closed_output("doctor"), self.closed_output("--help"))

    def test_an_output_that_is_full_is_an_error(self):
        with open("/dev/full", "w") as full:
            outcome = self.finish(self.start("doctor", stdout=full))
        self.assertEqual(outcome.code, 2)
        self.assertIn("cannot write to stdout", outcome.err)


def catches(pid, number):
    """Whether the process has a handler of the signal."""
    status = Path(f"/proc/{pid}/status").read_text()
    return int(re.search(r"(?m)^SigCgt:\s*([0-9a-f]+)", status)[1], 16) >> (number - 1) & 1 == 1


def fix_addresses():
    """In the child, before bench: as `setarch -R` does."""
    import ctypes

    addr_no_randomize = 0x0040000
    ctypes.CDLL(None).personality(addr_no_randomize)


if __name__ == "__main__":
    unittest.main()
