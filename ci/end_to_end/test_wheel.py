# At stake: what people get from pip: one file that measures on a machine without compiler, sources or our libraries.
import os
import re
import subprocess
import tarfile
import unittest
import zipfile
from pathlib import Path

from bench_process import DEBIAN_PYTHON, PYTHON, ROOT, SHORT, BenchTest


class Wheel(BenchTest):
    def test_brings_all_that_it_needs_and_runs_from_an_environment_of_its_own(self):
        made = subprocess.run(
            [ROOT / "ci" / "wheel", self.folder / "made"], capture_output=True, text=True, check=False
        )
        self.assertEqual(made.returncode, 0, made.stderr)
        (wheel,) = (self.folder / "made").iterdir()
        self.assertRegex(wheel.name, r"^tare_bench-[0-9.]+-py3-none-manylinux_\d+_\d+_x86_64\.whl$")
        names = zipfile.ZipFile(wheel).namelist()
        libraries = [name for name in names if name.startswith("tare_bench.libs/") and ".so" in name]
        licences = [name for name in names if name.startswith("tare/_home/licences/") and name.endswith(".txt")]
        self.assertTrue(any("libdw" in name for name in libraries), libraries)
        compiled_in = ("libfmt-dev", "libmsgpack-cxx-dev", "libexpected-dev", "pybind11", "plotly")
        self.assertFalse([name for name in compiled_in if f"tare/_home/licences/{name}.txt" not in licences])
        shared = [re.sub(r"-[0-9a-f]{8}\.", ".", Path(name).name) for name in libraries]
        self.assertFalse([name for name in shared if f"tare/_home/licences/{name}.txt" not in licences], licences)
        self.assertFalse([name for name in names if "libpython" in name or name.endswith("_test")])

        environment = self.folder / "environment"
        subprocess.run([DEBIAN_PYTHON, "-m", "venv", environment], check=True, capture_output=True)
        pip = [environment / "bin" / "pip", "install", "--no-deps", "--no-index", wheel]
        subprocess.run(pip, check=True, capture_output=True)
        for command in ([environment / "bin" / "bench"], [environment / "bin" / "python", "-m", "tare"]):
            version = subprocess.run([*command, "--version"], check=True, capture_output=True, text=True).stdout
            self.assertRegex(version, r"^bench [0-9.]+ \([0-9a-f]{7,}(-dirty)?\)\n$")
        run = [environment / "bin" / "bench", "run", "-e", "x + x", "--setup", "x = 1.5", "--quick", *SHORT]
        ran = subprocess.run(
            run, env=self.environment(TARE_PYTHON=PYTHON), cwd=self.folder, capture_output=True, text=True, check=False
        )
        self.assertEqual(ran.returncode, 0, ran.stderr)
        self.assertTrue(re.search(r"x \+ x +[0-9.]+ ns", ran.stdout), ran.stdout)
        # For an interpreter that it has no worker for, it has what builds one, without our libraries' headers.
        build = [environment / "bin" / "bench", "worker", "build", "--anew", "--python", DEBIAN_PYTHON]
        built = subprocess.run(build, env=self.environment(), capture_output=True, text=True, check=False)
        self.assertEqual(built.returncode, 0, built.stderr)
        self.assertIn(", and it answers: ", built.stdout)
        code = (
            "import tare; print(tare.run('x + x', values={'x': 1.5}, quick=True, visit_budget=0.02).rows[0].gross_ns)"
        )
        from_python = [environment / "bin" / "python", "-c", code]
        said = subprocess.run(from_python, env=self.environment(), check=True, capture_output=True, text=True).stdout
        self.assertGreater(float(said), 0)
        points = (
            zipfile.ZipFile(wheel).read(next(name for name in names if name.endswith("/entry_points.txt"))).decode()
        )
        self.assertIn("[pytest11]\ntare.pytest_plugin = tare.pytest_plugin", points)

    def test_the_source_distribution_holds_what_builds_and_its_revision(self):
        tools = ROOT / ".cache" / "wheel" / "tools" / "bin"
        if not (tools / "python").exists():
            # it takes the tools that ci/wheel installs for itself: making them here would be ci/wheel written twice
            self.skipTest(f"{tools} has no python: the other test, or ci/wheel, makes it")
        copy = self.folder / "copy"
        subprocess.run(["git", "clone", "-q", str(ROOT), str(copy)], check=True)
        build = [tools / "python", "-m", "build", "--sdist", "--no-isolation", "--outdir", self.folder / "sdist", copy]
        subprocess.run(
            build, check=True, capture_output=True, env={**os.environ, "PATH": f"{tools}:{os.environ['PATH']}"}
        )
        (made,) = (self.folder / "sdist").iterdir()
        with tarfile.open(made) as archive:
            names = {name.partition("/")[2]: name for name in archive.getnames()}
            revision = archive.extractfile(names["REVISION"]).read().decode().strip()
        head = subprocess.run(["git", "rev-parse", "HEAD"], cwd=copy, check=True, capture_output=True, text=True).stdout
        self.assertTrue(head.startswith(revision) and len(revision) >= 7, revision)
        for name in ("CMakeLists.txt", "harness/cli/main.cpp", "python/tare/api/runs.py", "LICENSE", "README.md"):
            self.assertIn(name, names)
        self.assertFalse([name for name in names if name.startswith("results/history")])


if __name__ == "__main__":
    unittest.main()
