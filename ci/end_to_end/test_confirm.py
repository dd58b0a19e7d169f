# At stake: what a duet may decide. A series of another interpreter is left alone, one of a suite of the user's own is
# measured with that suite and its threads, and Ctrl-C keeps what is known.
import hashlib
import json
import os
import signal
import sys
import unittest

from bench_process import DEBIAN_PYTHON, ROOT, BenchTest

sys.path.insert(0, str(ROOT / "ci" / "history"))
from make_store import Plan, Step, make_store  # noqa: E402

STEPPED = "add[kind=array,dtype=f8,n=1]"
VERSIONS = ("2.0.0", "2.1.0")
LATER = hashlib.sha1(VERSIONS[1].encode()).hexdigest()  # the commit that make_store gives the later one
SUITE = """from changing import f
from tare import operation

@operation('f()')
def own():
    return {'f': f}
"""
BUILD = (
    DEBIAN_PYTHON + " -m venv --without-pip {prefix} && cd {prefix}/lib/python3*/site-packages && work=10 && "
    "if [ {commit} = " + LATER + " ]; then work=60; fi && "
    'printf "def f():\\n for _ in range($work): pass\\n" > changing.py'
)


BUILD_OF = ("abi", "version", "executable_build_id", "libpython_build_id")


class Confirm(BenchTest):
    def changed_store(self, replaced=()):
        """A step of +30 % between two releases, on this machine and with Debian's Python; pairs of texts `replaced`."""
        given = ("-e", "abs(1)", "--quick", "--python", DEBIAN_PYTHON, "--store", self.folder / "other")
        here = self.bench("run", *given).context
        plan = Plan(30, 1, (Step(STEPPED, 15, 1.3),), VERSIONS, fingerprint=here["fingerprint"])
        for path in make_store(self.store, plan):
            text = path.read_text()
            for old, new in replaced:
                text = text.replace(old, new)
            made = json.loads(text)
            subject = made["context"]["tare"]["subject"]
            made["context"]["tare"] |= {k: v for k, v in here.items() if k not in ("date", "subject", "numpy")}
            subject |= {k: v for k, v in here["subject"].items() if k in BUILD_OF}
            path.write_text(json.dumps(made, separators=(",", ":")))
        return here["subject"]["version"]

    def change_of(self, ran):
        (series,) = json.loads(ran.out)["series"]
        (change,) = series["changes"]
        return change

    def confirm(self, *arguments, **keywords):
        given = ("--confirm", "--by", "date", "--python", DEBIAN_PYTHON, "--format", "json", *arguments)
        return self.bench("trend", *given, **keywords)

    def test_leaves_a_series_of_another_interpreter_alone(self):
        version = self.changed_store()
        for path in (self.store / "records").glob("*.json"):
            path.write_text(path.read_text().replace(f'"version":"{version}"', '"version":"3.12.9"'))
        ran = self.confirm()
        change = self.change_of(ran)
        self.assertEqual(change["standing"], "not tried")
        self.assertEqual(change["confirmation"], f"measured with CPython 3.12.9, --python is CPython {version}")
        self.assertNotIn("making an environment", ran.err)

    def commits_of_one_version(self):
        """The two releases become two commits of one, and the case one of an own suite, measured with two threads."""
        one_version = ('ersion":"2.1.0"', 'ersion":"2.0.0"')
        two_threads = ('"threads":1,"unroll"', '"threads":2,"unroll"')
        self.changed_store((one_version, two_threads, (STEPPED, "own")))

    @unittest.skipIf(len(os.sched_getaffinity(0)) < 2, "two threads take two CPUs")
    def test_measures_an_own_suite_with_the_threads_of_its_series(self):
        self.commits_of_one_version()
        own = self.suite(cases=SUITE)
        ran = self.confirm("--build", BUILD, "--suite", own)
        self.assertEqual(self.change_of(ran)["standing"], "confirmed", ran.err)
        (duet,) = (path for path in (self.store / "records").glob("*.json") if not path.name.startswith("2024"))
        self.assertEqual(json.loads(duet.read_text())["tare"]["settings"]["threads"], 2)

    def test_an_interrupt_shows_what_is_known(self):
        self.commits_of_one_version()
        given = ("--confirm", "--by", "date", "--python", DEBIAN_PYTHON, "--build", "exec sleep 60")
        process = self.start("trend", *given)
        for line in process.stderr:
            if "making an environment" in line:
                break
        process.send_signal(signal.SIGINT)
        ran = self.finish(process)
        self.assertEqual(ran.code, 130, ran.err)
        self.assertIn("proposed", ran.out)
        self.assertIn("interrupted", ran.out)
        self.assertNotIn("error", ran.err)
        self.assert_nobody_left()


if __name__ == "__main__":
    unittest.main()
