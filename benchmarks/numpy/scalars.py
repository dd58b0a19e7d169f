# One number: Python's float, NumPy's scalars and 0-d arrays, and the ways between them.
import numpy as np

from tare import operation, over

from ._make import SCALARS, array, make

__all__ = ["np"]
NUMPY_SCALARS = over(kind=("float64", "0d"), dtype=("f8", "i8"))


@operation("float(x)", SCALARS)
def to_float(kind, dtype=None):
    """To a Python float."""
    return {"x": make(kind, dtype)}


@operation("int(x)", SCALARS)
def to_int(kind, dtype=None):
    """To a Python integer."""
    return {"x": make(kind, dtype)}


@operation("bool(x)", SCALARS)
def to_bool(kind, dtype=None):
    """The truth value, as `if x:` takes it."""
    return {"x": make(kind, dtype)}


@operation("x.item()", NUMPY_SCALARS)
def item(kind, dtype):
    """The Python object of the same value."""
    return {"x": make(kind, dtype)}


@operation("x[()]", NUMPY_SCALARS)
def getitem_empty_tuple(kind, dtype):
    """The scalar in a 0-d array."""
    return {"x": make(kind, dtype)}


@operation("np.float64(x)", SCALARS)
def new_float64(kind, dtype=None):
    """A NumPy scalar from a number."""
    return {"x": make(kind, dtype)}


@operation("x + 1.0", SCALARS)
def scalar_add_float(kind, dtype=None):
    """A scalar and a Python float."""
    return {"x": make(kind, dtype)}


@operation("x + 1", over(kind=("float64", "0d"), dtype="i8"))
def scalar_add_int(kind, dtype):
    """A NumPy integer and a Python integer."""
    return {"x": make(kind, dtype)}


@operation("x * s", over(kind="float64", dtype=("f4", "f8", "c16")))
def scalar_multiply_mixed(kind, dtype):
    """Two NumPy scalars of different types, but for f8."""
    return {"x": make(kind, dtype), "s": make("float64", "f8", label="s")}


@operation("hash(x)", over(kind="float") + over(kind="float64", dtype="f8"))
def hash_(kind, dtype=None):
    """As a key of a dict."""
    return {"x": make(kind, dtype)}


@operation("x in c", over(kind="float") + over(kind="float64", dtype="f8"))
def in_set(kind, dtype=None):
    """Membership in a set of Python floats."""
    return {"x": make(kind, dtype), "c": {0.25, 1.25, make("float")}}


@operation("str(x)", SCALARS)
def str_(kind, dtype=None):
    """The text of a number."""
    return {"x": make(kind, dtype)}


@operation("np.isscalar(x)", over(kind="float") + over(kind="float64", dtype="f8"))
def isscalar(kind, dtype=None):
    """A test in NumPy's Python layer."""
    return {"x": make(kind, dtype)}


@operation("v[2] + v[3]", over(kind="list") + over(kind="array", dtype="f8"))
def element_add(kind, dtype=None):
    """Two elements taken out and added: a list against an array."""
    v = array("f8", 8)
    return {"v": v.tolist() if kind == "list" else v}


@operation("for e in v:\n    e + 1.0", over(kind="list", n=64) + over(kind="array", n=64))
def loop_over(kind, n):
    """A Python loop over the elements."""
    v = array("f8", n)
    return {"v": v.tolist() if kind == "list" else v}
