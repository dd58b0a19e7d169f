# Universal functions called by name: with and without out=, with dtype=, of two arguments, and their methods.
import math

import numpy as np

from tare import operation, over, plain, reduce, ufunc

from ._make import ARRAYS, EIGHT, FEW, FLOAT_ARRAYS, REAL_ARRAYS, SCALARS, SIZES, array, either, make, real_only

__all__ = ["math", "np"]


def two(kind, dtype, n):
    return {"x": make(kind, dtype, n), "y": make(kind, dtype, n, "y")}


@operation("np.add(x, y)", SCALARS + FLOAT_ARRAYS, native=ufunc("add", "x", "y"), cpp=plain("add", "x", "y"))
def np_add(kind, dtype=None, n=None):
    """Addition by name, as `x + y` without the number protocol."""
    return two(kind, dtype, n)


@operation(
    "np.add(x, y, out=o)",
    over(kind="0d", dtype="f8") + FLOAT_ARRAYS,
    native=ufunc("add", "x", "y", out="o"),
    cpp=plain("add", "x", "y", out="o"),
)
def np_add_out(kind, dtype=None, n=None):
    """Addition into an array that exists."""
    return {**two(kind, dtype, n), "o": make(kind, dtype, n, "out")}


@operation("np.add(x, y, o)", EIGHT, native=ufunc("add", "x", "y", out="o"), cpp=plain("add", "x", "y", out="o"))
def np_add_out_positional(kind, dtype, n):
    """As np_add_out, without a keyword to parse."""
    return {**two(kind, dtype, n), "o": make(kind, dtype, n, "out")}


@operation("np.add(x, y, dtype=np.float64)", over(kind="array", dtype=("f4", "f8"), n=8))
def np_add_dtype(kind, dtype, n):
    """Addition with the loop chosen by dtype=."""
    return two(kind, dtype, n)


@operation("np.add(x, y, out=o, where=m)", EIGHT)
def np_add_where(kind, dtype, n):
    """Addition where a mask says so; the rest stays."""
    return {**two(kind, dtype, n), "o": make(kind, dtype, n, "out"), "m": array("i8", n) > 5}


@operation(
    "np.multiply(x, y, out=o)", EIGHT, native=ufunc("multiply", "x", "y", out="o"), cpp=plain("multiply", "x", "y")
)
def np_multiply_out(kind, dtype, n):
    """Multiplication into an array that exists."""
    return {**two(kind, dtype, n), "o": make(kind, dtype, n, "out")}


@operation(
    either("max(x, y)", "np.maximum(x, y)"),
    SCALARS + REAL_ARRAYS,
    native=ufunc("maximum", "x", "y"),
    cpp=plain("maximum", "x", "y"),
)
def maximum(kind, dtype=None, n=None):
    """The larger of two."""
    return two(kind, dtype, n)


@operation(
    either("min(x, y)", "np.minimum(x, y)"),
    over(kind="float") + EIGHT,
    native=ufunc("minimum", "x", "y"),
    cpp=plain("minimum", "x", "y"),
)
def minimum(kind, dtype=None, n=None):
    """The smaller of two."""
    return two(kind, dtype, n)


@operation(
    either("math.hypot(x, y)", "np.hypot(x, y)"),
    over(kind="float") + EIGHT,
    native=ufunc("hypot", "x", "y"),
    cpp=plain("hypot", "x", "y"),
)
def hypot(kind, dtype=None, n=None):
    """The length of (x, y)."""
    return two(kind, dtype, n)


@operation(
    either("math.atan2(x, y)", "np.arctan2(x, y)"),
    SCALARS + FEW,
    native=ufunc("arctan2", "x", "y"),
    cpp=plain("arctan2", "x", "y"),
)
def arctan2(kind, dtype=None, n=None):
    """The angle of (y, x)."""
    return two(kind, dtype, n)


@operation(
    either("math.copysign(x, y)", "np.copysign(x, y)"),
    over(kind="float") + EIGHT,
    native=ufunc("copysign", "x", "y"),
    cpp=plain("copysign", "x", "y"),
)
def copysign(kind, dtype=None, n=None):
    """The magnitude of x with the sign of y."""
    return two(kind, dtype, n)


@operation(
    either("math.frexp(x)", "np.frexp(x)"),
    over(kind="float") + over(kind="array", dtype="f8", n=(8, 64)),
    native=ufunc("frexp", "x"),
)
def frexp(kind, dtype=None, n=None):
    """Mantissa and exponent: two outputs of two dtypes."""
    return {"x": make(kind, dtype, n)}


@operation(
    "np.logical_and(a, b)",
    over(kind="array", n=(1, 8, 1024)),
    native=ufunc("logical_and", "a", "b"),
    cpp=plain("logical_and", "a", "b"),
)
def logical_and(kind, n):
    """Elementwise and of booleans."""
    return {"a": array("i8", n) > 5, "b": array("i8", n, "y") > 5}


@operation("np.add.reduce(x)", ARRAYS, native=reduce("add", "x"), cpp=plain("sum", "x"))
def add_reduce(kind, dtype, n):
    """The sum without NumPy's Python layer."""
    return {"x": make(kind, dtype, n)}


@operation("np.maximum.reduce(x)", EIGHT, native=reduce("maximum", "x"), cpp=real_only(plain("max", "x")))
def maximum_reduce(kind, dtype, n):
    """The largest element without NumPy's Python layer."""
    return {"x": make(kind, dtype, n)}


@operation("np.add.accumulate(x)", FEW, cpp=plain("cumsum", "x"))
def add_accumulate(kind, dtype, n):
    """Running sums."""
    return {"x": make(kind, dtype, n)}


@operation("np.add.outer(x, y)", over(kind="array", dtype="f8", n=(4, 32)), native=ufunc("add", "x[:, None]", "y"))
def add_outer(kind, dtype, n):
    """All sums of an element of x and one of y."""
    return two(kind, dtype, n)


@operation("np.add.reduceat(x, i)", over(kind="array", dtype="f8", n=(8, 1024)))
def add_reduceat(kind, dtype, n):
    """Sums of four equal segments."""
    return {"x": make(kind, dtype, n), "i": np.arange(0, n, n // 4)}


@operation("np.add.at(x, i, y)", over(kind="array", dtype="f8", n=SIZES) + over(kind="array", dtype="i8", n=8))
def add_at(kind, dtype, n):
    """Unbuffered addition at repeating places, of zeros."""
    return {"x": make(kind, dtype, n), "i": array("i8", n, "places") % n, "y": array(dtype, n, "y") * 0}


@operation("np.add.at(x, i, 0.0)", over(kind="array", dtype="f8", n=(8, 1024)))
def add_at_scalar(kind, dtype, n):
    """Unbuffered addition of a Python float."""
    return {"x": make(kind, dtype, n), "i": array("i8", n, "places") % n}
