# Runs the real `bench` as a user would, each test in a store of its own, and reads back what the run left behind.
# TARE_BENCH names the binary, TARE_TEST_PYTHON the interpreter under test. Main thread; times in seconds.
import ctypes
import errno
import json
import mmap
import os
import re
import shutil
import struct
import subprocess
import sys
import tempfile
import unittest
from dataclasses import dataclass, field
from pathlib import Path

HERE = Path(__file__).resolve().parent
ROOT = HERE.parents[1]
BENCH = os.environ.get("TARE_BENCH", str(ROOT / "build" / "release" / "bin" / "bench"))
PYTHON = os.environ.get("TARE_TEST_PYTHON", str(ROOT / ".venv" / "bin" / "python"))
DEBIAN_PYTHON = "/usr/bin/python3"
DEBIAN_PACKAGES = "/usr/lib/python3/dist-packages/"  # of what apt has installed
TOOLS_PYTHON = str(ROOT / ".tools" / "bin" / "python")  # holds jsonschema
SHORT = ("--visit-budget", "0.02")
QUICK = ("--quick", *SHORT)
CLONE_NEWNS = 0x20000  # of <sched.h>: a namespace of mounts
LIMIT_S = 120  # nothing here takes a tenth of it on an idle machine
MARK = "TARE_TEST_MARK"  # in the environment of all that a test starts
ADD = "add[kind=array,dtype=f8,n=8]"  # a case of the shipped suite


def other_pythons():
    """Interpreters beside Debian's that workers are built for: ci/full names those that it finds."""
    return [python for python in os.environ.get("TARE_PYTHONS", "").split(";") if python not in ("", DEBIAN_PYTHON)]


@dataclass
class Outcome:
    """What a finished bench said."""

    code: int
    out: str
    err: str
    folder: Path
    kept: dict = field(default_factory=dict)

    @property
    def record_path(self) -> Path:
        found = re.findall(r"^record: (.+)$", self.err, re.M)
        assert len(found) == 1, f"stderr names {len(found)} records:\n{self.err}"
        return Path(found[0])

    @property
    def record(self) -> dict:
        if not self.kept:
            self.kept = json.loads(self.record_path.read_text())
        return self.kept

    @property
    def context(self) -> dict:
        return self.record["context"]["tare"]

    @property
    def cases(self) -> dict:
        """The estimates of the record, by the case's name."""
        return {case["case"]: case for case in self.record["tare"]["cases"]}

    @property
    def failures(self) -> dict:
        """What failed, with its reason and hint as one text."""
        failed = self.record["tare"]["failed_cases"]
        return {f["case"]: " | ".join((f["error"]["what"], f["error"]["hint"])) for f in failed}

    def rows(self, case: str, rung: str) -> list:
        return [row for row in self.record["benchmarks"] if row["name"] == f"{case}/{rung}"]


def as_if_quiet(record: Path) -> None:
    """Takes out what the record says of neighbours: a busy machine's times are no points of a trend."""
    kept = json.loads(record.read_text())
    for case in kept["tare"]["cases"]:
        case.pop("quiet", None)
    record.write_text(json.dumps(kept))


def can_run_haswell_kernels() -> bool:
    """Whether this CPU has what OpenBLAS's kernels for Haswell take."""
    flags = re.search(r"^flags\s*:(.*)$", Path("/proc/cpuinfo").read_text(), re.M)
    return flags is not None and {"avx2", "fma"} <= set(flags[1].split())


DRIFTS = "as it is repeated"  # of a warning


def said_every_time(words, say) -> bool:
    """Whether each of five texts has the words. Beside neighbours 1.5 % of visits warn of drift for nothing, so 3 % of
    runs of two visits, and all of five runs in 2 of 10^8.
    """
    return all(words in say() for _ in range(5))


needs_haswell_kernels = unittest.skipUnless(
    can_run_haswell_kernels(), "this CPU has no AVX2 and FMA: it cannot run OpenBLAS's Haswell kernels"
)


def refused_counting() -> str:
    """The error with which the kernel refuses to count page faults of our own; empty: it does not."""
    return plain_counter(1, 2)  # PERF_TYPE_SOFTWARE, PERF_COUNT_SW_PAGE_FAULTS


def plain_counter(kind: int, event: int) -> str:
    """The error with which the kernel refuses to count this of our own; empty: it does not."""
    size = 64  # PERF_ATTR_SIZE_VER0
    of_user_space = 1 << 5 | 1 << 6  # without the kernel's and the hypervisor's
    attributes = struct.pack("=IIQQQQQ", kind, size, event, 0, 0, 0, of_user_space).ljust(size, b"\0")
    libc = ctypes.CDLL(None, use_errno=True)
    system_call = {"x86_64": 298, "aarch64": 241}[os.uname().machine]
    descriptor = libc.syscall(system_call, attributes, 0, -1, -1, 0)
    if descriptor < 0:
        return errno.errorcode[ctypes.get_errno()]
    os.close(descriptor)
    return ""


def can_count_cycles() -> bool:
    """Whether the kernel knows a PMU of this CPU: it opens a counter of cycles, or refuses it for another reason."""
    return plain_counter(0, 0) != "ENOENT"  # PERF_TYPE_HARDWARE, PERF_COUNT_HW_CPU_CYCLES


def can_fix_addresses() -> bool:
    """Whether a process may have its addresses fixed: the profile of Docker answers personality(2) with EPERM."""
    fix = "import ctypes, sys; c = ctypes.CDLL(None); sys.exit(c.personality(c.personality(0xFFFFFFFF) | 0x40000) < 0)"
    return subprocess.run([sys.executable, "-c", fix], check=False).returncode == 0


def keeps_pages(folder: Path) -> bool:
    """Whether the file system keeps the pages of a file that the kernel is asked to let go."""
    path, size = folder / "pages", mmap.PAGESIZE
    path.write_bytes(b"x" * size)
    libc = ctypes.CDLL(None, use_errno=True)
    with path.open("r+b") as file:
        os.fsync(file.fileno())
        os.posix_fadvise(file.fileno(), 0, 0, os.POSIX_FADV_DONTNEED)
        with mmap.mmap(file.fileno(), size) as mapped:
            start, states = ctypes.c_char.from_buffer(mapped), (ctypes.c_ubyte * 1)()
            answer = libc.mincore(ctypes.c_void_p(ctypes.addressof(start)), ctypes.c_size_t(size), states)
            del start
    path.unlink()
    return answer != 0 or states[0] & 1 == 1


def absent_cpu() -> int:
    """The number after the last CPU that this process may run on."""
    return max(os.sched_getaffinity(0)) + 1


def numpy_of(python: str) -> str:
    """The file of its NumPy; empty: it has none. Beside Debian's own one may have been installed over it."""
    asked = [python, "-s", "-c", "import numpy; print(numpy.__file__)"]
    return subprocess.run(asked, capture_output=True, text=True, check=False).stdout.strip()


def alive(mark: str) -> list:
    """Command lines of the processes that carry the mark in their environment."""
    found = []
    for process in Path("/proc").iterdir():
        if not process.name.isdigit() or int(process.name) == os.getpid():
            continue
        try:
            environment = (process / "environ").read_bytes().split(b"\0")
            if f"{MARK}={mark}".encode() in environment:
                found.append((process / "cmdline").read_bytes().replace(b"\0", b" ").decode())
        except OSError:
            continue  # it ended meanwhile, or is another user's
    return found


class BenchTest(unittest.TestCase):
    """A cache for all tests of a class, a folder with a store for each."""

    maxDiff = None

    @classmethod
    def setUpClass(cls):
        cls.cache = Path(tempfile.mkdtemp(prefix="tare-cache-"))
        cls.addClassCleanup(shutil.rmtree, cls.cache)

    def setUp(self):
        self.folder = Path(tempfile.mkdtemp(prefix="tare-test-"))
        self.addCleanup(shutil.rmtree, self.folder)
        self.store = self.folder / "store"
        self.mark = self.folder.name

    def environment(self, **changes):
        """Ours without what would steer bench, plus `changes`."""
        kept = {k: v for k, v in os.environ.items() if not k.startswith("TARE_")}
        kept |= {"TARE_PYTHON": PYTHON, "TARE_STORE": str(self.store), "XDG_CACHE_HOME": str(self.cache)}
        return kept | {MARK: self.mark} | changes

    def start(self, *arguments, environment=None, **streams):
        streams = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE, "text": True} | streams
        command = [BENCH, *(str(a) for a in arguments)]
        return subprocess.Popen(command, cwd=self.folder, env=environment or self.environment(), **streams)

    def finish(self, process):
        """Waits for a process that start() made."""
        try:
            out, err = process.communicate(timeout=LIMIT_S)
        except subprocess.TimeoutExpired:
            process.kill()
            raise
        return Outcome(process.returncode, out or "", err or "", self.folder)

    def bench(self, *arguments, code=0, environment=None):
        """Runs bench to its end, which must be the exit status `code`, if one is given."""
        outcome = self.finish(self.start(*arguments, environment=environment))
        if code is not None:
            self.assertEqual(outcome.code, code, f"{arguments}\n{outcome.out[-3000:]}\n{outcome.err[-3000:]}")
        return outcome

    def bench_without(self, system_call, error, *arguments):
        """Runs bench where the kernel answers that system call with this error, as in a container."""
        command = [sys.executable, str(HERE / "without_system_call.py"), system_call, error, BENCH]
        pipes = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE, "text": True}
        command += [str(a) for a in arguments]
        outcome = self.finish(subprocess.Popen(command, cwd=self.folder, env=self.environment(), **pipes))
        if outcome.code == 1 and "no seccomp here" in outcome.err:
            # Skipped because a kernel without seccomp filters cannot refuse a call for us, as the test supposes.
            self.skipTest(outcome.err.strip())
        return outcome

    def suite(self, name="own_suite", **files):
        """A suite folder of the user's own: `file="text"`."""
        folder = self.folder / name
        folder.mkdir(exist_ok=True)
        for file, text in files.items():
            (folder / f"{file}.py").write_text(text)
        return folder

    def small_store(self):
        """Makes the store a tmpfs of 64 KiB, where a few visits fit. Skips where that cannot be done.

        It is mounted for this process and those that it starts: the machine is left as it was, however this ends.
        """
        self.store.mkdir()
        if ctypes.CDLL(None, use_errno=True).unshare(CLONE_NEWNS) != 0:
            self.skipTest(f"cannot mount for this process alone: {os.strerror(ctypes.get_errno())}")
        # In a chroot / is no mount; in one that ci/fresh makes none is shared.
        made = subprocess.run(["mount", "--make-rprivate", "/"], capture_output=True, text=True, check=False)
        if made.returncode != 0 and " shared:" in Path("/proc/self/mountinfo").read_text():
            self.skipTest(f"cannot mount for this process alone: {made.stderr.strip()}")
        command = ["mount", "-t", "tmpfs", "-o", "size=64k", "tmpfs", str(self.store)]
        ran = subprocess.run(command, capture_output=True, text=True, check=False)
        if ran.returncode != 0:
            self.skipTest(f"cannot mount a small tmpfs: {ran.stderr.strip()}")
        self.addCleanup(subprocess.run, ["umount", str(self.store)], check=True)

    def assert_valid(self, *records):
        command = [TOOLS_PYTHON, str(ROOT / "ci" / "validate_record.py"), *(str(r) for r in records)]
        ran = subprocess.run(command, capture_output=True, text=True, check=False)
        self.assertEqual(ran.returncode, 0, ran.stdout + ran.stderr)

    def assert_one_error(self, outcome, *words):
        """stderr is one error of at most three lines that holds all the words, and no traceback of ours."""
        lines = outcome.err.splitlines()
        self.assertEqual([line.startswith("bench: error: ") for line in lines[:1]], [True], outcome.err)
        self.assertLessEqual(len(lines), 3, outcome.err)
        for word in words:
            self.assertIn(word, outcome.err)
        self.assertEqual(outcome.out, "")

    def assert_nobody_left(self):
        self.assertEqual(alive(self.mark), [])
