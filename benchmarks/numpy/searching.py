# Sorting, searching, counting and sets.
import numpy as np

from tare import operation, over, plain

from ._make import EIGHT, FEW, REAL_ARRAYS, array, make, real_only

__all__ = ["np"]
INTEGERS = over(kind="array", dtype="i8", n=(8, 1024))


def one(kind, dtype, n):
    return {"x": make(kind, dtype, n)}


def queries(kind, dtype, n):
    return {"s": np.sort(array(dtype, n)), "q": array(dtype, 8, "q")}


@operation("np.sort(x)", REAL_ARRAYS, cpp=plain("sort", "x"))
def sort(kind, dtype, n):
    """A sorted copy."""
    return one(kind, dtype, n)


@operation("sorted(x)", over(kind="list", n=(8, 1024)))
def sorted_builtin(kind, n):
    """Python's own sort of a list, for comparison."""
    return {"x": array("f8", n).tolist()}


@operation("np.argsort(x)", FEW, cpp=plain("argsort", "x"))
def argsort(kind, dtype, n):
    """The places in sorted order."""
    return one(kind, dtype, n)


@operation("np.partition(x, 4)", EIGHT)
def partition(kind, dtype, n):
    """The five smallest first."""
    return one(kind, dtype, n)


@operation(
    "np.argmax(x)",
    over(kind="array", dtype="f8", n=(8, 1024)) + over(kind="array", dtype=("f4", "i8", "c16"), n=8),
    cpp=real_only(plain("argmax", "x")),
)
def argmax(kind, dtype, n):
    """The place of the largest, by function."""
    return one(kind, dtype, n)


@operation("x.argmin()", EIGHT, cpp=plain("argmin", "x"))
def argmin_method(kind, dtype, n):
    """The place of the smallest, as a method."""
    return one(kind, dtype, n)


@operation("np.searchsorted(s, q)", FEW, cpp=plain("searchsorted", "s", "q"))
def searchsorted(kind, dtype, n):
    """The places of eight numbers in a sorted array."""
    return queries(kind, dtype, n)


@operation("np.searchsorted(s, 1.0)", EIGHT)
def searchsorted_float(kind, dtype, n):
    """The place of one Python float."""
    return queries(kind, dtype, n)


@operation("np.digitize(q, s)", EIGHT)
def digitize(kind, dtype, n):
    """The bins of eight numbers."""
    return queries(kind, dtype, n)


@operation("np.interp(q, s, v)", EIGHT)
def interp(kind, dtype, n):
    """Linear interpolation at eight places."""
    return {**queries(kind, dtype, n), "v": array(dtype, n, "v")}


@operation("np.nonzero(m)", over(kind="array", n=(8, 1024)))
def nonzero(kind, n):
    """The places where a mask is true."""
    return {"m": array("i8", n) > 5}


@operation("np.unique(x)", INTEGERS)
def unique(kind, dtype, n):
    """The different values, sorted."""
    return one(kind, dtype, n)


@operation("np.isin(x, t)", INTEGERS)
def isin(kind, dtype, n):
    """Which are among three."""
    return {"x": make(kind, dtype, n), "t": np.array([2, 3, 5])}


@operation("np.bincount(x)", INTEGERS)
def bincount(kind, dtype, n):
    """How often each small integer occurs."""
    return one(kind, dtype, n)


@operation("np.histogram(x, bins=8, range=(0.5, 1.5))", FEW)
def histogram(kind, dtype, n):
    """Counts in eight equal bins."""
    return one(kind, dtype, n)


@operation("np.percentile(x, 90)", EIGHT)
def percentile(kind, dtype, n):
    """The 90th percentile: almost all of it Python."""
    return one(kind, dtype, n)


@operation("np.convolve(x, k)", EIGHT)
def convolve(kind, dtype, n):
    """With a kernel of three."""
    return {"x": make(kind, dtype, n), "k": array(dtype, 3, "k")}
