# Operands of the NumPy suite: values fixed by label, dtype and shape (the same in every process and NumPy), memory
# new at every call. Values lie between 0.5 and 1.5 (integers 1 to 9): no overflow, no warning, no cancellation.
import functools
import random
import zlib

import numpy as np

from tare import over

DTYPES = ("f4", "f8", "i8", "c16")
REALS = ("f4", "f8", "i8")
FLOATS = ("f4", "f8")
INEXACT = ("f4", "f8", "c16")
SIZES = (1, 8, 64, 1024)

# Parameter sets that many operations share. `kind=float` is the scalar baseline.
SCALARS = over(kind="float") + over(kind=("float64", "0d"), dtype="f8")
EIGHT = over(kind="array", dtype="f8", n=8)
FEW = over(kind="array", dtype="f8", n=(8, 1024))
ARRAYS = over(kind="array", dtype="f8", n=SIZES) + over(kind="array", dtype=("f4", "i8", "c16"), n=8)
REAL_ARRAYS = over(kind="array", dtype="f8", n=SIZES) + over(kind="array", dtype=("f4", "i8"), n=8)
FLOAT_ARRAYS = over(kind="array", dtype="f8", n=SIZES) + over(kind="array", dtype="f4", n=8)


def make(kind, dtype=None, n=None, label="x"):
    """One operand: a Python float, a NumPy scalar, a 0-d array, or an array of n (or of a shape)."""
    if kind == "array":
        return array(dtype, n, label)
    value = _values(label, dtype or "f8", ())
    if kind == "float":
        return value.item()
    return value[()] if kind == "float64" else value.copy()


def array(dtype, shape, label="x"):
    return _values(label, dtype, shape).copy()


def square(dtype, n, label="A"):
    """An n by n matrix, well conditioned: n is added to the diagonal."""
    return _values(label, dtype, (n, n)) + np.eye(n, dtype=dtype) * n


def spd(n):
    """Symmetric and positive definite."""
    a = square("f8", n)
    return a + a.T


def mask(n, label="mask"):
    return _values(label, "i8", n) > 5


def indices(n, label="indices"):
    """n places in an array of n, repeating ones among them."""
    return _values(label, "i8", n) * 7919 % n


def either(scalar, array):
    """A statement that reads `scalar` for kind=float, where the baseline is Python's own way, else `array`."""
    return lambda kind=None, **_: scalar if kind == "float" else array


def real_only(spec):
    """A spec that does not hold for complex operands."""
    return lambda dtype=None, **_: None if dtype == "c16" else spec


def where_blas(spec):
    """A BLAS spec where NumPy takes that way: not for integers, nor for a single element."""
    return lambda dtype=None, n=None, **_: None if dtype == "i8" or n == 1 else spec


@functools.cache
def _values(label, dtype, shape):
    rng = random.Random(zlib.crc32(f"{label}/{dtype}/{shape}".encode()))
    count = int(np.prod(shape, dtype=np.int64))
    if dtype == "i8":
        flat = [rng.randrange(1, 10) for _ in range(count)]
    elif dtype == "c16":
        flat = [complex(0.5 + rng.random(), 0.5 + rng.random()) for _ in range(count)]
    else:
        flat = [0.5 + rng.random() for _ in range(count)]
    return np.array(flat, dtype).reshape(shape)
