# At stake: what people get from pip: one file that measures on a machine without compiler, sources or our libraries.
import re
import subprocess
import unittest
import zipfile

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
        self.assertEqual(len(licences), len(libraries), names)
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


if __name__ == "__main__":
    unittest.main()
