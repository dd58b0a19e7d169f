"""At stake: a table of 0 failures that nobody can trust: a variable that was not set, a failure that was not seen, a
run that was counted and never made.
"""

import os
import re
import stat
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

import made_environment
import soak

JUNIT = """<testsuite><testcase name="A.passes" status="run"><system-out>fine</system-out></testcase>
<testcase name="B/C.fails" status="fail"><system-out>2 is not 3</system-out></testcase>
<testcase name="D.skips" status="notrun"/></testsuite>"""


class Surroundings(unittest.TestCase):
    def test_those_of_the_list_are_read(self) -> None:
        known = soak.read_surroundings(soak.LIST.read_text())
        self.assertEqual(known["idle"], soak.Surroundings("idle"))
        self.assertEqual(known["busy"].beside, ["compute", "compute"])
        self.assertEqual(known["one_cpu"].run, ["taskset", "-c", "0"])
        self.assertEqual(known["private_files"].umask, 0o77)
        self.assertEqual(known["haswell"].changes["OPENBLAS_CORETYPE"], "Haswell")
        self.assertEqual(known["haswell"].needs, ["avx2"])
        self.assertIsNone(known["no_blas_core"].changes["OPENBLAS_CORETYPE"])

    def test_a_word_that_means_nothing_is_named(self) -> None:
        for word in ("besides:compute", "beside:sleep", "word", "-", "=value"):
            with self.assertRaisesRegex(ValueError, word):
                soak.read_surroundings(f"name {word} # why")

    def test_a_variable_is_taken_away_and_another_set(self) -> None:
        os.environ["TARE_TEST_SOAK"] = "inherited"
        self.addCleanup(os.environ.pop, "TARE_TEST_SOAK")
        self.assertNotIn("TARE_TEST_SOAK", soak.Surroundings("x", {"TARE_TEST_SOAK": None}).environment())
        self.assertEqual(soak.Surroundings("x", {"TARE_TEST_SOAK": "b"}).environment()["TARE_TEST_SOAK"], "b")

    def test_a_mix_is_the_same_for_the_same_seed_and_one_that_the_cpu_has(self) -> None:
        known = soak.read_surroundings("\n".join(f"s{i} V{i}=1 needs:f{i % 2}" for i in range(12)))
        mixes = [soak.mixed(known, {"f0"}, f"1 {i}") for i in range(20)]
        self.assertEqual(mixes[3], soak.mixed(known, {"f0"}, "1 3"))
        self.assertGreater(len({mix.name for mix in mixes}), 5)
        for mix in mixes:
            self.assertEqual(len(mix.changes), soak.MIXED)
            self.assertTrue({"V1", "V3", "V5", "V7", "V9", "V11"}.isdisjoint(mix.changes))


class MadeEnvironment(unittest.TestCase):
    def test_keeps_what_says_where_to_look_and_nothing_that_steers(self) -> None:
        inherited = {"TARE_BENCH": "b", "PIP_INDEX_URL": "i", "TMPDIR": "/t", "TARE_STORE": "s", "PIP_USER": "1"}
        inherited |= {
            "OPENBLAS_CORETYPE": "Haswell",
            "LC_ALL": "C",
            "GIT_DIR": "g",
            "LD_PRELOAD": "l",
            "HOME": "theirs",
        }
        made = made_environment.made_environment(inherited, "/home")
        self.assertEqual(
            made, made_environment.MADE | {"TARE_BENCH": "b", "PIP_INDEX_URL": "i", "TMPDIR": "/t", "HOME": "/home"}
        )
        made = made_environment.made_environment(inherited | {"ASAN_OPTIONS": "x"}, "/home")
        self.assertEqual((made["ASAN_OPTIONS"], made["LD_PRELOAD"]), ("x", "l"), "a sanitizer's runtime comes along")

    def test_keeps_what_tests_read(self) -> None:
        """A name that is forgotten there leaves a test green that tests one interpreter of six."""
        tests = Path(__file__).resolve().parents[1] / "end_to_end"
        read = re.compile(r'environ(?:\.get\(|\[)"(TARE_\w+)"')
        names = {name for file in tests.glob("*.py") for name in read.findall(file.read_text())}
        self.assertIn("TARE_GENERATOR_PYTHONS", names)
        self.assertEqual({name for name in names if not made_environment.KEPT.fullmatch(name)}, set())


class Runs(unittest.TestCase):
    def setUp(self) -> None:
        made = tempfile.TemporaryDirectory()
        self.addCleanup(made.cleanup)
        self.folder = Path(made.name)

    def program(self, text: str) -> str:
        """A stand-in for ci/test."""
        path = self.folder / "program"
        path.write_text(f"#!{sys.executable}\nimport os, sys\n{text}")
        path.chmod(path.stat().st_mode | stat.S_IXUSR)
        return str(path)

    def test_a_failure_is_found_with_what_the_test_said(self) -> None:
        program = self.program(f"open(sys.argv[3], 'w').write({JUNIT!r})\nsys.exit(8)")
        failed = soak.run_tests(soak.Surroundings("x"), [], self.folder / "run", program)
        self.assertEqual(list(failed), ["B/C.fails"])
        self.assertEqual(Path(failed["B/C.fails"]).read_text(), "2 is not 3")

    def test_what_ends_before_any_test_is_a_failure(self) -> None:
        failed = soak.run_tests(
            soak.Surroundings("x"), [], self.folder / "run", self.program("sys.exit('no compiler')")
        )
        self.assertEqual(list(failed), ["ci/test itself (exit 1)"])
        self.assertEqual(Path(failed["ci/test itself (exit 1)"]).read_text(), "no compiler\n")

    def test_the_program_runs_in_its_surroundings(self) -> None:
        surroundings = soak.Surroundings("x")
        for word in ("V=7", "run:taskset", "run:-c", f"run:{min(os.sched_getaffinity(0))}", "umask:077"):
            surroundings.add(word)
        program = self.program("print(os.environ['V'], len(os.sched_getaffinity(0)), os.umask(0), sys.argv[4:])")
        soak.run_tests(surroundings, ["--tests-regex", "A"], self.folder / "run", program)
        self.assertEqual((self.folder / "run" / "ctest.log").read_text(), "7 1 63 ['--tests-regex', 'A']\n")

    def test_it_can_be_ended_where_ctrl_c_is_ignored(self) -> None:
        script = (
            "import os, pathlib, signal, threading, soak\n"
            "signal.signal(signal.SIGINT, signal.SIG_IGN)\n"
            "signal.signal(signal.SIGTERM, soak.interrupt)\n"
            "threading.Timer(0.2, os.kill, (os.getpid(), signal.SIGTERM)).start()\n"
            "try:\n"
            "    soak.run_command(['sleep', '60'], soak.Surroundings('idle'), pathlib.Path(os.devnull))\n"
            "except KeyboardInterrupt:\n"
            "    print('ended')\n"
        )
        folder = Path(soak.__file__).parent
        done = subprocess.run(
            [sys.executable, "-B", "-c", script], cwd=folder, capture_output=True, text=True, timeout=30
        )
        self.assertEqual(done.stdout, "ended\n", done.stderr)

    def test_lines_of_earlier_runs_are_read_but_not_half_a_line(self) -> None:
        path = self.folder / "runs.jsonl"
        self.assertEqual(soak.read_runs(path), [])
        path.write_text('{"run": 1}\n{"run": ')
        self.assertEqual(soak.read_runs(path), [{"run": 1}])

    def test_the_table_counts_failures_of_runs(self) -> None:
        runs = [
            {"surroundings": "busy", "what": "busy", "run": i, "failed": {"A.b": f"log{i}"} if i else {}}
            for i in range(3)
        ]
        lines = soak.table(runs, ["idle", "busy"])
        self.assertEqual(lines[0].split(), ["idle", "0", "runs,", "0", "failures"])
        self.assertEqual(lines[1].split(), ["busy", "3", "runs,", "2", "failures"])
        self.assertEqual(lines[2], "A.b: busy 2 of 3")
        self.assertEqual(lines[3:], ["log1  A.b, busy", "log2  A.b, busy"])


if __name__ == "__main__":
    unittest.main()
