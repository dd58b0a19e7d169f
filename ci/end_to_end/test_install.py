# At stake: a program that was installed measures with the package, the suite and the workers that came with it,
# wherever it was moved to, and not with a source tree that happens to lie where it was built.
import json
import os
import shutil
import subprocess
import unittest
from pathlib import Path
from unittest import mock

import bench_process
from bench_process import BENCH, SHORT, BenchTest

BUILD = Path(BENCH).parents[1]
OWN_CASE = """from tare import operation


@operation("x + 1")
def only_here():
    return {"x": 1}
"""


@unittest.skipUnless(shutil.which("cmake"), "cmake, which installs, is not on the path")
class Install(BenchTest):
    def setUp(self):
        super().setUp()
        made = self.folder / "made"
        environment = {key: value for key, value in os.environ.items() if key != "DESTDIR"}
        install = ["cmake", "--install", BUILD, "--prefix", made, "--component", "tare"]
        subprocess.run(install, env=environment, check=True, capture_output=True)
        moved = made.rename(self.folder / "moved to another folder")
        self.home = moved / "lib" / "tare"
        patched = mock.patch.object(bench_process, "BENCH", str(moved / "bin" / "bench"))
        patched.start()
        self.addCleanup(patched.stop)

    def test_holds_what_it_needs_and_nothing_else(self):
        names = {path.name for path in (self.home / "bin").iterdir()}
        self.assertIn("bench", names)
        self.assertTrue(any(name.startswith("tare_worker.") for name in names), names)
        self.assertFalse([name for name in names if name.endswith("_test")])
        for file in ("python/tare/_session.py", "benchmarks/numpy/products.py", "LICENSE", "record.schema.json"):
            self.assertTrue((self.home / file).is_file(), file)

    def test_measures_what_came_with_it_wherever_it_lies(self):
        (self.home / "benchmarks" / "numpy" / "mine.py").write_text(OWN_CASE)
        listed = json.loads(self.bench("list", "--format", "json").out)
        names = [case["name"] for case in listed["cases"]]
        self.assertIn("only_here", names)
        ran = self.bench("run", "--filter", "^only_here$", "--quick", *SHORT)
        self.assertGreater(ran.cases["only_here"]["gross_ns"], 0)

    def test_without_its_package_says_where_it_should_be(self):
        self.assertEqual(self.bench("list", "--filter", "^dot").code, 0)
        broken = self.environment(TARE_HOME=str(self.folder / "absent"))
        said = self.bench("list", code=2, environment=broken).err
        self.assertIn("absent/python", said)
        self.assertIn("TARE_HOME", said)


if __name__ == "__main__":
    unittest.main()
