# The @ operator, its out= form, products of a matrix with its own transpose, inner, einsum and others.
import numpy as np

from tare import blas, operation, over, plain, ufunc

from ._make import array, where_blas

__all__ = ["np"]
SQUARE = over(kind="array", dtype="f4", n=(4, 8, 64)) + over(kind="array", dtype="f8", n=8)
FEW = over(kind="array", dtype="f8", n=(4, 32))


def vectors(dtype, n):
    return {"x": array(dtype, n), "y": array(dtype, n, "y")}


def matrices(dtype, n, **more):
    return {"A": array(dtype, (n, n)), "B": array(dtype, (n, n), "B"), **more}


@operation(
    "x @ y",
    over(kind="array", dtype="f8", n=(1, 8, 64, 1024)) + over(kind="array", dtype=("f4", "i8", "c16"), n=8),
    native=where_blas(blas("dot", "x", "y")),
    cpp=plain("dot", "x", "y"),
)
def matmul_vv(kind, dtype, n):
    """Vector by vector."""
    return vectors(dtype, n)


@operation(
    "A @ x",
    over(kind="array", dtype="f8", n=(2, 8, 64)) + over(kind="array", dtype="f4", n=8),
    native=blas("gemv", "A", "x"),
    cpp=plain("matvec", "A", "x"),
)
def matmul_mv(kind, dtype, n):
    """Matrix by vector."""
    return {"A": array(dtype, (n, n)), "x": array(dtype, n)}


@operation(
    "x @ A", over(kind="array", dtype="f8", n=(2, 8, 64)), native=blas("gemv", "x", "A"), cpp=plain("vecmat", "x", "A")
)
def matmul_vm(kind, dtype, n):
    """Vector by matrix."""
    return {"A": array(dtype, (n, n)), "x": array(dtype, n)}


@operation(
    "A @ B",
    over(kind="array", dtype=("f4", "f8"), n=(2, 4, 8, 16, 32, 64))
    + over(kind="array", dtype=("i8", "c16"), n=(2, 32)),
    native=where_blas(blas("gemm", "A", "B")),
    cpp=plain("matmul", "A", "B"),
)
def matmul(kind, dtype, n):
    """Matrix by matrix."""
    return matrices(dtype, n)


@operation("A @ A.T", SQUARE, native=blas("syrk", "A"), cpp=plain("matmul_t", "A"))
def matmul_aat(kind, dtype, n):
    """A matrix by its own transpose: syrk."""
    return {"A": array(dtype, (n, n))}


@operation("A.T @ A", SQUARE, native=blas("syrk", "A.T"), cpp=plain("t_matmul", "A"))
def matmul_ata(kind, dtype, n):
    """The transpose by the matrix: syrk."""
    return {"A": array(dtype, (n, n))}


@operation("A @ B.T", SQUARE, native=blas("gemm", "A", "B.T"), cpp=plain("matmul", "A", "B.T"))
def matmul_abt(kind, dtype, n):
    """A matrix by another's transpose: gemm."""
    return matrices(dtype, n)


@operation("np.matmul(A, B, out=C)", SQUARE, native=blas("gemm", "A", "B"), cpp=plain("matmul", "A", "B"))
def matmul_out(kind, dtype, n):
    """Matrix by matrix into one that exists."""
    return matrices(dtype, n, C=np.zeros((n, n), dtype))


@operation("S @ S", over(kind="array", dtype="f8", n=(2, 8)))
def matmul_stack(kind, dtype, n):
    """Sixteen pairs of matrices."""
    return {"S": array(dtype, (16, n, n))}


@operation("A[::2] @ B", over(kind="array", dtype="f8", n=(8, 32)))
def matmul_strided(kind, dtype, n):
    """Every second row by a matrix."""
    return matrices(dtype, n)


@operation("A @ B @ x", FEW)
def matmul_chain(kind, dtype, n):
    """Two products, taken from the left."""
    return matrices(dtype, n, x=array(dtype, n))


@operation(
    "np.inner(x, y)",
    over(kind="array", dtype="f8", n=(8, 1024)),
    native=blas("dot", "x", "y", caller="dot"),
    cpp=plain("dot", "x", "y"),
)
def inner(kind, dtype, n):
    """Vector by vector."""
    return vectors(dtype, n)


@operation("np.inner(A, B)", FEW, native=blas("gemm", "A", "B.T", caller="dot"), cpp=plain("matmul", "A", "B.T"))
def inner_2d(kind, dtype, n):
    """Rows by rows."""
    return matrices(dtype, n)


@operation(
    "np.outer(x, y)",
    over(kind="array", dtype="f8", n=(4, 32)),
    native=ufunc("multiply", "x[:, None]", "y"),
    cpp=plain("outer", "x", "y"),
)
def outer(kind, dtype, n):
    """All products of an element of x and one of y."""
    return vectors(dtype, n)


@operation("np.einsum('i,i->', x, y)", over(kind="array", dtype="f8", n=(8, 1024)))
def einsum_vv(kind, dtype, n):
    """Vector by vector, by a formula."""
    return vectors(dtype, n)


@operation("np.einsum('ij,jk->ik', A, B)", FEW)
def einsum_mm(kind, dtype, n):
    """Matrix by matrix, by a formula."""
    return matrices(dtype, n)


@operation("np.einsum('ij,jk->ik', A, B, optimize=True)", FEW)
def einsum_mm_optimized(kind, dtype, n):
    """Matrix by matrix, by a formula that is rearranged first."""
    return matrices(dtype, n)


@operation("np.trace(A)", FEW, cpp=plain("trace", "A"))
def trace(kind, dtype, n):
    """The sum of the diagonal."""
    return matrices(dtype, n)


@operation("np.kron(A, B)", over(kind="array", dtype="f8", n=(2, 4)))
def kron(kind, dtype, n):
    """The Kronecker product."""
    return matrices(dtype, n)


@operation("np.cross(x, y)", over(kind="array", dtype="f8", n=3))
def cross(kind, dtype, n):
    """The vector product in three dimensions."""
    return vectors(dtype, n)
