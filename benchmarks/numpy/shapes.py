# Shapes: views with other shapes, joining, splitting and repeating.
import numpy as np

from tare import operation, over, plain

from ._make import EIGHT, FEW, array, make

__all__ = ["np"]
SQUARE = over(kind="array", dtype="f8", n=(8, 32))


def one(kind, dtype, n):
    return {"x": make(kind, dtype, n)}


def two(kind, dtype, n):
    return {"x": make(kind, dtype, n), "y": make(kind, dtype, n, "y")}


def matrix(kind, dtype, n):
    return {"A": array(dtype, (n, n))}


@operation("x.shape", EIGHT)
def shape(kind, dtype, n):
    """A tuple made at each reading."""
    return one(kind, dtype, n)


@operation("len(x)", over(kind="list", n=8) + EIGHT)
def len_(kind, n, dtype=None):
    """The length; of a list for comparison."""
    return {"x": array("f8", n).tolist() if kind == "list" else array(dtype, n)}


@operation("A.T", EIGHT)
def transpose_attribute(kind, dtype, n):
    """The transposed view."""
    return matrix(kind, dtype, n)


@operation("np.transpose(A)", EIGHT)
def transpose(kind, dtype, n):
    """The transposed view, by function."""
    return matrix(kind, dtype, n)


@operation("x.reshape(2, -1)", EIGHT)
def reshape_method(kind, dtype, n):
    """Two rows, as a method."""
    return one(kind, dtype, n)


@operation("np.reshape(x, (2, -1))", EIGHT)
def reshape(kind, dtype, n):
    """Two rows, by function."""
    return one(kind, dtype, n)


@operation("A.ravel()", SQUARE)
def ravel(kind, dtype, n):
    """Flat, as a view."""
    return matrix(kind, dtype, n)


@operation("A.flatten()", SQUARE, cpp=plain("copy", "A.ravel()"))
def flatten(kind, dtype, n):
    """Flat, as a copy."""
    return matrix(kind, dtype, n)


@operation("np.expand_dims(x, 0)", EIGHT)
def expand_dims(kind, dtype, n):
    """A row, in NumPy's Python layer."""
    return one(kind, dtype, n)


@operation("np.squeeze(x)", EIGHT)
def squeeze(kind, dtype, n):
    """Without the axis of length 1."""
    return {"x": array(dtype, (1, n))}


@operation("np.broadcast_to(x, (4, 8))", EIGHT)
def broadcast_to(kind, dtype, n):
    """A read-only view that repeats."""
    return one(kind, dtype, n)


@operation("np.atleast_2d(x)", EIGHT)
def atleast_2d(kind, dtype, n):
    """A row."""
    return one(kind, dtype, n)


@operation("np.moveaxis(A, 0, 1)", EIGHT)
def moveaxis(kind, dtype, n):
    """Axes exchanged, in NumPy's Python layer."""
    return matrix(kind, dtype, n)


@operation(
    "np.concatenate((x, y))", over(kind="array", dtype="f8", n=(1, 8, 64, 1024)), cpp=plain("concatenate", "x", "y")
)
def concatenate(kind, dtype, n):
    """Two arrays end to end."""
    return two(kind, dtype, n)


@operation("np.stack((x, y))", FEW)
def stack(kind, dtype, n):
    """Two arrays as rows."""
    return two(kind, dtype, n)


@operation("np.vstack((x, y))", EIGHT)
def vstack(kind, dtype, n):
    """Two arrays as rows, the older way."""
    return two(kind, dtype, n)


@operation("np.hstack((x, y))", EIGHT)
def hstack(kind, dtype, n):
    """Two arrays end to end, the older way."""
    return two(kind, dtype, n)


@operation("np.split(x, 4)", EIGHT)
def split(kind, dtype, n):
    """Four views."""
    return one(kind, dtype, n)


@operation("np.repeat(x, 2)", FEW)
def repeat(kind, dtype, n):
    """Each element twice."""
    return one(kind, dtype, n)


@operation("np.tile(x, 2)", EIGHT)
def tile(kind, dtype, n):
    """The whole twice."""
    return one(kind, dtype, n)


@operation("np.roll(x, 1)", EIGHT)
def roll(kind, dtype, n):
    """Moved by one, the last first."""
    return one(kind, dtype, n)


@operation("np.flip(x)", EIGHT)
def flip(kind, dtype, n):
    """A view backwards."""
    return one(kind, dtype, n)


@operation("np.pad(x, 1)", EIGHT)
def pad(kind, dtype, n):
    """A zero at either end: almost all of it Python."""
    return one(kind, dtype, n)


@operation("np.meshgrid(x, y)", over(kind="array", dtype="f8", n=(8, 32)))
def meshgrid(kind, dtype, n):
    """Two matrices of coordinates."""
    return two(kind, dtype, n)


@operation("np.diff(x)", FEW, cpp=plain("diff", "x"))
def diff(kind, dtype, n):
    """Differences of neighbours."""
    return one(kind, dtype, n)
