# At stake: one np.seterr left behind would change the 700 cases measured after it in the same process.
import gc
import os
import subprocess
import sys
import tempfile
import threading
import unittest

from tare import _session

PACKAGE_DIR = os.path.dirname(os.path.dirname(os.path.abspath(_session.__file__)))


class ChangedState(unittest.TestCase):
    def changes_of(self, change, restore):
        before = _session.snapshot()
        self.assertEqual(_session.changes(before), [])
        change()
        try:
            return _session.changes(before)
        finally:
            restore()

    def test_names_what_changed_and_how(self):
        gc.enable()  # loading a catalogue turns it off
        found = self.changes_of(lambda: os.environ.update(TARE_T="1"), lambda: os.environ.pop("TARE_T"))
        self.assertEqual(found, ["os.environ changed: TARE_T unset -> 1"])
        found = self.changes_of(gc.disable, gc.enable)
        self.assertEqual(found, ["gc.isenabled() changed: True -> False"])
        limit = sys.getrecursionlimit()
        found = self.changes_of(lambda: sys.setrecursionlimit(limit + 1), lambda: sys.setrecursionlimit(limit))
        self.assertEqual(found, [f"recursion limit changed: {limit} -> {limit + 1}"])

    def test_sees_the_folder_the_streams_and_the_hooks(self):
        here = os.getcwd()
        with tempfile.TemporaryDirectory() as folder:
            self.assertIn("cwd changed", self.changes_of(lambda: os.chdir(folder), lambda: os.chdir(here))[0])
        stream = sys.stdout
        with open(os.devnull, "w", encoding="utf-8") as sink:
            found = self.changes_of(lambda: setattr(sys, "stdout", sink), lambda: setattr(sys, "stdout", stream))
        self.assertIn("sys.stdout changed", found[0])
        profile = sys.getprofile()
        found = self.changes_of(lambda: sys.setprofile(lambda *_: None), lambda: sys.setprofile(profile))
        self.assertIn("sys.setprofile changed: unset -> ", found[0])

    def test_sees_what_would_disturb_the_cases_after_it(self):
        allowed = os.sched_getaffinity(0)
        if len(allowed) > 1:
            found = self.changes_of(
                lambda: os.sched_setaffinity(0, {min(allowed)}), lambda: os.sched_setaffinity(0, allowed)
            )
            self.assertIn("CPU affinity changed: ", found[0])
        stop = threading.Event()
        thread = threading.Thread(target=stop.wait)
        found = self.changes_of(thread.start, lambda: (stop.set(), thread.join()))
        self.assertEqual(found, ["Python threads changed: 1 -> 2"])
        if not os.path.exists("/proc/thread-self/children"):
            self.skipTest("this kernel does not list the children of a process: CONFIG_PROC_CHILDREN")
        children = []
        found = self.changes_of(
            lambda: children.append(subprocess.Popen(["sleep", "100"])),
            lambda: (children[0].kill(), children[0].wait()),
        )
        self.assertEqual(found, ["child processes changed: 0 -> 1"])

    def test_sees_numpy_error_state(self):
        try:
            import numpy as np
        except ImportError:
            self.skipTest("no NumPy in this interpreter")
        old = np.geterr()
        found = self.changes_of(lambda: np.seterr(divide="ignore"), lambda: np.seterr(**old))
        self.assertEqual(found, [f"np.seterr changed: divide {old['divide']} -> ignore"])


class Facts(unittest.TestCase):
    def test_say_what_runs(self):
        facts = _session.facts()
        self.assertEqual(facts["python"]["version"], sys.version)
        self.assertEqual(facts["python"]["executable"], sys.executable)
        if facts["numpy"] is not None:
            self.assertTrue(os.path.isfile(facts["numpy"]["multiarray_umath"]))
            self.assertTrue(facts["numpy"]["simd_baseline"])

    def test_do_without_numpy_and_give_the_reason(self):
        script = (
            "import sys; sys.modules['numpy'] = None; from tare import _session as s; f = s.facts();"
            "assert f['numpy'] is None and 'ModuleNotFoundError' in f['numpy_error'], f;"
            "s.load([], {'statement': 'x + 1', 'setup': 'x = 1'}); s.prepare('x + 1', 1, 2).batch(3); s.release();"
            "r = s.load([], {'statement': 'np.add(1, 1)'}); assert not r['problems'], r"
        )
        environment = {**os.environ, "PYTHONPATH": PACKAGE_DIR}
        done = subprocess.run(
            [sys.executable, "-c", script], env=environment, check=False, capture_output=True, text=True
        )
        self.assertEqual((done.returncode, done.stderr), (0, ""))

    def test_tell_the_hash_seed_where_it_was_given(self):
        script = "from tare.facts import facts; print(facts()['python']['hash_seed'])"
        for seed in ("0", "17"):
            environment = {**os.environ, "PYTHONPATH": PACKAGE_DIR, "PYTHONHASHSEED": seed}
            done = subprocess.run(
                [sys.executable, "-c", script], env=environment, check=True, capture_output=True, text=True
            )
            self.assertEqual(done.stdout.strip(), seed)


if __name__ == "__main__":
    unittest.main()
