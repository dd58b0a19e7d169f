# At stake: the worker runs the very build of CPython that its subject runs; another build was 38 % slower at `d[k]`.
import os
import re
import shutil
import socket
import struct
import subprocess
import unittest
from pathlib import Path

from bench_process import BENCH, DEBIAN_PYTHON, PYTHON, QUICK, ROOT, BenchTest

ONE = r"^add\[.*dtype=f8,n=8\]"
WORKERS = Path(BENCH).parent
SCALARS = "from tare import operation\n\n@operation('x + x')\ndef add():\n    return {'x': 1.0}\n"


def build_id(path):
    text = subprocess.run(["readelf", "-n", path], capture_output=True, text=True, check=True).stdout
    return re.search(r"Build ID: ([0-9a-f]+)", text)[1]


def asked(python, expression):
    code = f"import sys, sysconfig, os; print({expression})"
    return subprocess.run([python, "-c", code], capture_output=True, text=True, check=True).stdout.strip()


def embedding_workers():
    return list(WORKERS.glob(f"bench-worker-*{asked(PYTHON, 'sys.implementation.cache_tag')[-3:]}*"))


class Hosts(BenchTest):
    def test_the_executable_host_runs_the_subjects_own_program(self):
        ran = self.bench("run", "--filter", ONE, *QUICK, "--host", "executable")
        worker = ran.context["worker"]
        self.assertEqual((ran.context["host"], worker["host"]), ("executable", "executable"))
        program = os.path.realpath(PYTHON)
        self.assertIn(worker["code_build_id"], (build_id(program), ran.context["subject"]["libpython_build_id"]))
        self.assertEqual(worker["version_text"], asked(PYTHON, "' '.join(sys.version.split())"))
        self.assertIn("(executable)", ran.out)

    def test_the_embedded_host_says_which_libpython_it_runs(self):
        if not embedding_workers():
            self.skipTest("no embedding worker was built: the interpreter has no shared libpython")
        ran = self.bench("run", "--filter", ONE, *QUICK, "--host", "embedded")
        worker, subject = ran.context["worker"], ran.context["subject"]
        self.assertEqual((ran.context["host"], worker["host"]), ("embedded", "embedded"))
        self.assertIn("libpython", worker["code_path"])
        self.assertEqual(worker["code_build_id"], build_id(worker["code_path"]))
        if not subject["libpython_path"]:  # Debian's: linked statically, a libpython lies beside it
            self.assertNotEqual(worker["code_build_id"], subject["executable_build_id"])
            for told in (ran.err, "\n".join(ran.context["warnings"])):
                self.assertIn("runs another build than", told)
                self.assertIn(worker["code_build_id"], told)
        self.assertEqual(ran.context["numpy"]["version"], asked(PYTHON, "__import__('numpy').__version__"))

    def test_the_choice_follows_the_subject(self):
        ran = self.bench("run", "--filter", ONE, *QUICK)
        shared = asked(PYTHON, "'libpython' in open('/proc/self/maps').read()") == "True"
        self.assertEqual(ran.context["host"], "embedded" if shared else "executable")
        self.assertEqual(ran.context["warnings"], [])

    def test_a_subject_without_a_worker_is_told_how_to_build_one(self):
        alone = self.folder / "bin"
        alone.mkdir()
        shutil.copy(BENCH, alone / "bench")
        environment = self.environment(TARE_HOME=str(ROOT))
        ran = subprocess.run(
            [alone / "bench", "run", "--filter", ONE], env=environment, capture_output=True, text=True, check=False
        )
        self.assertEqual(ran.returncode, 2)
        self.assertRegex(
            ran.stderr, r"(?s)no \w+ worker for .*which has none\n +build it, once: bench worker build --python "
        )

    def test_the_subject_finds_the_libstdcxx_that_it_brings(self):
        # An environment may have a newer one than the system: what needs it finds it, unless ours was there first.
        (self.folder / "map").write_text("GLIBCXX_9.9.9 { newer; };\n")
        (self.folder / "newer.c").write_text("int newer(void) { return 42; }\n")
        (self.folder / "user.c").write_text("int newer(void);\nint user(void) { return newer(); }\n")
        library = self.folder / "libstdc++.so.6"
        versioned = [f"-Wl,--version-script={self.folder / 'map'}", "-Wl,-soname,libstdc++.so.6"]
        for source, output, more in (
            ("newer.c", library, versioned),
            ("user.c", self.folder / "libuser.so", [library, f"-Wl,-rpath,{self.folder}"]),
        ):
            subprocess.run(["gcc", "-shared", "-fPIC", "-o", output, self.folder / source, *more], check=True)
        suite = self.folder / "suite"
        suite.mkdir()
        needs_it = f"import ctypes\nassert ctypes.CDLL({str(self.folder / 'libuser.so')!r}).user() == 42\n"
        (suite / "scalars.py").write_text(needs_it + SCALARS)
        plain = self.folder / "plain"  # NumPy would need the real one
        subprocess.run([DEBIAN_PYTHON, "-m", "venv", "--without-pip", plain], check=True)
        for host in ("executable", "embedded") if embedding_workers() else ("executable",):
            ran = self.bench("run", "--suite", suite, "--python", plain, "--host", host, *QUICK)
            self.assertIn("add", ran.out)


class Refusal(unittest.TestCase):
    """A worker asked by hand: hello, with an expectation that it cannot meet."""

    def hello(self, **expected):
        """What the executable host answers to hello, as bytes of MessagePack."""
        module = WORKERS / ("tare_worker" + asked(PYTHON, "sysconfig.get_config_var('EXT_SUFFIX')"))
        ours, theirs = socket.socketpair()
        code = (
            "import sys; from importlib.machinery import ExtensionFileLoader as L\n"
            "from importlib.util import module_from_spec as m, spec_from_file_location as s\n"
            "spec = s('tare_worker', sys.argv[1], loader=L('tare_worker', sys.argv[1]))\n"
            "module = m(spec); spec.loader.exec_module(module); module.main()"
        )
        environment = os.environ | {"TARE_WORKER_FD": str(theirs.fileno()), "TARE_PACKAGE": str(ROOT / "python")}
        environment |= {"TARE_HOST": "executable", "TARE_SUBJECT": PYTHON} | expected
        with (
            ours,
            subprocess.Popen([PYTHON, "-c", code, module], env=environment, pass_fds=[theirs.fileno()]) as worker,
        ):
            theirs.close()
            ours.settimeout(30)
            request = b"\x81\xa2op\xa5hello"  # {"op": "hello"}
            ours.sendall(struct.pack("<I", len(request)) + request)
            (length,) = struct.unpack("<I", ours.recv(4, socket.MSG_WAITALL))
            answer = ours.recv(length, socket.MSG_WAITALL)
            ours.shutdown(socket.SHUT_RDWR)
            self.assertEqual(worker.wait(30), 0)
        return answer

    def test_of_another_version(self):
        answer = self.hello(TARE_EXPECT_VERSION="3.99.1 (main, Jan  1 2030)")
        self.assertIn(b"this worker runs CPython '3.", answer)
        self.assertIn(b"the subject is '3.99.1", answer)
        self.assertIn(b"bench worker build --python", answer)

    def test_of_another_build_of_the_same_version(self):
        version = asked(PYTHON, "sys.version.split()[0]")
        answer = self.hello(TARE_EXPECT_VERSION=version, TARE_EXPECT_BUILD_ID="0123456789abcdef")
        self.assertIn(b"this worker runs the build ", answer)
        self.assertIn(b"the subject is build 0123456789abcdef", answer)
        self.assertIn(b"--host executable", answer)

    def test_is_not_met_by_the_right_build(self):
        answer = self.hello(TARE_EXPECT_VERSION=asked(PYTHON, "sys.version.split()[0]"))
        self.assertNotIn(b"error", answer)
        self.assertIn(b"code_build_id", answer)


if __name__ == "__main__":
    unittest.main()
