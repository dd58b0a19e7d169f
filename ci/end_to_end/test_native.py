# At stake: the net of `A @ B` and `A @ A.T` is the very routine NumPy calls (cblas_sgemm, cblas_ssyrk), one address.
import unittest

from bench_process import DEBIAN_PACKAGES, DEBIAN_PYTHON, PYTHON, QUICK, BenchTest, numpy_of

ROUTINES = {"matmul": "cblas_sgemm", "matmul_aat": "cblas_ssyrk"}
SIZES = (4, 8, 64)


class NativeRungs:
    """Of one subject, on both of its products at three sizes."""

    python = ""
    home = ""  # what the path of the NumPy that is meant begins with

    def setUp(self):
        if not (found := numpy_of(self.python)).startswith(self.home or "/"):
            # Skipped because routines of a NumPy that somebody installed over Debian's have other names.
            self.skipTest(f"the NumPy of {self.python} is not below {self.home or '/'}: '{found}'")
        super().setUp()

    def test_are_the_routines_that_numpy_calls(self):
        sizes = "|".join(map(str, SIZES))
        filter_ = rf"^({'|'.join(ROUTINES)})\[kind=array,dtype=f4,n=({sizes})\]"
        ran = self.bench("run", "--python", self.python, "--filter", filter_, *QUICK)
        addresses = {}
        for operation, routine in ROUTINES.items():
            for n in SIZES:
                name = f"{operation}[kind=array,dtype=f4,n={n}]"
                with self.subTest(name):
                    (row,) = ran.rows(name, "native")
                    facts = row["tare"]["facts"]
                    self.assertEqual(facts["routine"], routine)
                    self.assertIn(routine, facts["symbol"])
                    self.assertTrue(facts["symbol"].startswith(self.prefix) and facts["symbol"].endswith(self.suffix))
                    self.assertIn("blas", facts["library"])
                    self.assertRegex(facts["address"], r"\+0x[0-9a-f]+$")
                    self.assertEqual(facts["check"], "equals the GOT entry of _multiarray_umath")
                    self.assertEqual(facts["equality"], "bitwise")
                    self.assertGreater(ran.cases[name]["net_ns"], 0)
                    addresses.setdefault(routine, set()).add(facts["address"])
        self.assertEqual({routine: len(found) for routine, found in addresses.items()}, dict.fromkeys(addresses, 1))
        self.assertEqual(ran.out.count("equals the GOT entry"), 1)  # beneath the table, once a library
        for routine in ROUTINES.values():
            self.assertRegex(ran.out, rf"(?m)^ +{routine} = ")


class OfTheWheel(NativeRungs, BenchTest):
    """PyPI's wheel brings its own OpenBLAS, with decorated names."""

    python, prefix, suffix = PYTHON, "scipy_", "64_"


class OfDebian(NativeRungs, BenchTest):
    """Debian's NumPy calls the libblas that the alternatives system chose."""

    python, prefix, suffix = DEBIAN_PYTHON, "cblas_", ""
    home = DEBIAN_PACKAGES


if __name__ == "__main__":
    unittest.main()
