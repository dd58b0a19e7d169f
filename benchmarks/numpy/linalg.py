# np.linalg of small matrices: the LAPACK call is short, what surrounds it is not.
import numpy as np

from tare import operation, over, plain

from ._make import array, spd, square

__all__ = ["np"]
SIZES = over(kind="array", dtype="f8", n=(2, 4, 8, 32)) + over(kind="array", dtype=("f4", "c16"), n=4)
FEW = over(kind="array", dtype="f8", n=(2, 16))


@operation("np.linalg.inv(A)", SIZES)
def inv(kind, dtype, n):
    """The inverse."""
    return {"A": square(dtype, n)}


@operation("np.linalg.solve(A, b)", SIZES)
def solve(kind, dtype, n):
    """One right-hand side."""
    return {"A": square(dtype, n), "b": array(dtype, n, "b")}


@operation("np.linalg.det(A)", SIZES)
def det(kind, dtype, n):
    """The determinant."""
    return {"A": square(dtype, n)}


@operation(
    "np.linalg.norm(x)",
    over(kind="array", dtype="f8", n=(1, 8, 64, 1024)) + over(kind="array", dtype="f4", n=8),
    cpp=plain("norm", "x"),
)
def norm(kind, dtype, n):
    """The length of a vector."""
    return {"x": array(dtype, n)}


@operation("np.linalg.norm(A)", FEW)
def norm_frobenius(kind, dtype, n):
    """The Frobenius norm of a matrix."""
    return {"A": square(dtype, n)}


@operation("np.linalg.norm(V, axis=1)", over(kind="array", dtype="f8", n=(8, 1024)))
def norm_axis(kind, dtype, n):
    """The lengths of n vectors of three."""
    return {"V": array(dtype, (n, 3))}


@operation("np.linalg.cholesky(A)", FEW)
def cholesky(kind, dtype, n):
    """The Cholesky factor."""
    return {"A": spd(n)}


@operation("np.linalg.eigvalsh(A)", FEW)
def eigvalsh(kind, dtype, n):
    """The eigenvalues of a symmetric matrix."""
    return {"A": spd(n)}


@operation("np.linalg.qr(A)", FEW)
def qr(kind, dtype, n):
    """The QR factors."""
    return {"A": square(dtype, n)}


@operation("np.linalg.svd(A)", FEW)
def svd(kind, dtype, n):
    """The singular values and vectors."""
    return {"A": square(dtype, n)}


@operation("np.linalg.matrix_power(A, 3)", FEW)
def matrix_power(kind, dtype, n):
    """The third power."""
    return {"A": square(dtype, n)}
