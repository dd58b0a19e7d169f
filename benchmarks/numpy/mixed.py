# Operands that differ: array and Python scalar, two dtypes, broadcast shapes, strided and transposed memory.
import numpy as np

from tare import operation, over, plain, ufunc

from ._make import ARRAYS, EIGHT, FEW, SIZES, array, make

WITH_0D = over(kind="0d", dtype="f8") + ARRAYS
SQUARE = over(kind="array", dtype="f8", n=(4, 32))


@operation("x + 1.0", WITH_0D, native=ufunc("add", "x", 1.0), cpp=plain("add", "x", 1.0))
def add_float(kind, dtype, n=None):
    """An array and a Python float."""
    return {"x": make(kind, dtype, n)}


@operation("1.0 + x", EIGHT, native=ufunc("add", 1.0, "x"), cpp=plain("add", 1.0, "x"))
def radd_float(kind, dtype, n):
    """A Python float and an array: the reflected operator."""
    return {"x": make(kind, dtype, n)}


@operation("x + 1", WITH_0D, native=ufunc("add", "x", 1), cpp=plain("add", "x", 1))
def add_int(kind, dtype, n=None):
    """An array and a Python integer."""
    return {"x": make(kind, dtype, n)}


@operation("x * 2.0", WITH_0D, native=ufunc("multiply", "x", 2.0), cpp=plain("multiply", "x", 2.0))
def multiply_float(kind, dtype, n=None):
    """An array scaled by a Python float."""
    return {"x": make(kind, dtype, n)}


@operation("x + s", EIGHT, native=ufunc("add", "x", "s"), cpp=plain("add", "x", "s"))
def add_float64(kind, dtype, n):
    """An array and a NumPy scalar."""
    return {"x": make(kind, dtype, n), "s": make("float64", "f8", label="s")}


@operation("x + z", EIGHT, native=ufunc("add", "x", "z"), cpp=plain("add", "x", "z"))
def add_0d(kind, dtype, n):
    """An array and a 0-d array."""
    return {"x": make(kind, dtype, n), "z": make("0d", "f8", label="z")}


@operation("x + y", over(kind="array", dtype=("f4", "i8"), n=8), native=ufunc("add", "x", "y"))
def add_dtypes(kind, dtype, n):
    """f4 or i8 and f8: NumPy casts in its buffers."""
    return {"x": array(dtype, n), "y": array("f8", n, "y")}


@operation("A + v", SQUARE, native=ufunc("add", "A", "v"))
def broadcast_row(kind, dtype, n):
    """A matrix and a row."""
    return {"A": array(dtype, (n, n)), "v": array(dtype, n, "v")}


@operation("A + c", SQUARE, native=ufunc("add", "A", "c"))
def broadcast_column(kind, dtype, n):
    """A matrix and a column."""
    return {"A": array(dtype, (n, n)), "c": array(dtype, (n, 1), "c")}


@operation("c + v", SQUARE, native=ufunc("add", "c", "v"))
def broadcast_outer(kind, dtype, n):
    """A column and a row."""
    return {"c": array(dtype, (n, 1), "c"), "v": array(dtype, n, "v")}


@operation("A + B", SQUARE, native=ufunc("add", "A", "B"), cpp=plain("add", "A", "B"))
def add_2d(kind, dtype, n):
    """Two contiguous matrices, one loop."""
    return {"A": array(dtype, (n, n)), "B": array(dtype, (n, n), "B")}


@operation("A + A.T", SQUARE, native=ufunc("add", "A", "A.T"))
def add_transposed(kind, dtype, n):
    """A matrix and its transpose: no common order of memory."""
    return {"A": array(dtype, (n, n))}


@operation("F + G", over(kind="array", dtype="f8", n=8), native=ufunc("add", "F", "G"))
def add_fortran(kind, dtype, n):
    """Two matrices in column order."""
    return {"F": np.asfortranarray(array(dtype, (n, n))), "G": np.asfortranarray(array(dtype, (n, n), "G"))}


@operation("x + y", over(kind="array", dtype="f8", n=SIZES), native=ufunc("add", "x", "y"), cpp=plain("add", "x", "y"))
def add_strided(kind, dtype, n):
    """Every second element of two arrays."""
    return {"x": array(dtype, 2 * n)[::2], "y": array(dtype, 2 * n, "y")[::2]}


@operation("x + y", EIGHT, native=ufunc("add", "x", "y"), cpp=plain("add", "x", "y"))
def add_reversed(kind, dtype, n):
    """Two arrays read backwards."""
    return {"x": array(dtype, n)[::-1], "y": array(dtype, n, "y")[::-1]}


@operation("np.add(x, y, out=o)", EIGHT, native=ufunc("add", "x", "y", out="o"), cpp=plain("add", "x", "y", out="o"))
def add_strided_out(kind, dtype, n):
    """Contiguous operands into every second element."""
    return {"x": array(dtype, n), "y": array(dtype, n, "y"), "o": array(dtype, 2 * n, "o")[::2]}


@operation("np.sqrt(x)", FEW, native=ufunc("sqrt", "x"), cpp=plain("sqrt", "x"))
def sqrt_strided(kind, dtype, n):
    """The square root of every fourth element."""
    return {"x": array(dtype, 4 * n)[::4]}


@operation("x + y", over(kind="array", dtype="f8", n=(1, 8)), native=ufunc("add", "x", "y"), cpp=plain("add", "x", "y"))
def add_4d(kind, dtype, n):
    """Four dimensions, three of them of length 1."""
    return {"x": array(dtype, (1, 1, 1, n)), "y": array(dtype, (1, 1, 1, n), "y")}
