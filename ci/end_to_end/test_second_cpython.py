# At stake: a second CPython with a shared libpython is measured by its own code: version and build-id of every record.
import subprocess
import unittest
from pathlib import Path

from bench_process import BENCH, PYTHON, QUICK, BenchTest, other_pythons
from duet_process import DuetTest
from test_hosts import SCALARS, asked, build_id

WORKERS = Path(BENCH).parent


def second_cpythons(test):
    """Those of another version than the subject's that map a libpython and have a worker here."""
    found = []
    own = asked(PYTHON, "sys.version_info[:3]")
    for python in other_pythons():
        try:
            shared = asked(python, "'libpython' in open('/proc/self/maps').read()") == "True"
            other = asked(python, "sys.version_info[:3]") != own
            abi = asked(python, "sysconfig.get_config_var('EXT_SUFFIX')").strip(".").rpartition(".")[0]
        except (OSError, subprocess.CalledProcessError):
            continue
        if shared and other and (WORKERS / f"bench-worker-{abi}").exists():
            found.append(python)
    if not found:
        # ci/test builds a worker for Debian's CPython alone; ci/full's tier of environments builds more, and runs this.
        test.skipTest("TARE_PYTHONS names no second CPython with a shared libpython and a worker; ci/full names some")
    return found


class SecondCPython(BenchTest):
    def test_is_measured_by_its_own_libpython(self):
        pythons = second_cpythons(self)
        suite = self.suite(own="# no package needed\n" + SCALARS)
        for python in pythons:
            with self.subTest(str(python)):
                ran = self.bench("run", "--python", python, "--suite", suite, *QUICK)
                worker, subject = ran.context["worker"], ran.context["subject"]
                self.assertEqual((ran.context["host"], worker["host"]), ("embedded", "embedded"))
                self.assertEqual(worker["version_text"], asked(python, "' '.join(sys.version.split())"))
                self.assertEqual(worker["code_build_id"], build_id(subject["libpython_path"]))
                self.assertEqual(worker["code_path"], str(Path(subject["libpython_path"]).resolve()))
                self.assertGreater(ran.cases["add"]["gross_ns"], 0)
                self.assertEqual(ran.context["warnings"], [])
                self.assert_valid(ran.record_path)

    def test_runs_in_its_own_executable_where_asked(self):
        pythons = second_cpythons(self)
        suite = self.suite(own="# no package needed\n" + SCALARS)
        ran = self.bench("run", "--python", pythons[0], "--suite", suite, *QUICK, "--host", "executable")
        self.assertEqual(ran.context["worker"]["host"], "executable")
        self.assertIn("libpython", ran.context["worker"]["code_path"])


class TwoCPythons(DuetTest):
    def test_are_allowed_in_a_duet_and_named(self):
        python = second_cpythons(self)[0]
        ran = self.bench("duet", "--a", PYTHON, "--b", python, "--suite", self.work_suite(), "--budget", 3)
        versions = {side["subject"]["version"] for side in ran.record["tare"]["sides"].values()}
        self.assertEqual(len(versions), 2)
        for version in versions:
            self.assertIn(version, ran.out)


if __name__ == "__main__":
    unittest.main()
