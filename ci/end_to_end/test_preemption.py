# At stake: 37 ms for a statement of 25, "100 % of the batches quiet": a busy program on the same CPU had its turns
# counted as the statement's, which no reference beside a batch sees.
import os
import statistics
import subprocess
import sys
import unittest

from bench_process import BenchTest

LONG = "sum(range(4_000_000))"  # some 30 ms: longer than a time slice, wherever this runs
SAID = "other programs, or a CPU quota, took the CPU in the middle of its batches; those count by their CPU time"
BUSY = "import os, sys; os.sched_setaffinity(0, {int(sys.argv[1])})\nwhile True: pass"


def counts_preemptions() -> bool:
    """Whether this kernel says that a thread lost its CPU: some sandboxes do not."""
    cpu = min(os.sched_getaffinity(0))
    code = (
        "import os, resource, sys, time; os.sched_setaffinity(0, {int(sys.argv[1])})\n"
        "end = time.time() + 5\n"
        "lost = lambda: resource.getrusage(resource.RUSAGE_SELF).ru_nivcsw\n"
        "while time.time() < end and not lost(): pass\n"
        "sys.exit(not lost())"
    )
    with Neighbour(cpu):
        return subprocess.run([sys.executable, "-c", code, str(cpu)], check=False).returncode == 0


class Neighbour:
    """A program that computes on one CPU until the block ends."""

    def __init__(self, cpu):
        self.command = [sys.executable, "-c", BUSY, str(cpu)]

    def __enter__(self):
        self.process = subprocess.Popen(self.command)

    def __exit__(self, *_):
        self.process.kill()
        self.process.wait()


class Preemption(BenchTest):
    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        if not counts_preemptions():
            raise unittest.SkipTest("this kernel does not count preemptions")
        cls.cpu = min(os.sched_getaffinity(0))

    def beside_a_neighbour(self, *arguments):
        with Neighbour(self.cpu):
            return self.bench(*arguments, "--cpu", self.cpu)

    def test_the_time_slices_of_others_are_not_the_statements(self):
        ran = self.beside_a_neighbour("run", "-e", LONG, "--rounds", "2")
        for row in ran.rows(LONG, "python"):
            self.assertLess(row["real_time"], 1.05 * row["cpu_time"])
        self.assertIn(SAID, " ".join(ran.out.split()))

    def test_nor_are_they_where_each_execution_is_timed_by_itself(self):
        ran = self.beside_a_neighbour("run", "-e", LONG, "--setup-each", "m = 1", "--rounds", "2")
        for row in ran.rows(LONG, "python"):
            self.assertLess(row["real_time"], 1.05 * row["cpu_time"])
        self.assertIn(SAID, " ".join(ran.out.split()))

    def test_a_statement_that_waits_keeps_the_time_that_it_waits(self):
        nap = "time.sleep(0.02); sum(range(100_000))"
        ran = self.beside_a_neighbour("run", "-e", nap, "--setup", "import time", "--rounds", "1")
        for row in ran.rows(nap, "python"):
            self.assertGreaterEqual(row["real_time"], 20e6)

    def test_a_duet_divides_what_both_sides_took_without_others(self):
        what = ("-e", "sum(range(n))", "--setup", "import os; n = int(os.environ['N'])")
        sizes = ("--env-a", "N=4000000", "--env-b", "N=8000000")
        ran = self.beside_a_neighbour("duet", *what, *sizes, "--budget", "4", "--quads", "3")
        rows = ran.record["benchmarks"]
        self.assertEqual({row["tare"]["side"] for row in rows}, {"a", "b"})
        for row in rows:
            ratios = [wall / cpu for wall, cpu in zip(row["tare"]["wall_ns"], row["tare"]["cpu_ns"])]
            self.assertLess(statistics.median(ratios), 1.05)
        self.assertIn(f"side b: {SAID}", " ".join(ran.out.split()))


if __name__ == "__main__":
    unittest.main()
