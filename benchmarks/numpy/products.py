# Products through np.dot and its kin: every name here contains `dot`, so that `--filter dot` picks this family.
import numpy as np

from tare import blas, operation, over, plain

from ._make import array, where_blas

__all__ = ["np"]


def matrices(dtype, n, **more):
    return {"A": array(dtype, (n, n)), "B": array(dtype, (n, n), "B"), **more}


@operation(
    "np.dot(x, y)",
    over(kind="array", dtype="f8", n=(1, 8, 64, 1024))
    + over(kind="array", dtype="f4", n=(8, 1024))
    + over(kind="array", dtype=("i8", "c16"), n=8),
    native=where_blas(blas("dot", "x", "y", caller="dot")),
    cpp=plain("dot", "x", "y"),
)
def dot(kind, dtype, n):
    """Vector by vector."""
    return {"x": array(dtype, n), "y": array(dtype, n, "y")}


@operation(
    "np.dot(A, x)",
    over(kind="array", dtype="f8", n=(4, 8, 64)) + over(kind="array", dtype="f4", n=8),
    native=blas("gemv", "A", "x", caller="dot"),
    cpp=plain("matvec", "A", "x"),
)
def dot_mv(kind, dtype, n):
    """Matrix by vector."""
    return {"A": array(dtype, (n, n)), "x": array(dtype, n)}


@operation(
    "np.dot(A, B)",
    over(kind="array", dtype="f4", n=(4, 8, 64))
    + over(kind="array", dtype="f8", n=(4, 64))
    + over(kind="array", dtype=("i8", "c16"), n=8),
    native=where_blas(blas("gemm", "A", "B", caller="dot")),
    cpp=plain("matmul", "A", "B"),
)
def dot_mm(kind, dtype, n):
    """Matrix by matrix."""
    return matrices(dtype, n)


@operation(
    "np.dot(A, A.T)",
    over(kind="array", dtype="f4", n=(4, 8, 64)),
    native=blas("syrk", "A", caller="dot"),
    cpp=plain("matmul_t", "A"),
)
def dot_aat(kind, dtype, n):
    """A matrix by its own transpose, which NumPy recognises."""
    return {"A": array(dtype, (n, n))}


@operation(
    "np.dot(A, B, out=C)",
    over(kind="array", dtype="f8", n=(4, 64)),
    native=blas("gemm", "A", "B", caller="dot"),
    cpp=plain("matmul", "A", "B"),
)
def dot_out(kind, dtype, n):
    """Matrix by matrix into one that exists."""
    return matrices(dtype, n, C=np.zeros((n, n), dtype))


@operation(
    "A.dot(B)",
    over(kind="array", dtype="f8", n=8),
    native=blas("gemm", "A", "B", caller="dot"),
    cpp=plain("matmul", "A", "B"),
)
def dot_method(kind, dtype, n):
    """Matrix by matrix as a method."""
    return matrices(dtype, n)


@operation(
    "np.vdot(x, y)",
    over(kind="array", dtype="f8", n=(8, 1024)),
    native=blas("dot", "x", "y", caller="dot"),
    cpp=plain("dot", "x", "y"),
)
def vdot(kind, dtype, n):
    """Vector by vector, flattened and conjugated."""
    return {"x": array(dtype, n), "y": array(dtype, n, "y")}


@operation(
    "np.tensordot(A, B, 1)",
    over(kind="array", dtype="f8", n=(4, 64)),
    native=blas("gemm", "A", "B", caller="dot"),
    cpp=plain("matmul", "A", "B"),
)
def tensordot(kind, dtype, n):
    """Matrix by matrix through NumPy's Python layer."""
    return matrices(dtype, n)
