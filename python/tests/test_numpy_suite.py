# At stake: 800 cases that anyone with any NumPy from 1.22 on runs by default. Each is prepared, executed without a
# warning, left with values that stay, and its native and cpp requests are compared with its statement.
import os
import pathlib
import unittest
import warnings

from tare import _session

try:
    import numpy as np
except ImportError:
    np = None

SUITE = pathlib.Path(__file__).resolve().parents[2] / "benchmarks" / "numpy"
EXECUTIONS = 50


@unittest.skipIf(np is None, "no NumPy in this interpreter")
class TheNumPySuite(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.answer = _session.load([os.fspath(SUITE)], None)
        cls.cases = {case["name"]: case for case in cls.answer["cases"]}

    def each(self, check):
        """check(case, prepared) for every case, each failure under the case's name."""
        for name, case in self.cases.items():
            with self.subTest(name):
                check(case, _session.prepare(name, 1, 2))

    def test_has_at_least_100_operations_and_700_cases_and_no_problem(self):
        self.assertEqual(self.answer["problems"], [])
        self.assertGreaterEqual(len(self.answer["operations"]), 100)
        self.assertGreaterEqual(len(self.cases), 700)
        self.assertEqual(len({o["name"] for o in self.answer["operations"]}), len(self.answer["operations"]))
        self.assertTrue(all(operation["doc"] for operation in self.answer["operations"]))

    def test_has_a_dot_family_that_is_measured_within_half_a_minute(self):
        dots = [name for name in self.cases if "dot" in name]
        self.assertTrue(10 <= len(dots) <= 30, dots)

    def test_shows_add_for_all_kinds_side_by_side(self):
        wanted = ["kind=float", "kind=float64,dtype=f8", "kind=0d,dtype=f8"]
        wanted += [f"kind=array,dtype={d},n={n}" for d in ("f4", "f8", "i8", "c16") for n in (1, 8, 64, 1024)]
        self.assertEqual([w for w in wanted if f"add[{w}]" not in self.cases], [])

    def test_runs_every_statement_without_a_warning_and_leaves_finite_values(self):
        def check(case, made):
            made.floor(1)
            made.batch(EXECUTIONS // made.unroll)
            for value in made.operands.values():
                if isinstance(value, np.ndarray) and value.dtype.kind in "fc":
                    self.assertTrue(np.isfinite(value).all())

        before = _session.snapshot()
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            self.each(check)
        self.assertEqual(_session.changes(before), [])

    def test_derives_the_call_and_the_requests_that_the_rungs_promise(self):
        def check(case, made):
            self.assertEqual(made.call is not None, "call" in case["rungs"])
            for kind in ("native", "cpp"):
                self.assertIsNone(getattr(made, f"{kind}_problem"))
                self.assertEqual(getattr(made, kind) is not None, kind in case["rungs"])

        self.each(check)

    def test_requests_compute_what_the_statement_computes(self):
        from tests import reference_rung

        seen = {"native": 0, "cpp": 0}

        def check(case, made):
            for kind in seen:
                request = getattr(made, kind)
                if request is None:
                    continue
                output = request["output"]
                for array in output if isinstance(output, tuple) else (output,):
                    array.fill(77)
                reference_rung.run(request)
                self.assertLessEqual(_session.verify(made, kind).get("max_ulp", 0.0), 64.0)
                seen[kind] += 1

        self.each(check)
        self.assertGreater(min(seen.values()), 300, seen)

    def test_gives_the_same_values_and_other_memory_at_every_preparation(self):
        def check(case, made):
            again = _session.prepare(case["name"], 2, 2)
            for key, value in made.operands.items():
                if type(value) is np.ndarray and value.dtype.kind in "fc":
                    np.testing.assert_array_equal(value, again.operands[key])
                    self.assertFalse(np.shares_memory(value, again.operands[key]))

        self.each(check)

    def test_takes_the_blas_route_only_where_numpy_does(self):
        def check(case, made):
            if made.native is not None and made.native["family"] == "blas":
                self.assertIn(made.native["buffers"][0][3], "fdFD")
                self.assertTrue(os.path.isfile(made.native["options"]["numpy_module"]))

        self.each(check)
        for name, routine in (("matmul", "gemm"), ("matmul_aat", "syrk"), ("matmul_ata", "syrk")):
            made = _session.prepare(f"{name}[kind=array,dtype=f4,n=8]", 1, 1)
            self.assertEqual(made.native["routine"], routine)
        self.assertNotIn("native", self.cases["matmul[kind=array,dtype=i8,n=32]"]["rungs"])


if __name__ == "__main__":
    unittest.main()
