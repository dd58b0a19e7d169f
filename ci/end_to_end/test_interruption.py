# At stake: Ctrl-C or a kill -9 costs no visit that was measured, and leaves no process behind.
import json
import signal
import time
import unittest

from bench_process import SHORT, BenchTest, alive

MANY = r"^(add|subtract|multiply)\["  # some 50 cases: more than a second in 3 rounds
SOON_S = 30


def wait_until(condition, limit_s=SOON_S):
    """Polls until the condition holds; its last value."""
    deadline = time.monotonic() + limit_s
    while not (value := condition()) and time.monotonic() < deadline:
        time.sleep(0.01)
    return value


class Interruption(BenchTest):
    def start_and_wait_for_visits(self, at_least, **streams):
        """A run that takes tens of seconds, and the journal once it holds that many visits."""
        process = self.start("run", "--filter", MANY, "--rounds", 20, *SHORT, **streams)
        self.addCleanup(process.wait)
        self.addCleanup(process.kill)

        def journal():
            for path in self.store.glob("journal/*.jsonl"):
                if path.read_bytes().count(b'\n{"visit":') >= at_least:
                    return path
            return None

        path = wait_until(journal)
        self.assertIsNotNone(path, "no journal with visits appeared")
        return process, path

    def test_by_ctrl_c_keeps_what_was_measured_and_marks_the_record(self):
        process, journal = self.start_and_wait_for_visits(5)
        process.send_signal(signal.SIGINT)
        ran = self.finish(process)
        self.assertEqual(ran.code, 130, ran.err)
        self.assertIs(ran.record["tare"]["interrupted"], True)
        self.assertIs(ran.record["tare"]["recovered"], False)
        visits = [row for row in ran.record["benchmarks"] if row["name"].endswith("/python")]
        self.assertGreaterEqual(len(visits), 5)
        self.assertRegex(ran.err, rf"interrupted: {len(visits)} of \d+ visits were measured")
        self.assertIn("gross", ran.out)
        self.assertFalse(journal.exists())
        self.assert_valid(ran.record_path)
        self.assert_nobody_left()

    def test_by_a_second_ctrl_c_ends_at_once(self):
        process, _ = self.start_and_wait_for_visits(1)
        process.send_signal(signal.SIGSTOP)  # both signals arrive before bench looks
        process.send_signal(signal.SIGINT)
        process.send_signal(signal.SIGTERM)
        process.send_signal(signal.SIGCONT)
        self.assertIn(process.wait(SOON_S), (130, -signal.SIGTERM, -signal.SIGINT))
        process.communicate()
        self.assertEqual(wait_until(lambda: not self.left()), True)
        self.bench("list", "--filter", "^dot$|^dot")
        self.assertEqual(len(list(self.store.glob("records/*.json"))), 1)

    def left(self):
        try:
            self.assert_nobody_left()
        except AssertionError:
            return True
        return False

    def test_by_kill_9_is_made_good_by_the_next_command(self):
        process, journal = self.start_and_wait_for_visits(5)
        process.kill()
        process.communicate()
        self.assertTrue(wait_until(lambda: not self.left()), "a worker outlived its bench")
        visits = journal.read_bytes().count(b'\n{"visit":')
        with journal.open("ab") as torn:
            torn.write(b'{"visit":{"case":"add[ki')  # as a crash of the machine would leave it
        listed = self.bench("list", "--filter", "^dot")
        self.assertIn(f"an earlier run was killed; its {visits} visits are kept in", listed.err)
        self.assertFalse(journal.exists())
        (path,) = self.store.glob("records/*.json")
        self.assertIn(str(path), listed.err)
        record = json.loads(path.read_text())
        self.assertEqual((record["tare"]["recovered"], record["tare"]["interrupted"]), (True, True))
        self.assertEqual(sum(row["name"].endswith("/python") for row in record["benchmarks"]), visits)
        self.assertTrue(record["context"]["tare"]["numpy"]["version"])
        self.assert_valid(path)
        again = self.bench("list", "--filter", "^dot")
        self.assertNotIn("earlier run", again.err)

    def start_what_hangs(self):
        text = "# never returns\nimport time\nfrom tare import operation\n\n@operation('f(3600)')\n"
        suite = self.suite(own=text + "def hangs():\n    return {'f': time.sleep}\n")
        process = self.start("run", "--suite", suite, "--quick", "--time-limit", 600)
        self.addCleanup(process.kill)
        self.assertTrue(wait_until(lambda: list(self.store.glob("journal/*.jsonl"))))
        self.assertTrue(wait_until(lambda: any("worker" in command for command in alive(self.mark))))
        time.sleep(0.5)  # until it hangs
        return process

    def test_by_ctrl_c_before_anything_was_measured_says_so(self):
        process = self.start_what_hangs()
        process.send_signal(signal.SIGINT)
        out, err = process.communicate(timeout=SOON_S)
        self.assertEqual((process.returncode, out), (130, ""))
        self.assertIn("interrupted before anything was measured", err)
        self.assertEqual(list(self.store.glob("*/*.json*")), [])

    def test_by_kill_9_takes_a_hanging_case_along(self):
        process = self.start_what_hangs()
        process.kill()
        process.communicate()
        self.assertTrue(wait_until(lambda: not self.left(), limit_s=5), "a hanging worker outlived its bench")

    def test_a_run_that_is_alive_is_not_recovered(self):
        process, journal = self.start_and_wait_for_visits(1)
        listed = self.bench("list", "--filter", "^dot")
        self.assertNotIn("earlier run", listed.err)
        self.assertTrue(journal.exists())
        process.send_signal(signal.SIGINT)
        self.assertEqual(self.finish(process).code, 130)

    def test_an_output_that_closes_does_not_cost_the_record(self):
        process = self.start("run", "--filter", r"^add\[.*n=8\]", "--quick", *SHORT)
        process.stdout.close()  # as `bench run | head -0` would
        err = process.stderr.read()
        process.stderr.close()
        process.wait(SOON_S)
        self.assertEqual(len(list(self.store.glob("records/*.json"))), 1, err)
        self.assertEqual(list(self.store.glob("journal/*")), [])


if __name__ == "__main__":
    unittest.main()
