# Reductions: functions of NumPy's Python layer, methods, axes, and the built-in sum of a list for comparison.
import numpy as np

from tare import operation, over, plain, reduce

from ._make import ARRAYS, EIGHT, FEW, FLOAT_ARRAYS, REAL_ARRAYS, array, make, real_only

__all__ = ["np"]
SQUARE = over(kind="array", dtype="f8", n=(8, 32))
BOOLEANS = over(kind="array", n=(1, 8, 1024))


def one(kind, dtype, n):
    return {"x": make(kind, dtype, n)}


@operation("np.sum(x)", over(kind="0d", dtype="f8") + ARRAYS, native=reduce("add", "x"), cpp=plain("sum", "x"))
def sum_(kind, dtype, n=None):
    """The sum, through NumPy's Python layer."""
    return one(kind, dtype, n)


@operation("x.sum()", EIGHT, native=reduce("add", "x"), cpp=plain("sum", "x"))
def sum_method(kind, dtype, n):
    """The sum as a method."""
    return one(kind, dtype, n)


@operation("sum(x)", over(kind="list", n=(8, 1024)) + over(kind="array", n=8))
def sum_builtin(kind, n):
    """Python's own sum, of a list and of an array."""
    x = array("f8", n)
    return {"x": x.tolist() if kind == "list" else x}


@operation("np.sum(x)", FEW, native=reduce("add", "x"), cpp=plain("sum", "x"))
def sum_strided(kind, dtype, n):
    """The sum of every second element."""
    return {"x": array(dtype, 2 * n)[::2]}


@operation("np.sum(A)", SQUARE, native=reduce("add", "A"), cpp=plain("sum", "A"))
def sum_2d(kind, dtype, n):
    """The sum over all of a matrix."""
    return {"A": array(dtype, (n, n))}


@operation("np.sum(A, axis=0)", SQUARE)
def sum_axis_0(kind, dtype, n):
    """The sum of the rows."""
    return {"A": array(dtype, (n, n))}


@operation("np.sum(A, axis=1)", SQUARE)
def sum_axis_1(kind, dtype, n):
    """The sum of the columns."""
    return {"A": array(dtype, (n, n))}


@operation("np.sum(A, axis=1, keepdims=True)", SQUARE)
def sum_keepdims(kind, dtype, n):
    """The sum of the columns, as a column."""
    return {"A": array(dtype, (n, n))}


@operation("np.sum(x, out=o)", EIGHT, native=reduce("add", "x"), cpp=plain("sum", "x"))
def sum_out(kind, dtype, n):
    """The sum into a 0-d array."""
    return {"x": make(kind, dtype, n), "o": make("0d", dtype)}


@operation("np.prod(x)", FEW, native=reduce("multiply", "x"), cpp=plain("prod", "x"))
def prod(kind, dtype, n):
    """The product of numbers near 1."""
    return {"x": 1.0 + (array(dtype, n) - 1.0) / n}


@operation("np.max(x)", REAL_ARRAYS, native=reduce("maximum", "x"), cpp=plain("max", "x"))
def max_(kind, dtype, n):
    """The largest element."""
    return one(kind, dtype, n)


@operation("x.min()", REAL_ARRAYS, native=reduce("minimum", "x"), cpp=plain("min", "x"))
def min_method(kind, dtype, n):
    """The smallest element, as a method."""
    return one(kind, dtype, n)


@operation("np.mean(x)", ARRAYS, cpp=plain("mean", "x"))
def mean(kind, dtype, n):
    """The mean: a sum and a division in NumPy's Python layer."""
    return one(kind, dtype, n)


@operation("x.mean()", EIGHT, cpp=plain("mean", "x"))
def mean_method(kind, dtype, n):
    """The mean as a method."""
    return one(kind, dtype, n)


@operation("np.std(x)", FLOAT_ARRAYS, cpp=plain("std", "x"))
def std(kind, dtype, n):
    """The standard deviation, in NumPy's Python layer."""
    return one(kind, dtype, n)


@operation("np.median(x)", FEW)
def median(kind, dtype, n):
    """The median."""
    return one(kind, dtype, n)


@operation("np.any(m)", BOOLEANS, native=reduce("logical_or", "m"), cpp=plain("any", "m"))
def any_(kind, n):
    """Is any true: none is, so all are looked at."""
    return {"m": array("i8", n) > 9}


@operation("m.all()", BOOLEANS, native=reduce("logical_and", "m"), cpp=plain("all", "m"))
def all_method(kind, n):
    """Are all true: they are."""
    return {"m": array("i8", n) > 0}


@operation("np.ptp(x)", EIGHT, cpp=plain("ptp", "x"))
def ptp(kind, dtype, n):
    """Largest less smallest."""
    return one(kind, dtype, n)


@operation("np.cumsum(x)", ARRAYS, cpp=plain("cumsum", "x"))
def cumsum(kind, dtype, n):
    """Running sums."""
    return one(kind, dtype, n)


@operation("np.nansum(x)", EIGHT, cpp=real_only(plain("sum", "x")))
def nansum(kind, dtype, n):
    """The sum that passes over NaN."""
    return one(kind, dtype, n)


@operation("np.average(x, weights=w)", EIGHT)
def average_weighted(kind, dtype, n):
    """The weighted mean."""
    return {"x": make(kind, dtype, n), "w": make(kind, dtype, n, "w")}


@operation("np.count_nonzero(m)", over(kind="array", n=(8, 1024)), cpp=plain("count_nonzero", "m"))
def count_nonzero(kind, n):
    """How many are true."""
    return {"m": array("i8", n) > 5}
