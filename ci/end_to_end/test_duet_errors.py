# At stake: what goes wrong in a duet costs one error or one case, and nothing that was measured before.
import json
import os
import re
import signal
import subprocess
import time
import unittest
from pathlib import Path

from bench_process import DEBIAN_PYTHON, PYTHON, absent_cpu, alive
from duet_process import WORK, DuetTest, verdicts_of

MANY = r"^(add|subtract|multiply)\["
SOON_S = 30
# No sample decides that: all 36 pairs are measured, and a signal meets seconds of it.
UNDECIDED = ("--tolerance", 0, "--bound", 0.01)


def some_library():
    """One that this interpreter has loaded."""
    maps = Path("/proc/self/maps").read_text().split()
    return next(Path(word) for word in maps if word.startswith("/") and "/libz.so" in word or "/libexpat.so" in word)


SOME_LIBRARY = some_library()  # here: in a namespace of its own a process no longer knows where its old maps lie


class DuetErrors(DuetTest):
    def refused(self, *arguments, words, command="duet"):
        ran = self.bench(command, *arguments, code=2)
        self.assert_one_error(ran, *words)
        self.assertEqual(list(self.store.glob("*/*")), [], "nothing was measured: nothing is kept")

    def test_an_environment_without_numpy_is_named_with_its_side(self):
        subprocess.run([DEBIAN_PYTHON, "-m", "venv", "--without-pip", self.folder / "bare"], check=True)
        sides = ("--a", PYTHON, "--b", self.folder / "bare")
        self.refused(*sides, words=["side b:", "bare/bin/python has no NumPy", "pip"])
        self.assertNotIn("--python", self.bench("duet", *sides, code=2).err)  # which a duet does not have

    def test_command_lines(self):
        for arguments, words in (
            (["--a", "/proc/absent"], ["side a:", "/proc/absent"]),
            (["--a", PYTHON, "--filter", "dott"], ["'dott' matches none of", "nearest: dot"]),
            (["--margins", "loud"], ["unknown margins 'loud'", "noisy"]),
            (["--tolerance", "3", "--bound", "2"], ["tolerance of 3 % and a bound of 2 %", "0 <= tolerance < bound"]),
            (["--env-b", "WORK"], ["'WORK' is not NAME=VALUE"]),
            (["--fail-on-inconclusive"], ["--fail-on-inconclusive requires --gate"]),
            (["--inject-case", "x"], ["--inject-case requires --inject"]),
            (["--a", PYTHON, "--inject", "5", "--inject-case", "dott"], ["--inject-case 'dott' matches none of"]),
            (["--continue", "x.json", "--filter", "y"], ["--filter excludes --continue"]),
            (["--a", PYTHON, "--tolerances", "/proc/absent"], ["--tolerances /proc/absent: No such file"]),
            (["--summary", "/proc/absent/s.md"], ["--summary /proc/absent/s.md", "No such file"]),
            (["--continue", "/proc/absent"], ["'/proc/absent'", "No such file"]),
        ):
            with self.subTest(arguments):
                self.refused(*arguments, words=words)
        for arguments, words in (
            ([], ["old is required"]),
            (["a.json"], ["a second record is missing"]),
            (["--replay", "a.json", "--tolerance", "5"], ["excludes", "--replay", "--tolerance"]),
            (["/proc/absent/a.json", "/proc/absent/b.json"], ["'/proc/absent/a.json'", "No such file"]),
        ):
            with self.subTest(arguments):
                self.refused(*arguments, words=words, command="compare")

    def start_and_wait(self, *arguments, at_least):
        """A duet under way, and its journal once it holds so many visits."""
        process = self.start("duet", "--a", PYTHON, *arguments)
        self.addCleanup(process.wait)
        self.addCleanup(process.kill)
        deadline = time.monotonic() + SOON_S
        while True:
            for path in self.store.glob("journal/*.jsonl"):
                if path.read_bytes().count(b'\n{"visit":') >= at_least:
                    return process, path
            self.assertLess(time.monotonic(), deadline, "no journal with visits appeared")
            time.sleep(0.01)

    def test_ctrl_c_in_mid_round_keeps_what_was_measured_and_it_can_be_continued(self):
        process, _ = self.start_and_wait("--suite", self.work_suite(), *UNDECIDED, at_least=5)
        process.send_signal(signal.SIGINT)
        ran = self.finish(process)
        self.assertEqual(ran.code, 130, ran.err)
        self.assertTrue(ran.record["tare"]["interrupted"])
        self.assertIn("--continue", ran.err)
        self.assert_valid(ran.record_path)
        self.assertEqual(self.replayed(ran.record_path), verdicts_of(ran))
        visits = len(ran.record["benchmarks"])
        self.assertGreaterEqual(visits, 10)
        other = self.environment(OPENBLAS_CORETYPE="Nehalem")
        refused = self.bench("duet", "--continue", ran.record_path, code=2, environment=other)
        self.assert_one_error(refused, "--continue: ", "side a", "start a new duet")
        cpu = absent_cpu()
        elsewhere = self.bench("duet", "--continue", ran.record_path, "--cpu", cpu, code=2)
        self.assert_one_error(
            elsewhere, f"--cpu {cpu}: the duet to be continued was measured on CPU", "leave --cpu out"
        )
        on = self.bench("duet", "--continue", ran.record_path, "--out", self.folder / "on.json")
        self.assertGreater(len(on.record["benchmarks"]), visits)
        self.assertEqual(on.record["benchmarks"][0]["tare"], ran.record["benchmarks"][0]["tare"])
        for verdict in verdicts_of(on).values():
            self.assertGreaterEqual(verdict["a_pairs"], 6)
        self.assertEqual(self.replayed(on.record_path), verdicts_of(on))
        self.assert_nobody_left()

    def test_kill_9_is_made_good_by_the_next_command(self):
        suite = self.work_suite()
        process, journal = self.start_and_wait("--suite", suite, *UNDECIDED, at_least=4)
        process.kill()
        process.communicate()
        deadline = time.monotonic() + SOON_S
        while alive(self.mark) and time.monotonic() < deadline:
            time.sleep(0.01)
        self.assert_nobody_left()
        with journal.open("ab") as torn:
            torn.write(b'{"visit":{"ca')
        listed = self.bench("list", "--suite", suite)
        self.assertIn("an earlier run was killed", listed.err)
        (path,) = self.store.glob("records/*.json")
        record = json.loads(path.read_text())
        self.assertEqual((record["tare"]["kind"], record["tare"]["recovered"]), ("duet", True))
        self.assert_valid(path)
        on = self.bench("duet", "--continue", path)
        self.assertEqual(set(verdicts_of(on)), {"count", "steady"})
        self.assertFalse(on.record["tare"]["recovered"], "it has been ended in order")
        seeds = [each["tare"]["visit"]["seed"] for each in on.record["benchmarks"] if each["tare"]["side"] == "a"]
        self.assertEqual(len(set(seeds)), len(seeds), "no round is drawn twice")

    def test_a_build_that_changes_in_mid_duet_ends_it_with_what_was_measured(self):
        library = self.folder.resolve() / "library.so"
        library.write_bytes(SOME_LIBRARY.read_bytes())
        text = f"# maps a library\nimport ctypes\nfrom tare import operation\nlib = ctypes.CDLL({str(library)!r})\n"
        suite = self.suite(own=text + "\n@operation('x + x')\ndef add():\n    return {'x': 1.0}\n")
        process, _ = self.start_and_wait("--suite", suite, "--open-ended", *UNDECIDED, at_least=2)
        os.utime(library, (1, 1))
        ran = self.finish(process)
        self.assertEqual(ran.code, 2, ran.err)
        self.assertRegex(ran.err, f"side [ab] is no longer what it was: {re.escape(str(library))} has changed")
        self.assertGreaterEqual(verdicts_of(ran)["add"]["a_pairs"], 1)
        on = self.bench("duet", "--continue", ran.record_path, code=2)
        self.assertRegex(on.err, "--continue: files of side [ab] have changed since")
        self.assert_one_error(on, "start a new duet")

    def test_a_suite_that_is_edited_in_mid_duet_ends_it_too(self):
        suite = self.work_suite()
        process, _ = self.start_and_wait("--suite", suite, "--open-ended", *UNDECIDED, at_least=2)
        os.utime(suite / "work.py", (1, 1))
        ran = self.finish(process)
        self.assertEqual(ran.code, 2, ran.err)
        self.assertIn("work.py has changed", ran.err)

    def test_an_edited_suite_does_not_continue_what_was_another(self):
        process, _ = self.start_and_wait("--suite", self.work_suite(), *UNDECIDED, at_least=3)
        process.send_signal(signal.SIGINT)
        ran = self.finish(process)
        (self.folder / "work" / "work.py").write_text(WORK.replace("x + x", "x - x"))
        on = self.bench("duet", "--continue", ran.record_path, code=2)
        self.assert_one_error(on, "--continue:", "start a new duet")

    def test_what_a_set_up_loads_is_known_before_the_page_cache_is_redrawn(self):
        a, b = (self.folder.resolve() / side / "library.so" for side in "ab")
        for library in (a, b):
            library.parent.mkdir()
            library.write_bytes(SOME_LIBRARY.read_bytes())
        text = "# maps a library when it is set up\nimport ctypes, os\nfrom tare import operation\n"
        text += "\n@operation('x + x')\ndef add():\n    ctypes.CDLL(os.environ['LIBRARY'])\n    return {'x': 1.0}\n"
        sides = ("--env-a", f"LIBRARY={a}", "--env-b", f"LIBRARY={b}")
        ran = self.bench("duet", "--a", PYTHON, "--suite", self.suite(own=text), *sides)
        page_cache = ran.record["tare"]["page_cache"]
        self.assertEqual(page_cache["files"], sorted([str(a), str(b)]))
        self.assertGreaterEqual(page_cache["rounds"], 1)

    def test_a_full_disk_is_an_error_that_keeps_what_was_written(self):
        self.small_store()
        ran = self.bench("duet", "--a", PYTHON, "--filter", MANY, code=2)
        self.assertRegex(
            ran.err, rf"cannot write.*{re.escape(str(self.store))}/journal/.*\.jsonl.*No space left on device"
        )
        (journal,) = self.store.glob("journal/*.jsonl")
        visits = journal.read_bytes().count(b'\n{"visit":')
        self.assertGreater(visits, 0)
        subprocess.run(["mount", "-o", "remount,size=8m", str(self.store)], check=True)
        self.bench("list", "--filter", "^dot")
        (path,) = self.store.glob("records/*.json")
        self.assertEqual(json.loads(path.read_text())["tare"]["kind"], "duet")
        self.assert_nobody_left()


if __name__ == "__main__":
    unittest.main()
