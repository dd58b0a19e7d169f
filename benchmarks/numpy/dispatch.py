# NumPy's machinery around functions: floating point error state, overrides by subclasses and duck arrays, protocols.
import numpy as np

from tare import operation

from ._make import EIGHT, array, make


class Plain(np.ndarray):
    """A subclass that overrides nothing."""


class Finalized(np.ndarray):
    """A subclass with the method that NumPy calls for each new array."""

    def __array_finalize__(self, obj):
        self.unit = getattr(obj, "unit", None)


class Duck:
    """No array, but takes over NumPy's functions and ufuncs; it answers with itself."""

    def __array_function__(self, func, types, args, kwargs):
        return self

    def __array_ufunc__(self, ufunc, method, *inputs, **kwargs):
        return self


class Reflected:
    """Opts out of ufuncs, so that `x + r` comes to its own reflected operator."""

    __array_ufunc__ = None

    def __radd__(self, other):
        return self


class Convertible:
    """Gives an array when asked."""

    def __init__(self, values):
        self.values = values

    def __array__(self, dtype=None, copy=None):
        return self.values


@operation("with np.errstate(all='ignore'):\n    pass")
def errstate():
    """Entering and leaving an error state."""
    return {}


@operation("with np.errstate(divide='ignore', invalid='ignore'):\n    x / y", EIGHT)
def errstate_divide(kind, dtype, n):
    """A division inside an error state, as it is often written."""
    return {"x": array(dtype, n), "y": array(dtype, n, "y")}


@operation("np.geterr()")
def geterr():
    """Reading the error state."""
    return {}


@operation("np.sum(x)", EIGHT)
def subclass_sum(kind, dtype, n):
    """A function of a subclass that overrides nothing."""
    return {"x": make(kind, dtype, n).view(Plain)}


@operation("x + y", EIGHT)
def subclass_add(kind, dtype, n):
    """Two of a subclass that overrides nothing."""
    return {"x": make(kind, dtype, n).view(Plain), "y": make(kind, dtype, n, "y").view(Plain)}


@operation("x + y", EIGHT)
def subclass_add_finalize(kind, dtype, n):
    """Two of a subclass that is called for each new array."""
    return {"x": make(kind, dtype, n).view(Finalized), "y": make(kind, dtype, n, "y").view(Finalized)}


@operation("x[1:-1]", EIGHT)
def subclass_slice(kind, dtype, n):
    """A view on a subclass that is called for each new array."""
    return {"x": make(kind, dtype, n).view(Finalized)}


@operation("np.concatenate((d, d))")
def duck_function():
    """`__array_function__` of a class that is no array; its own work is nothing."""
    return {"d": Duck()}


@operation("np.mean(d)")
def duck_python_function():
    """`__array_function__` for a function of NumPy's Python layer."""
    return {"d": Duck()}


@operation("np.add(d, 1.0)")
def duck_ufunc():
    """`__array_ufunc__` of a class that is no array."""
    return {"d": Duck()}


@operation("x + d", EIGHT)
def duck_add(kind, dtype, n):
    """An array and a duck: `__array_ufunc__` through the operator."""
    return {"x": array(dtype, n), "d": Duck()}


@operation("x + r", EIGHT)
def reflected_add(kind, dtype, n):
    """An array and an object that opts out of ufuncs."""
    return {"x": array(dtype, n), "r": Reflected()}


@operation("np.asarray(c)", EIGHT)
def array_protocol(kind, dtype, n):
    """An object with `__array__`."""
    return {"c": Convertible(array(dtype, n))}


@operation("np.asarray(b)", EIGHT)
def buffer_protocol(kind, dtype, n):
    """An object with the buffer protocol."""
    return {"b": memoryview(array(dtype, n))}


@operation("np.shares_memory(x, y)", EIGHT)
def shares_memory(kind, dtype, n):
    """Two views on one buffer."""
    x = array(dtype, n)
    return {"x": x, "y": x[::2]}


@operation("np.can_cast(s, t)")
def can_cast():
    """Is a cast safe: from f4 to f8."""
    return {"s": np.dtype("f4"), "t": np.dtype("f8")}


@operation("isinstance(x, np.ndarray)", EIGHT)
def isinstance_(kind, dtype, n):
    """The test that much code begins with."""
    return {"x": array(dtype, n)}
