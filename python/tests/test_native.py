# At stake: a native rung with the wrong loop, stride or conversion gives a net, and so a tare, of another operation.
import math
import unittest

from tare import _session
from tests.suite_folder import suite

try:
    import numpy as np
except ImportError:
    np = None

HEAD = "import numpy as np\nfrom tare import operation, over, ufunc, reduce, blas, plain\n"


@unittest.skipIf(np is None, "no NumPy in this interpreter")
class Requests(unittest.TestCase):
    def made(self, statement, specs, operands):
        """The prepared case; the suite is gone, the operands live on."""
        text = HEAD + f"@operation({statement!r}, {specs})\ndef it():\n    return {operands}\n"
        with suite(a=text) as (answer, _):
            self.assertEqual(answer["problems"], [])
            return _session.prepare("it", 1, 1)

    def loop(self, specs, operands):
        made = self.made("0", f"native={specs}", operands)
        self.assertIsNone(made.native_problem)
        return made.native["loop_types"]

    def problem(self, specs, operands, kind="native"):
        made = self.made("0", f"{kind}={specs}", operands)
        self.assertIsNone(getattr(made, kind))
        return getattr(made, f"{kind}_problem")

    def test_choose_the_loop_that_numpy_chooses(self):
        f4, f8, i8 = "np.ones(3, 'f4')", "np.ones(3)", "np.ones(3, 'i8')"
        for x, y, types in (
            (f4, f4, "ff->f"),
            (f4, f8, "dd->d"),
            (i8, f8, "dd->d"),
            (f4, "2.5", "ff->f"),
            (f4, "2", "ff->f"),
            (i8, "2.5", "dd->d"),
            (i8, i8, "ll->l"),
            (f8, "np.ones(3, 'c16')", "DD->D"),
        ):
            operands = f"{{'x': {x}, 'y': {y}}}"
            self.assertEqual(self.loop("ufunc('add', 'x', 'y')", operands), types)
        self.assertEqual(self.loop("ufunc('less', 'x', 1.0)", f"{{'x': {f4}}}"), "ff->?")
        self.assertEqual(self.loop("ufunc('true_divide', 'x', 'x')", f"{{'x': {i8}}}"), "dd->d")
        self.assertEqual(self.loop("ufunc('sin', 'x')", f"{{'x': {i8}}}"), "d->d")
        self.assertEqual(self.loop("ufunc('clip', 'x', 0, 1)", f"{{'x': {f8}}}"), "ddd->d")
        made = self.made("0", "native=ufunc('add', 'x', 'y')", f"{{'x': {f4}, 'y': np.float64(2)}}")
        expected = "dd->d" if int(np.__version__.split(".")[0]) >= 2 else "ff->f"
        self.assertEqual(made.native["loop_types"], expected)

    def test_read_the_operands_memory_unless_numpy_would_cast(self):
        made = self.made("0", "native=ufunc('add', 'x', 'y')", "{'x': np.ones(4), 'y': np.ones(8)[::2]}")
        for name, buffer, stride in zip("xy", made.native["buffers"], (8, 16)):
            self.assertEqual(buffer[:3], (made.operands[name].ctypes.data, (4,), (stride,)))
            self.assertEqual(buffer[3:], ("d", 8, False))
        self.assertNotIn("converted", made.native["options"])
        cast = self.made("0", "native=ufunc('add', 'x', 'y')", "{'x': np.ones(4, 'f4'), 'y': np.ones(4)}")
        self.assertEqual(cast.native["options"]["converted"], "1")
        self.assertNotEqual(cast.native["buffers"][0][0], cast.operands["x"].ctypes.data)

    def test_write_to_an_array_of_their_own_laid_out_as_the_result(self):
        made = self.made("0", "native=ufunc('add', 'x', 'y', out='x')", "{'x': np.ones((2, 3), order='F'), 'y': 1.0}")
        self.assertTrue(made.native["output"].flags.f_contiguous)
        self.assertFalse(np.shares_memory(made.native["output"], made.operands["x"]))
        made = self.made("0", "native=ufunc('add', 'x', 'x')", "{'x': np.ones((2, 3), order='F')}")
        self.assertTrue(made.native["output"].flags.f_contiguous)
        made = self.made("0", "native=ufunc('add', 'c', 'r')", "{'c': np.ones((2, 1)), 'r': np.ones(3)}")
        self.assertEqual([b[1] for b in made.native["buffers"]], [(2, 3)] * 3)
        self.assertEqual([b[2] for b in made.native["buffers"]], [(8, 0), (0, 8), (24, 8)])
        made = self.made("0", "native=ufunc('add', 'x', 'x', out='o')", "{'x': np.ones(3), 'o': np.ones(6)[::2]}")
        self.assertEqual(made.native["buffers"][2][2], (16,))

    def test_take_expressions_over_the_operands(self):
        made = self.made("0", "native=blas('syrk', 'A.T')", "{'A': np.ones((2, 3))}")
        self.assertEqual(made.native["buffers"][0][:3], (made.operands["A"].ctypes.data, (3, 2), (8, 24)))
        self.assertEqual(made.native["buffers"][1][1], (3, 3))

    def test_give_reductions_their_identity(self):
        for name, identity in (("add", "0"), ("multiply", "1"), ("maximum", "none")):
            made = self.made("0", f"native=reduce({name!r}, 'x')", "{'x': np.ones(3)}")
            self.assertEqual(made.native["options"], {"identity": identity, "signature": "dd->d"})

    def test_say_why_a_spec_does_not_apply(self):
        f8 = "{'x': np.ones((3, 3)), 'v': np.ones(3), 'i': np.ones(3, 'i8'), 's': 2.0}"
        for specs, expected in (
            ("ufunc('no_such', 'x')", "no ufunc 'no_such'"),
            ("ufunc('add', 'x')", "takes 2 inputs, 1 given"),
            ("ufunc('matmul', 'x', 'x')", "generalised"),
            ("ufunc('add', 'x', 'np.ones(2)')", "do not go together"),
            ("ufunc('add', 'nothing', 'x')", "'nothing' is not defined"),
            ("reduce('add', 'x[:, 1:]')", "contiguous"),
            ("reduce('add', 's')", "is float, not an array"),
            ("reduce('add', 'v == 1')", "casts bool first"),
            ("blas('dot', 'i', 'i')", "BLAS route for int64"),
            ("blas('gemm', 'x', 'x.T')", "declare that"),
            ("blas('gemm', 'x', 'v')", "dimensions"),
            ("blas('gemv', 'x', 'np.ones(2)')", "do not match"),
        ):
            with self.subTest(specs):
                self.assertIn(expected, self.problem(specs, f8))
        self.assertIn("not int64", self.problem("plain('take', 'v', 'v')", f8, "cpp"))
        self.assertIn("not bool", self.problem("plain('where', 'v', 'v', 'v')", f8, "cpp"))


@unittest.skipIf(np is None, "no NumPy in this interpreter")
class Verification(unittest.TestCase):
    def made(self, statement, operands, kind="native", spec="ufunc('add', 'x', 'y')"):
        text = HEAD + f"@operation({statement!r}, {kind}={spec})\ndef it():\n    return {operands}\n"
        with suite(a=text):
            return _session.prepare("it", 1, 1)

    X_Y = "{'x': np.array([1.0, np.nan, -0.0]), 'y': np.array([2.0, 1.0, 0.0])}"

    def test_is_bitwise_where_nan_equals_nan_and_zeros_are_equal(self):
        made = self.made("x + y", self.X_Y)
        made.native["output"][:] = [3.0, np.nan, -0.0]
        self.assertEqual(_session.verify(made, "native"), {"equality": "bitwise"})

    def test_counts_units_in_the_last_place_up_to_a_bound(self):
        made = self.made("x + y", self.X_Y)
        made.native["output"][:] = [np.nextafter(np.nextafter(3.0, 4.0), 4.0), np.nan, 0.0]
        self.assertEqual(_session.verify(made, "native"), {"equality": "within 2 ulp", "max_ulp": 2.0})

    def test_says_where_and_by_how_much_they_differ(self):
        made = self.made("x + y", self.X_Y)
        made.native["output"][:] = [3.0, 5.0, 0.0]
        with self.assertRaisesRegex(ValueError, r"it: native gives 5.0 at \[1\], the statement nan; 1 of 3 elements"):
            _session.verify(made, "native")
        made.native["output"][:] = [3.0 + 1e-14, np.nan, 0.0]
        with self.assertRaisesRegex(ValueError, r"at \[0\].*the bound is 1.78e-15"):
            _session.verify(made, "native")

    def test_gives_a_plain_loop_its_own_bound(self):
        for dtype, small, large in (("f8", 1e-13, 1e-11), ("f4", 1e-6, 1e-4)):
            made = self.made("x + x", f"{{'x': np.ones(2, {dtype!r})}}", "cpp", "plain('add', 'x', 'x')")
            made.cpp["output"][:] = 2.0 * (1.0 + small)
            self.assertGreater(_session.verify(made, "cpp")["max_ulp"], 1.0)
            made.cpp["output"][:] = 2.0 * (1.0 + large)
            with self.assertRaises(ValueError):
                _session.verify(made, "cpp")

    def test_refuses_other_shapes_and_dtypes(self):
        made = self.made("x + y", "{'x': np.ones(3, 'f4'), 'y': np.ones(3, 'f4')}", spec="ufunc('less', 'x', 'y')")
        with self.assertRaisesRegex(ValueError, "gives bool of shape .3,., the statement float32"):
            _session.verify(made, "native")

    def test_integers_must_be_equal(self):
        made = self.made("x + x", "{'x': np.ones(2, 'i8')}", "cpp", "plain('add', 'x', 'x')")
        made.cpp["output"][:] = [2, 3]
        with self.assertRaisesRegex(ValueError, r"gives 3 at \[1\], the statement 2"):
            _session.verify(made, "cpp")

    def test_leaves_operands_that_the_statement_changes_as_they_were(self):
        spec = "ufunc('add', 'x', 1.0, out='x')"
        for statement in ("x += 1.0", "np.add(x, 1.0, out=x)", "x[...] = x + 1.0"):
            made = self.made(statement, "{'x': np.ones(2)}", spec=spec)
            made.native["output"][:] = 2.0
            self.assertEqual(_session.verify(made, "native"), {"equality": "bitwise"})
            self.assertEqual(made.operands["x"].tolist(), [1.0, 1.0])

    def test_compares_each_of_several_outputs(self):
        made = self.made("np.frexp(x)", "{'x': np.array([8.0])}", spec="ufunc('frexp', 'x')")
        made.native["output"][0][:], made.native["output"][1][:] = math.frexp(8.0)
        self.assertEqual(_session.verify(made, "native"), {"equality": "bitwise"})
        made.native["output"][1][:] = 3
        with self.assertRaisesRegex(ValueError, "gives 3 at"):
            _session.verify(made, "native")

    def test_a_missing_rung_or_a_statement_without_a_value_is_an_error(self):
        with self.assertRaisesRegex(ValueError, "no cpp rung"):
            _session.verify(self.made("x + y", self.X_Y), "cpp")
        with self.assertRaisesRegex(ValueError, "no value to verify"):
            _session.verify(self.made("for e in x: pass", self.X_Y), "native")


if __name__ == "__main__":
    unittest.main()
