# Comparisons and tests: operators, named functions, and the whole-array ones of NumPy's Python layer.
import math

import numpy as np

from tare import operation, plain, ufunc

from ._make import EIGHT, FEW, FLOAT_ARRAYS, REAL_ARRAYS, SCALARS, array, either, make

__all__ = ["math", "np"]


def two(kind, dtype, n):
    return {"x": make(kind, dtype, n), "y": make(kind, dtype, n, "y")}


@operation("x < y", SCALARS + REAL_ARRAYS, native=ufunc("less", "x", "y"), cpp=plain("less", "x", "y"))
def less(kind, dtype=None, n=None):
    """Elementwise less."""
    return two(kind, dtype, n)


@operation("x == y", SCALARS + REAL_ARRAYS, native=ufunc("equal", "x", "y"), cpp=plain("equal", "x", "y"))
def equal(kind, dtype=None, n=None):
    """Elementwise equality."""
    return two(kind, dtype, n)


@operation("x >= y", EIGHT, native=ufunc("greater_equal", "x", "y"), cpp=plain("greater_equal", "x", "y"))
def greater_equal(kind, dtype=None, n=None):
    """Elementwise greater or equal."""
    return two(kind, dtype, n)


@operation("x != y", EIGHT, native=ufunc("not_equal", "x", "y"), cpp=plain("not_equal", "x", "y"))
def not_equal(kind, dtype=None, n=None):
    """Elementwise inequality."""
    return two(kind, dtype, n)


@operation("x < 1.0", SCALARS + FEW, native=ufunc("less", "x", 1.0), cpp=plain("less", "x", 1.0))
def less_float(kind, dtype=None, n=None):
    """Against a Python float."""
    return {"x": make(kind, dtype, n)}


@operation("np.less(x, y, out=o)", EIGHT, native=ufunc("less", "x", "y", out="o"), cpp=plain("less", "x", "y"))
def less_out(kind, dtype, n):
    """Comparison into an array of booleans."""
    return {**two(kind, dtype, n), "o": array("i8", n) > 5}


@operation(
    either("math.isnan(x)", "np.isnan(x)"), SCALARS + FLOAT_ARRAYS, native=ufunc("isnan", "x"), cpp=plain("isnan", "x")
)
def isnan(kind, dtype=None, n=None):
    """Which are not a number: none."""
    return {"x": make(kind, dtype, n)}


@operation(
    either("math.isfinite(x)", "np.isfinite(x)"),
    SCALARS + EIGHT,
    native=ufunc("isfinite", "x"),
    cpp=plain("isfinite", "x"),
)
def isfinite(kind, dtype=None, n=None):
    """Which are finite: all."""
    return {"x": make(kind, dtype, n)}


@operation("(x > 2.0).any()", EIGHT)
def any_greater(kind, dtype, n):
    """A comparison and its reduction."""
    return {"x": make(kind, dtype, n)}


@operation("np.array_equal(x, y)", EIGHT)
def array_equal(kind, dtype, n):
    """Whole arrays, equal ones."""
    return {"x": make(kind, dtype, n), "y": make(kind, dtype, n)}


@operation(either("math.isclose(x, y)", "np.isclose(x, y)"), SCALARS + FEW)
def isclose(kind, dtype=None, n=None):
    """Elementwise nearness: many small operations in Python."""
    return two(kind, dtype, n)


@operation("np.allclose(x, y)", FEW)
def allclose(kind, dtype, n):
    """Nearness of whole arrays."""
    return {"x": make(kind, dtype, n), "y": make(kind, dtype, n)}
