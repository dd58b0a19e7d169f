# The words of a suite file: `from tare import operation, over, ufunc, reduce, blas, plain`.
# Standard library only; NumPy is the subject's and is imported by the suite files that use it.
from tare.declare import operation, over
from tare.specs import blas, plain, reduce, ufunc

__all__ = ["blas", "operation", "over", "plain", "reduce", "ufunc"]
