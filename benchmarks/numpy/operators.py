# Arithmetic operators: a Python float, np.float64, 0-d and small arrays side by side.
from tare import operation, over, plain, ufunc

from ._make import ARRAYS, EIGHT, FEW, FLOAT_ARRAYS, SCALARS, array, make

GROWING = over(kind="array", dtype="f8", n=(1, 2, 4, 8, 16, 32, 64, 128, 256, 1024))


def two(kind, dtype, n):
    return {"x": make(kind, dtype, n), "y": make(kind, dtype, n, "y")}


@operation(
    "x + y",
    SCALARS + GROWING + over(kind="array", dtype=("f4", "i8", "c16"), n=(1, 8, 64, 1024)),
    native=ufunc("add", "x", "y"),
    cpp=plain("add", "x", "y"),
)
def add(kind, dtype=None, n=None):
    """Elementwise addition."""
    return two(kind, dtype, n)


@operation("x - y", SCALARS + ARRAYS, native=ufunc("subtract", "x", "y"), cpp=plain("subtract", "x", "y"))
def subtract(kind, dtype=None, n=None):
    """Elementwise subtraction."""
    return two(kind, dtype, n)


@operation("x * y", SCALARS + ARRAYS, native=ufunc("multiply", "x", "y"), cpp=plain("multiply", "x", "y"))
def multiply(kind, dtype=None, n=None):
    """Elementwise multiplication."""
    return two(kind, dtype, n)


@operation("x / y", SCALARS + ARRAYS, native=ufunc("true_divide", "x", "y"), cpp=plain("divide", "x", "y"))
def divide(kind, dtype=None, n=None):
    """Elementwise true division."""
    return two(kind, dtype, n)


@operation("x // y", SCALARS + EIGHT, native=ufunc("floor_divide", "x", "y"))
def floor_divide(kind, dtype=None, n=None):
    """Elementwise floor division."""
    return two(kind, dtype, n)


@operation("x % y", SCALARS + EIGHT, native=ufunc("remainder", "x", "y"))
def remainder(kind, dtype=None, n=None):
    """Elementwise remainder."""
    return two(kind, dtype, n)


@operation("x ** y", SCALARS + EIGHT, native=ufunc("power", "x", "y"), cpp=plain("power", "x", "y"))
def power(kind, dtype=None, n=None):
    """Elementwise power with an array of exponents."""
    return two(kind, dtype, n)


@operation("x ** 2", SCALARS + FEW, native=ufunc("square", "x"), cpp=plain("square", "x"))
def power_2(kind, dtype=None, n=None):
    """The square, which NumPy takes a short cut for."""
    return {"x": make(kind, dtype, n)}


@operation("-x", SCALARS + FLOAT_ARRAYS, native=ufunc("negative", "x"), cpp=plain("negative", "x"))
def negative(kind, dtype=None, n=None):
    """Unary minus."""
    return {"x": make(kind, dtype, n)}


@operation("abs(x)", SCALARS + FLOAT_ARRAYS, native=ufunc("absolute", "x"), cpp=plain("absolute", "x"))
def absolute(kind, dtype=None, n=None):
    """The built-in abs."""
    return {"x": make(kind, dtype, n)}


@operation("divmod(x, y)", over(kind="float") + EIGHT, native=ufunc("divmod", "x", "y"))
def divmod_(kind, dtype=None, n=None):
    """Quotient and remainder: two outputs."""
    return two(kind, dtype, n)


@operation("x += y", SCALARS + ARRAYS, native=ufunc("add", "x", "y", out="x"), cpp=plain("add", "x", "y", out="x"))
def iadd(kind, dtype=None, n=None):
    """In-place addition of zeros, so that the values stay."""
    return {"x": make(kind, dtype, n), "y": make(kind, dtype, n, "y") * 0}


@operation("x *= 1.0", SCALARS + EIGHT, native=ufunc("multiply", "x", 1.0, out="x"))
def imul_float(kind, dtype=None, n=None):
    """In-place multiplication by a Python float."""
    return {"x": make(kind, dtype, n)}


@operation("x * y + z", SCALARS + EIGHT)
def multiply_add(kind, dtype=None, n=None):
    """Two operations with a temporary between them."""
    return {**two(kind, dtype, n), "z": make(kind, dtype, n, "z")}


@operation("x & y", over(kind="array", dtype="i8", n=(8, 1024)), native=ufunc("bitwise_and", "x", "y"))
def bitwise_and(kind, dtype, n):
    """Elementwise and of integers."""
    return two(kind, dtype, n)


@operation("x << 2", over(kind="array", dtype="i8", n=(8, 1024)), native=ufunc("left_shift", "x", 2))
def left_shift(kind, dtype, n):
    """Elementwise shift of integers by a Python integer."""
    return {"x": make(kind, dtype, n)}


@operation("~m", over(kind="array", n=(8, 1024)), native=ufunc("invert", "m"))
def invert_mask(kind, n):
    """The opposite of a boolean mask."""
    return {"m": array("i8", n) > 5}


@operation("x + x", EIGHT, native=ufunc("add", "x", "x"), cpp=plain("add", "x", "x"))
def double(kind, dtype, n):
    """Both operands are one object."""
    return {"x": make(kind, dtype, n)}
