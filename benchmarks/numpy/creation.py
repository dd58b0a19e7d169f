# New arrays, and conversion from and to Python objects and other dtypes.
import numpy as np

from tare import operation, over, plain

from ._make import DTYPES, EIGHT, FEW, FLOATS, SIZES, array, make

__all__ = ["np"]
LENGTHS = over(n=(8, 1024))


@operation("np.empty(n)", LENGTHS)
def empty(n):
    """Uninitialised memory."""
    return {"n": n}


@operation("np.empty(())")
def empty_0d():
    """A 0-d array."""
    return {}


@operation("np.zeros(n, d)", over(dtype=DTYPES, n=8))
def zeros(dtype, n):
    """Zeros of a dtype."""
    return {"n": n, "d": np.dtype(dtype)}


@operation("np.zeros((n, n))", over(n=(2, 8, 32)))
def zeros_2d(n):
    """A matrix of zeros."""
    return {"n": n}


@operation("np.ones(n)", LENGTHS, cpp=plain("fill", 1.0, out="np.empty(n)"))
def ones(n):
    """Ones: empty, then filled, in NumPy's Python layer."""
    return {"n": n}


@operation("np.full(n, 2.0)", LENGTHS, cpp=plain("fill", 2.0, out="np.empty(n)"))
def full(n):
    """A constant."""
    return {"n": n}


@operation("np.zeros_like(x)", EIGHT)
def zeros_like(kind, dtype, n):
    """Zeros in the shape of another array."""
    return {"x": make(kind, dtype, n)}


@operation("np.empty_like(x)", EIGHT)
def empty_like(kind, dtype, n):
    """Memory in the shape of another array."""
    return {"x": make(kind, dtype, n)}


@operation("np.arange(n)", LENGTHS)
def arange(n):
    """Integers from 0."""
    return {"n": n}


@operation("np.linspace(0.0, 1.0, n)", over(n=(8, 1024)))
def linspace(n):
    """Equal steps, in NumPy's Python layer."""
    return {"n": n}


@operation("np.eye(n)", over(n=(2, 8, 32)))
def eye(n):
    """The identity matrix."""
    return {"n": n}


@operation("np.array(1.5)")
def array_from_float():
    """A 0-d array from a Python float."""
    return {}


@operation("np.array(values)", over(n=SIZES))
def array_from_list(n):
    """An array from a list of Python floats."""
    return {"values": array("f8", n).tolist()}


@operation("np.array(rows)", over(n=(2, 8)))
def array_from_nested_list(n):
    """A matrix from a list of lists."""
    return {"rows": array("f8", (n, n)).tolist()}


@operation("np.array(scalars)", over(n=8))
def array_from_scalars(n):
    """An array from a list of NumPy scalars."""
    return {"scalars": list(array("f8", n))}


@operation("np.asarray(x)", over(kind="0d", dtype="f8") + FEW)
def asarray(kind, dtype, n=None):
    """Of what is an array already: the same object."""
    return {"x": make(kind, dtype, n)}


@operation("np.asarray(values, dtype=np.float64)", over(n=(1, 8, 1024)))
def asarray_list(n):
    """Of a list, with the dtype given."""
    return {"values": array("f8", n).tolist()}


@operation("np.array(x)", FEW, cpp=plain("copy", "x"))
def array_from_array(kind, dtype, n):
    """A copy by constructor."""
    return {"x": make(kind, dtype, n)}


@operation(
    "x.copy()",
    over(kind="0d", dtype="f8") + FEW + over(kind="array", dtype=("f4", "i8", "c16"), n=8),
    cpp=plain("copy", "x"),
)
def copy(kind, dtype, n=None):
    """A copy as a method."""
    return {"x": make(kind, dtype, n)}


@operation("x.astype(d)", over(dtype=FLOATS, n=(8, 1024)))
def astype(dtype, n):
    """From f8 to f4, or to f8 itself, copied."""
    return {"x": array("f8", n), "d": np.dtype(dtype)}


@operation("x.astype(np.float64, copy=False)", over(n=8))
def astype_same(n):
    """A conversion that has nothing to do."""
    return {"x": array("f8", n)}


@operation("x.tolist()", over(kind="array", dtype="f8", n=SIZES))
def tolist(kind, dtype, n):
    """To a list of Python numbers."""
    return {"x": make(kind, dtype, n)}


@operation("x.tobytes()", EIGHT)
def tobytes(kind, dtype, n):
    """To a bytes object."""
    return {"x": make(kind, dtype, n)}


@operation("np.frombuffer(data)", over(n=(8, 1024)))
def frombuffer(n):
    """A view on a bytes object."""
    return {"data": array("f8", n).tobytes()}


@operation("np.fromiter(values, np.float64, n)", over(n=(8, 1024)))
def fromiter(n):
    """From an iterable, here a tuple of Python floats."""
    return {"values": tuple(array("f8", n).tolist()), "n": n}


@operation("np.ascontiguousarray(x)", FEW, cpp=plain("copy", "x"))
def ascontiguousarray(kind, dtype, n):
    """A copy of every second element."""
    return {"x": array(dtype, 2 * n)[::2]}


@operation("np.dtype('f8')")
def dtype_from_text():
    """A dtype from its name."""
    return {}


@operation("np.result_type(x, y)", over(n=8))
def result_type(n):
    """What f4 and i8 become together."""
    return {"x": array("f4", n), "y": array("i8", n)}
