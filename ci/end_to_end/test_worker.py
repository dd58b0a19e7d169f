# At stake: an interpreter that was not thought of. It takes one command, a compiler and a minute, and until then it is
# refused; one that was built for another bench is never run.
import os
import shutil
import subprocess
import sys
import unittest
from pathlib import Path

from bench_process import BENCH, QUICK, ROOT, BenchTest

STATEMENT = ("-e", "x + x", "--setup", "x = 1.5")
WORKERS = Path(BENCH).parent

# Stands for CMake: the workers that there are, in place of a minute's work.
FAKE = """#!{python}
import os, shutil, sys
from pathlib import Path
if "--version" in sys.argv:
    print("cmake version", os.environ.get("CMAKE_IS", "3.25.1"))
elif "--build" in sys.argv:
    if os.environ.get("BREAK"):
        sys.exit("x.cpp:1:1: error: 'concept' does not name a type")
    made = Path(sys.argv[sys.argv.index("--build") + 1], "bin")
    made.mkdir(parents=True)
    for file in Path("{workers}").iterdir():
        if file.name.startswith(("bench-worker-", "tare_worker.", "libtare_profile.")):
            shutil.copy(file, made)
else:
    print(" ".join(sys.argv[1:]))
"""


class Worker(BenchTest):
    def setUp(self):
        super().setUp()
        self.alone = self.folder / "alone"
        self.alone.mkdir()
        shutil.copy(BENCH, self.alone / "bench")
        self.tools = self.folder / "tools"
        self.tools.mkdir()

    def fake_cmake(self):
        cmake = self.tools / "cmake"
        cmake.write_text(FAKE.format(python=sys.executable, workers=WORKERS))
        cmake.chmod(0o755)

    def said(self, *arguments, code=0, **variables):
        environment = self.environment(TARE_HOME=str(ROOT), XDG_CACHE_HOME=str(self.folder / "cache"), **variables)
        environment["PATH"] = str(self.tools) + os.pathsep + "/usr/sbin"
        ran = subprocess.run(
            [self.alone / "bench", *arguments], env=environment, capture_output=True, text=True, check=False
        )
        self.assertEqual(ran.returncode, code, ran.stderr)
        return ran

    def test_builds_what_it_then_measures_with(self):
        self.fake_cmake()
        self.assertEqual(self.said("worker", "list").stdout, "")
        another = self.folder / "cache" / "tare" / "workers" / "0123456789abcdef"  # build of bench
        another.mkdir(parents=True)
        for file in WORKERS.glob("*worker*"):
            shutil.copy(file, another)
        refused = self.said("run", *STATEMENT, *QUICK, code=2)
        self.assertIn("bench worker build --python", refused.stderr)
        built = self.said("worker", "build")
        self.assertRegex(built.stdout, r"^built in \d+ s, and it answers: .*/workers/[0-9a-f]{16}/")
        self.assertIn("x + x", self.said("run", *STATEMENT, *QUICK).stdout)
        self.assertIn(str(Path(built.stdout.split()[-1])), self.said("worker", "list").stdout)
        again = self.said("worker", "build")
        self.assertIn("there is one", again.stdout)

    def test_what_cannot_be_built_says_why(self):
        without = self.said("worker", "build", code=2)
        self.assertIn("no cmake in the search path", without.stderr)
        self.assertIn("-m pip install cmake ninja", without.stderr)
        self.fake_cmake()
        broken = self.said("worker", "build", code=2, BREAK="1")
        self.assertIn("x.cpp:1:1: error: 'concept' does not name a type", broken.stderr)
        log = Path(broken.stderr.split("all of its output: ")[1].split(")")[0])
        self.assertIn("-DTARE_WORKERS_ONLY=ON", log.read_text())
        self.assertEqual(self.said("worker", "list").stdout, "")
        old = self.said("worker", "build", code=2, CMAKE_IS="3.22.1")
        self.assertIn("cmake is 3.22, which is too old", old.stderr)
        self.assertIn(
            ", and it answers: ", self.said("worker", "build").stdout, "what failed before is in no one's way"
        )


if __name__ == "__main__":
    unittest.main()
