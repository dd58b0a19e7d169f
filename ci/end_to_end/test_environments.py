# At stake: several NumPys, a record each: versions, libraries and native rungs of 1.24 to the newest are their own.
import os
import subprocess
import unittest

from bench_process import QUICK, BenchTest

ENVIRONMENTS = [python for python in os.environ.get("TARE_ENVIRONMENTS", "").split(";") if python]
FILTER = r"^(add|matmul|matmul_aat|sum_)\[.*(dtype=f4,n=(4|8|64)|dtype=f8,n=8)\]"


@unittest.skipUnless(ENVIRONMENTS, "TARE_ENVIRONMENTS names no interpreters: ci/full sets it")
class Environments(BenchTest):
    def test_give_records_of_their_own(self):
        versions = {}
        for python in ENVIRONMENTS:
            with self.subTest(python):
                code = "import numpy; print(numpy.__version__)"
                version = subprocess.run(
                    [python, "-c", code], capture_output=True, text=True, check=True
                ).stdout.strip()
                ran = self.bench("run", "--python", python, "--filter", FILTER, *QUICK)
                self.assertEqual(ran.context["numpy"]["version"], version)
                self.assertEqual(ran.context["subject"]["numpy_version"], version)
                self.assertIn(f"NumPy {version}, ", ran.out)
                self.assert_valid(ran.record_path)
                self.assertEqual(ran.failures, {})
                for n in (4, 8, 64):
                    for operation, routine in (("matmul", "cblas_sgemm"), ("matmul_aat", "cblas_ssyrk")):
                        (row,) = ran.rows(f"{operation}[kind=array,dtype=f4,n={n}]", "native")
                        facts = row["tare"]["facts"]
                        self.assertEqual((facts["routine"], facts["equality"]), (routine, "bitwise"), facts)
                        self.assertEqual(facts["check"], "equals the GOT entry of _multiarray_umath")
                versions[version] = ran.record_path
        self.assertGreaterEqual(len(versions), 2, "two NumPy versions in two records")
        self.assertEqual(len(set(versions.values())), len(versions))

    def test_run_the_whole_suite_without_an_unexpected_failure(self):
        for python in ENVIRONMENTS:
            with self.subTest(python):
                ran = self.bench("run", "--python", python, *QUICK)
                self.assertGreaterEqual(len(ran.cases), 700)


if __name__ == "__main__":
    unittest.main()
