# At stake: Google Benchmark's compare.py, as Debian packages it, reads two of our records: every rung of every case.
import subprocess
import unittest
from pathlib import Path

from bench_process import DEBIAN_PYTHON, QUICK, BenchTest

COMPARE = Path("/usr/share/benchmark/compare.py")
NEEDS = "import scipy, numpy"


class ComparePy(BenchTest):
    def setUp(self):
        super().setUp()
        if not COMPARE.exists():
            self.skipTest(f"{COMPARE} is missing: apt-get install libbenchmark-tools")
        needed = subprocess.run([DEBIAN_PYTHON, "-c", NEEDS], capture_output=True, text=True, check=False)
        if needed.returncode != 0:
            self.skipTest("compare.py imports scipy: apt-get install python3-scipy")
        self.said = needed.stderr  # scipy warns of a NumPy newer than itself

    def test_reads_two_records(self):
        for name in ("a.json", "b.json"):
            self.bench("run", "--filter", r"^add\[.*dtype=f8,n=(8|64)\]", *QUICK, "--out", name)
        command = [DEBIAN_PYTHON, str(COMPARE), "--no-color", "benchmarks", "a.json", "b.json"]
        ran = subprocess.run(command, cwd=self.folder, capture_output=True, text=True, timeout=60, check=False)
        self.assertEqual((ran.returncode, ran.stderr), (0, self.said))
        for case in ("add[kind=array,dtype=f8,n=8]", "add[kind=array,dtype=f8,n=64]"):
            for rung in ("python", "call", "native"):
                self.assertRegex(ran.stdout, rf"(?m)^{case}/{rung} ".replace("[", r"\[").replace("]", r"\]", 1))
        self.assertIn("OVERALL_GEOMEAN", ran.stdout)

    def test_reads_a_record_with_failed_cases(self):
        suite = self.suite(
            own="# one fails\nfrom tare import operation\n\n"
            "@operation('1 / x')\ndef fails():\n    return {'x': 0}\n\n"
            "@operation('x + x')\ndef works():\n    return {'x': 1.0}\n"
        )
        for name in ("a.json", "b.json"):
            self.bench("run", "--suite", suite, *QUICK, "--out", name, code=4)
        command = [DEBIAN_PYTHON, str(COMPARE), "--no-color", "benchmarks", "a.json", "b.json"]
        ran = subprocess.run(command, cwd=self.folder, capture_output=True, text=True, timeout=60, check=False)
        self.assertEqual((ran.returncode, ran.stderr), (0, self.said))
        self.assertIn("works/python", ran.stdout)


if __name__ == "__main__":
    unittest.main()
