# What a suite file says about the native and cpp rungs of an operation: plain data, checked when declared.
# tare.native turns a spec into buffers once live operands exist.
from __future__ import annotations

# routine -> number of operands; the C++ side has one routine of each name.
PLAIN_ROUTINES = {
    **dict.fromkeys(("add", "subtract", "multiply", "divide", "less", "equal"), 2),
    **dict.fromkeys(("negative", "absolute", "sqrt", "exp", "sin", "copy", "fill", "sort", "cumsum"), 1),
    **dict.fromkeys(("sum", "prod", "max", "min", "mean", "any"), 1),
    **dict.fromkeys(("dot", "matvec", "matmul", "matmul_t", "take"), 2),
    **dict.fromkeys(("clip", "where"), 3),
}
BLAS_ROUTINES = {"dot": 2, "gemv": 2, "gemm": 2, "syrk": 1}


class Spec:
    """One native or cpp rung as declared. Operands are expressions over the operands' names, or numbers."""

    __slots__ = ("family", "routine", "operands", "out", "options")

    def __init__(self, family: str, routine: str, operands: tuple, out: str | None, options: dict[str, str]):
        for operand in operands:
            if isinstance(operand, bool) or not isinstance(operand, (str, int, float, complex)):
                raise TypeError(f"{family}({routine!r}): operand {operand!r} is neither an expression nor a number")
        self.family = family
        self.routine = routine
        self.operands = operands
        self.out = out
        self.options = options

    def __repr__(self) -> str:
        return f"{self.family}({', '.join(map(repr, (self.routine, *self.operands)))})"


def _counted(family: str, counts: dict[str, int], routine: str, operands: tuple) -> None:
    if routine not in counts:
        raise ValueError(f"{family}() has no routine {routine!r}; it has {', '.join(sorted(counts))}")
    if len(operands) != counts[routine]:
        raise ValueError(f"{family}({routine!r}) takes {counts[routine]} operands, {len(operands)} given")


def ufunc(name: str, *inputs: object, out: str | None = None) -> Spec:
    """NumPy's own inner loop of `np.<name>` over the inputs.

    `out` names an operand whose shape, dtype and layout the result has (`np.add(x, y, out=o)`, `x += y`). The rung
    writes to an array of its own that is made like it, so the operands keep their values.
    """
    if not inputs:
        raise ValueError(f"ufunc({name!r}) needs its inputs")
    return Spec("ufunc", name, inputs, out, {})


def reduce(ufunc_name: str, operand: str) -> Spec:
    """NumPy's own inner loop of `np.<ufunc_name>` as its `reduce` runs it over all elements of one operand."""
    return Spec("reduce", ufunc_name, (operand,), None, {})


def blas(routine: str, *operands: str, **options: object) -> Spec:
    """The `cblas_*` routine that NumPy itself calls: `dot` x, y; `gemv` A, v; `gemm` A, B; `syrk` A, for A @ A.T.

    A transposed operand is written as such: `A.T @ A` is `blas("syrk", "A.T")`. Where both operands of a product are
    one buffer and one of them is transposed, NumPy calls syrk: so must the suite.
    """
    _counted("blas", BLAS_ROUTINES, routine, operands)
    return Spec("blas", routine, operands, None, {key: str(value) for key, value in options.items()})


def plain(routine: str, *operands: object, out: str | None = None) -> Spec:
    """A plain C++ loop, for reference only. `matmul_t` x, y is x @ y.T; `take` x, indices; `clip` x, low, high;
    `where` condition, x, y; `fill` value (its shape from `out`). `out` as in `ufunc`."""
    _counted("plain", PLAIN_ROUTINES, routine, operands)
    return Spec("plain", routine, operands, out, {})
