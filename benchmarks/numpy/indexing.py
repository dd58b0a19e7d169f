# Reading and writing parts of an array. Written values leave the array fit for the next execution.
import numpy as np

from tare import operation, over, plain, ufunc

from ._make import DTYPES, EIGHT, FEW, REAL_ARRAYS, SIZES, array, indices, make, mask

__all__ = ["np"]
MATRIX = over(kind="array", dtype="f8", n=8)


def one(kind, dtype, n):
    return {"x": make(kind, dtype, n)}


@operation("x[3]", over(kind="list", n=8) + over(kind="array", dtype=DTYPES, n=8))
def getitem(kind, n, dtype=None):
    """One element, as a scalar; of a list for comparison."""
    return {"x": array("f8", n).tolist() if kind == "list" else array(dtype, n)}


@operation("x[i]", over(kind="array", dtype="f8", n=8))
def getitem_numpy_index(kind, dtype, n):
    """One element by a NumPy integer."""
    return {"x": array(dtype, n), "i": np.int64(3)}


@operation("x[1:-1]", over(kind="list", n=(8, 1024)) + FEW)
def getitem_slice(kind, n, dtype=None):
    """A view without the ends; of a list a copy."""
    return {"x": array("f8", n).tolist() if kind == "list" else array(dtype, n)}


@operation("x[::2]", EIGHT)
def getitem_step(kind, dtype, n):
    """A view on every second element."""
    return one(kind, dtype, n)


@operation("x[...]", EIGHT)
def getitem_ellipsis(kind, dtype, n):
    """A view on everything."""
    return one(kind, dtype, n)


@operation("x[:, None]", EIGHT)
def getitem_newaxis(kind, dtype, n):
    """A column."""
    return one(kind, dtype, n)


@operation("A[1, 2]", over(kind="list", n=8) + MATRIX)
def getitem_2d(kind, n, dtype=None):
    """One element of a matrix; of a dict keyed by pairs for comparison."""
    if kind == "list":
        return {"A": {(i, j): 1.5 for i in range(n) for j in range(n)}}
    return {"A": array(dtype, (n, n))}


@operation("A[1]", MATRIX)
def getitem_row(kind, dtype, n):
    """A view on a row."""
    return {"A": array(dtype, (n, n))}


@operation("A[:, 1]", MATRIX)
def getitem_column(kind, dtype, n):
    """A view on a column."""
    return {"A": array(dtype, (n, n))}


@operation("x[m]", FEW)
def getitem_mask(kind, dtype, n):
    """Those where a mask is true."""
    return {"x": array(dtype, n), "m": mask(n)}


@operation(
    "x[i]",
    over(kind="array", dtype="f8", n=SIZES) + over(kind="array", dtype="f4", n=(8, 1024)),
    cpp=plain("take", "x", "i"),
)
def getitem_indices(kind, dtype, n):
    """Those at n places."""
    return {"x": array(dtype, n), "i": indices(n)}


@operation("np.take(x, i)", FEW, cpp=plain("take", "x", "i"))
def take(kind, dtype, n):
    """Those at n places, by function."""
    return {"x": array(dtype, n), "i": indices(n)}


@operation("A[i, j]", over(kind="array", dtype="f8", n=(8, 32)))
def getitem_pairs(kind, dtype, n):
    """The diagonal by two arrays of places."""
    return {"A": array(dtype, (n, n)), "i": np.arange(n), "j": np.arange(n)}


@operation("x[3] = 1.0", over(kind="list", n=8) + over(kind="array", dtype=DTYPES, n=8))
def setitem(kind, n, dtype=None):
    """One element; of a list for comparison."""
    return {"x": array("f8", n).tolist() if kind == "list" else array(dtype, n)}


@operation("x[3] += 0.0", over(kind="list", n=8) + over(kind="array", dtype="f8", n=8))
def setitem_add(kind, n, dtype=None):
    """Read, add and write one element."""
    return {"x": array("f8", n).tolist() if kind == "list" else array(dtype, n)}


@operation("x[1:-1] = 1.0", FEW)
def setitem_slice(kind, dtype, n):
    """A float into all but the ends."""
    return one(kind, dtype, n)


@operation("x[...] = y", FEW + over(kind="array", dtype=("f4", "i8", "c16"), n=8), cpp=plain("copy", "y"))
def setitem_array(kind, dtype, n):
    """Another array's elements into this one."""
    return {"x": array(dtype, n), "y": array(dtype, n, "y")}


@operation("x[...] = y", EIGHT)
def setitem_cast(kind, dtype, n):
    """As setitem_array, cast from f4."""
    return {"x": array(dtype, n), "y": array("f4", n, "y")}


@operation("x[m] = 1.0", FEW)
def setitem_mask(kind, dtype, n):
    """A float where a mask is true."""
    return {"x": array(dtype, n), "m": mask(n)}


@operation("x[i] = y", FEW)
def setitem_indices(kind, dtype, n):
    """An array's elements to n places."""
    return {"x": array(dtype, n), "i": indices(n), "y": array(dtype, n, "y")}


@operation("x.fill(1.0)", over(kind="0d", dtype="f8") + FEW)
def fill(kind, dtype, n=None):
    """A float everywhere."""
    return one(kind, dtype, n)


@operation("np.copyto(x, y)", EIGHT)
def copyto(kind, dtype, n):
    """Another array's elements into this one, by function."""
    return {"x": array(dtype, n), "y": array(dtype, n, "y")}


@operation(
    "np.where(m, x, y)",
    REAL_ARRAYS,
    cpp=plain("where", "m", "x", "y"),
)
def where(kind, dtype, n):
    """One or the other by a mask."""
    return {"m": mask(n), "x": array(dtype, n), "y": array(dtype, n, "y")}


@operation(
    "np.clip(x, 0.75, 1.25)",
    over(kind="0d", dtype="f8") + over(kind="array", dtype=("f4", "f8"), n=(8, 1024)),
    native=ufunc("clip", "x", 0.75, 1.25),
    cpp=plain("clip", "x", 0.75, 1.25),
)
def clip(kind, dtype, n=None):
    """Limited to a range."""
    return one(kind, dtype, n)


@operation("np.diag(A)", over(kind="array", dtype="f8", n=(8, 32)))
def diag(kind, dtype, n):
    """A copy of the diagonal."""
    return {"A": array(dtype, (n, n))}
