# Mathematics of one argument. For kind=float the statement is Python's own function, the scalar baseline.
import math

import numpy as np

from tare import operation, over, plain, ufunc

from ._make import EIGHT, FEW, FLOAT_ARRAYS, SCALARS, array, either, make, real_only

__all__ = ["math", "np"]
COMPLEX = over(kind="array", dtype="c16", n=(8, 1024))


def one(kind, dtype, n):
    return {"x": make(kind, dtype, n)}


@operation(
    either("math.sqrt(x)", "np.sqrt(x)"), SCALARS + FLOAT_ARRAYS, native=ufunc("sqrt", "x"), cpp=plain("sqrt", "x")
)
def sqrt(kind, dtype=None, n=None):
    """Square root."""
    return one(kind, dtype, n)


@operation("np.sqrt(x, out=o)", FEW, native=ufunc("sqrt", "x", out="o"), cpp=plain("sqrt", "x", out="o"))
def sqrt_out(kind, dtype, n):
    """Square root into an array that exists."""
    return {"x": make(kind, dtype, n), "o": array(dtype, n, "out")}


@operation(
    either("math.exp(x)", "np.exp(x)"),
    SCALARS + FLOAT_ARRAYS + over(kind="array", dtype="c16", n=8),
    native=ufunc("exp", "x"),
    cpp=real_only(plain("exp", "x")),
)
def exp(kind, dtype=None, n=None):
    """Exponential."""
    return one(kind, dtype, n)


@operation(either("math.log(x)", "np.log(x)"), SCALARS + FLOAT_ARRAYS, native=ufunc("log", "x"), cpp=plain("log", "x"))
def log(kind, dtype=None, n=None):
    """Natural logarithm."""
    return one(kind, dtype, n)


@operation(either("math.sin(x)", "np.sin(x)"), SCALARS + FLOAT_ARRAYS, native=ufunc("sin", "x"), cpp=plain("sin", "x"))
def sin(kind, dtype=None, n=None):
    """Sine."""
    return one(kind, dtype, n)


@operation("np.sin(x)", over(kind=("float", "float64"), dtype="f8"))
def sin_of_scalar(kind, dtype):
    """NumPy's sine of a scalar, as people write it by habit."""
    return one(kind, dtype, None)


@operation(
    either("math.cos(x)", "np.cos(x)"), over(kind="float") + EIGHT, native=ufunc("cos", "x"), cpp=plain("cos", "x")
)
def cos(kind, dtype=None, n=None):
    """Cosine."""
    return one(kind, dtype, n)


@operation(
    either("math.tanh(x)", "np.tanh(x)"),
    over(kind="float") + FLOAT_ARRAYS,
    native=ufunc("tanh", "x"),
    cpp=plain("tanh", "x"),
)
def tanh(kind, dtype=None, n=None):
    """Hyperbolic tangent."""
    return one(kind, dtype, n)


@operation(
    either("math.log1p(x)", "np.log1p(x)"),
    over(kind="float") + EIGHT,
    native=ufunc("log1p", "x"),
    cpp=plain("log1p", "x"),
)
def log1p(kind, dtype=None, n=None):
    """log(1 + x)."""
    return one(kind, dtype, n)


@operation(
    either("math.floor(x)", "np.floor(x)"),
    over(kind="float") + EIGHT,
    native=ufunc("floor", "x"),
    cpp=plain("floor", "x"),
)
def floor(kind, dtype=None, n=None):
    """Rounding down."""
    return one(kind, dtype, n)


@operation("np.sign(x)", over(kind="0d", dtype="f8") + EIGHT, native=ufunc("sign", "x"))
def sign(kind, dtype=None, n=None):
    """-1, 0 or 1."""
    return one(kind, dtype, n)


@operation(
    "np.square(x)", over(kind="0d", dtype="f8") + FLOAT_ARRAYS, native=ufunc("square", "x"), cpp=plain("square", "x")
)
def square(kind, dtype, n=None):
    """x * x by name."""
    return one(kind, dtype, n)


@operation("np.reciprocal(x)", EIGHT, native=ufunc("reciprocal", "x"), cpp=plain("reciprocal", "x"))
def reciprocal(kind, dtype, n):
    """1 / x by name."""
    return one(kind, dtype, n)


@operation(either("round(x, 1)", "np.round(x, 1)"), SCALARS + EIGHT)
def round_(kind, dtype=None, n=None):
    """Rounding to one decimal."""
    return one(kind, dtype, n)


@operation("np.conjugate(x)", COMPLEX, native=ufunc("conjugate", "x"), cpp=plain("conjugate", "x"))
def conjugate(kind, dtype, n):
    """Complex conjugate."""
    return one(kind, dtype, n)


@operation("x.real", COMPLEX)
def real(kind, dtype, n):
    """The view on the real parts."""
    return one(kind, dtype, n)


@operation("np.abs(x)", COMPLEX, native=ufunc("absolute", "x"), cpp=plain("absolute", "x"))
def complex_modulus(kind, dtype, n):
    """The modulus of complex numbers."""
    return one(kind, dtype, n)


@operation("np.angle(x)", COMPLEX)
def angle(kind, dtype, n):
    """The argument of complex numbers, in NumPy's Python layer."""
    return one(kind, dtype, n)
