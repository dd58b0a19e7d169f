# At stake: of a Numba program 60 % of the time is code without a file; it must have names and whole stacks. CPython's
# perf trampolines are such code, too: one for each Python function.
import json
import os
import subprocess
import sys
import unittest

from bench_process import BENCH, HERE, BenchTest, other_pythons

NUMBA = os.environ.get("TARE_NUMBA_PYTHON", "")
COMPILED = """
import time
import numba

@numba.njit
def tare_inner(a, n):
    total = 0.0
    for i in range(n):
        total += (a * i) % 7.3
    return total

@numba.njit
def tare_outer(n):
    s = 0.0
    for k in range(50):
        s += tare_inner(1.5 + k, n)
    return s

def drive():
    end = time.thread_time() + 0.7
    while time.thread_time() < end:
        tare_outer(20000)

tare_outer(10)
drive()
"""
TRAMPOLINES = """
import time
def spins(seconds):
    end = time.thread_time() + seconds
    while time.thread_time() < end:
        sum(range(1000))
spins(0.5)
"""


def interpreters_with_trampolines():
    """CPython 3.12 or newer that is built with them."""
    found = []
    for python in other_pythons():
        probe = "import sys; sys.exit(not (sys.version_info >= (3, 12) and sys.is_stack_trampoline_active()))"
        try:
            ran = subprocess.run([python, "-X", "perf", "-c", probe], capture_output=True, check=False)
        except OSError:
            continue
        if ran.returncode == 0:
            found.append(python)
    return found


class ProfileTest(BenchTest):
    def profiled(self, python, text, *options, code=0):
        script = self.folder / "program.py"
        script.write_text(text)
        (self.folder / "profile.json").unlink(missing_ok=True)
        ran = self.bench("profile", "--python", python, "--out", "profile.json", *options, script, code=code)
        path = self.folder / "profile.json"
        return json.loads(path.read_text()) if path.exists() else None, ran

    def named(self, profile, ending):
        found = [f for f in profile["functions"] if f["name"].endswith(ending) and "cpython" not in f["name"]]
        return [f for f in found if f["kind"] == "native"]


@unittest.skipUnless(NUMBA, "TARE_NUMBA_PYTHON names no interpreter: ci/full sets it")
class Compiled(ProfileTest):
    def test_functions_have_their_python_names_and_their_callers(self):
        profile, _ = self.profiled(NUMBA, COMPILED)
        (inner,) = self.named(profile, "::tare_inner")
        (outer,) = self.named(profile, "::tare_outer")
        self.assertEqual(inner["source"], "jit")
        samples = inner["inclusive"]["samples"]
        self.assertGreater(samples, 300)
        self.assertGreater(outer["inclusive"]["samples"], 0.97 * samples, "tare_inner's caller")
        (dispatcher,) = (f for f in profile["functions"] if f["name"] == "Dispatcher_call")
        self.assertGreater(dispatcher["inclusive"]["samples"], 0.97 * samples, "the caller of both")
        (drive,) = (f for f in profile["functions"] if f["kind"] == "python" and f["name"] == "drive")
        self.assertGreater(drive["inclusive"]["samples"], 0.97 * samples)
        quality = profile["quality"]
        self.assertEqual(quality["unmatched_boundaries"], 0, quality)
        self.assertLess(quality["truncated"], 0.01 * profile["total"]["samples"], quality)
        nameless = [f for f in profile["functions"] if f["name"].startswith("[compiled]+")]
        self.assertLess(sum(f["self"]["samples"] for f in nameless), 0.02 * samples, nameless)

    def test_are_said_to_be_nameless_where_the_program_s_memory_may_not_be_read(self):
        (self.folder / "program.py").write_text(COMPILED)
        refused = [sys.executable, str(HERE / "without_system_call.py"), "process_vm_readv", "EPERM"]
        command = [*refused, BENCH, "profile", "--python", NUMBA, "program.py"]
        ran = subprocess.run(command, capture_output=True, text=True, cwd=self.folder, env=self.environment())
        self.assertEqual(ran.returncode, 0, ran.stderr)
        self.assertIn("no names of compiled code", ran.stdout + ran.stderr)
        self.assertNotIn("tare_inner", ran.stdout)


@unittest.skipUnless(NUMBA, "TARE_NUMBA_PYTHON names no interpreter: ci/full sets it")
class CompiledCase(ProfileTest):
    SETUP = (
        "import numba\n@numba.njit\ndef tare_case(n):\n    total = 0.0\n    for i in range(n):\n"
        "        total = total * 0.999 + i\n    return total\ntare_case(10)\n"
    )

    def assert_named(self, told, text):
        tables = told["profile_tables"]
        (profile,) = told["profiles"]
        functions = [(tables["functions"][index]["name"], n) for index, n, _ in profile["functions"]]
        named = sum(n for name, n in functions if "tare_case" in name and not name.startswith("[compiled]"))
        nameless = sum(n for name, n in functions if name.startswith("[compiled]+"))
        self.assertGreater(named, 0.5 * profile["samples"], functions)
        self.assertLess(nameless, 0.02 * profile["samples"], functions)
        self.assertLess(profile["stacks"]["truncated"], 0.02 * profile["samples"], profile["stacks"])
        self.assertIn("tare_case", text)

    def test_functions_have_their_python_names_in_run_and_explain(self):
        case = ("-e", "tare_case(2000)", "--setup", self.SETUP, "--python", NUMBA)
        ran = self.bench("run", "--quick", "--profile", *case)
        self.assert_named(ran.record["tare"], ran.out)
        ran = self.bench("explain", "--rounds", 1, "--layouts", 2, *case)
        self.assertIn("tare_case", ran.out[ran.out.index("sampled time") :])
        self.assertNotIn("[compiled]+", ran.out[ran.out.index("sampled time") :])


class Trampolines(ProfileTest):
    def test_are_called_by_the_functions_that_they_run(self):
        tried = []
        for python in interpreters_with_trampolines():
            profile, ran = self.profiled(python, TRAMPOLINES, code=None)
            if ran.code != 0:
                tried.append(f"{python}: {ran.err.strip().splitlines()[0]}")
                continue
            environment = self.environment(PYTHONPERFSUPPORT="1")
            script = self.folder / "program.py"
            self.bench("profile", "--python", python, "--out", "t.json", script, environment=environment)
            with_them = json.loads((self.folder / "t.json").read_text())
            with self.subTest(python):
                self.assertEqual([f for f in profile["functions"] if f["name"].startswith("py::")], [])
                named = {f["name"]: f for f in with_them["functions"] if f["name"].startswith("py::")}
                (spins,) = (f for name, f in named.items() if name.startswith("py::spins:"))
                (seen,) = (f for f in with_them["functions"] if f["kind"] == "python" and f["name"] == "spins")
                self.assertGreater(spins["inclusive"]["samples"], 0.9 * seen["inclusive"]["samples"])
                self.assertEqual(with_them["quality"]["unmatched_boundaries"], 0, with_them["quality"])
            tried.append(f"{python}: sampled")
        if not [each for each in tried if each.endswith("sampled")]:
            self.skipTest(f"no CPython with perf trampolines for which bench was built: {tried}")
        print("\n" + "\n".join(tried))


if __name__ == "__main__":
    unittest.main()
