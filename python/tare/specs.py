# What a suite file says about the native and cpp rungs of an operation: plain data, checked when declared.
# tare.native turns a spec into buffers once live operands exist.
from __future__ import annotations

# routine -> (number of operands, what decides the shape of the result). benchmarks/native has a loop of each name.
PLAIN_ROUTINES = {
    **dict.fromkeys(("add", "subtract", "multiply", "divide", "maximum", "minimum"), (2, "elementwise")),
    **dict.fromkeys(("less", "less_equal", "greater", "greater_equal", "equal", "not_equal"), (2, "elementwise")),
    **dict.fromkeys(("logical_and", "logical_or", "power", "hypot", "arctan2", "copysign"), (2, "elementwise")),
    **dict.fromkeys(("negative", "absolute", "square", "reciprocal", "conjugate"), (1, "elementwise")),
    **dict.fromkeys(("sqrt", "exp", "log", "sin", "cos", "tan", "tanh", "arctan"), (1, "elementwise")),
    **dict.fromkeys(("expm1", "log1p", "floor", "ceil", "trunc", "rint"), (1, "elementwise")),
    **dict.fromkeys(("isnan", "isfinite", "isinf", "logical_not", "copy", "fill"), (1, "elementwise")),
    **dict.fromkeys(("clip", "where"), (3, "elementwise")),
    **dict.fromkeys(("sum", "prod", "mean", "var", "std", "max", "min", "ptp"), (1, "reduction")),
    **dict.fromkeys(("argmax", "argmin", "count_nonzero", "any", "all", "norm", "trace"), (1, "reduction")),
    **dict.fromkeys(("dot", "vdot"), (2, "reduction")),
    **dict.fromkeys(("sort", "argsort", "cumsum", "cumprod", "diff", "reverse"), (1, "sequence")),
    **dict.fromkeys(("take", "searchsorted", "concatenate"), (2, "sequence")),
    **dict.fromkeys(("matmul", "matvec", "vecmat", "outer"), (2, "product")),
    **dict.fromkeys(("matmul_t", "t_matmul"), (1, "product")),
}
BLAS_ROUTINES = {"dot": (2, ""), "gemv": (2, ""), "gemm": (2, ""), "syrk": (1, "")}


class Spec:
    """One native or cpp rung as declared. Operands are expressions over the operands' names, or numbers."""

    __slots__ = ("family", "routine", "operands", "out", "options")

    def __init__(
        self, family: str, routine: str, operands: tuple[object, ...], out: str | None, options: dict[str, str]
    ):
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


def _counted(family: str, counts: dict[str, tuple[int, str]], routine: str, operands: tuple[object, ...]) -> None:
    if routine not in counts:
        raise ValueError(f"{family}() has no routine {routine!r}; it has {', '.join(sorted(counts))}")
    count = counts[routine][0]
    if len(operands) != count:
        raise ValueError(f"{family}({routine!r}) takes {count} operands, {len(operands)} given")


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
    """The `cblas_*` routine that NumPy itself calls: `dot` x, y; `gemv` A, v or v, A; `gemm` A, B; `syrk` A: A @ A.T.

    A transposed operand is written as such: `A.T @ A` is `blas("syrk", "A.T")`. Where both operands of a product are
    one buffer and one of them is transposed, NumPy calls syrk: so must the suite. `caller="dot"` where NumPy comes
    from np.dot and not from `@`, which pass other arguments for the same product.
    """
    _counted("blas", BLAS_ROUTINES, routine, operands)
    return Spec("blas", routine, operands, None, {key: str(value) for key, value in options.items()})


def plain(routine: str, *operands: object, out: str | None = None) -> Spec:
    """A plain C++ loop, for reference only; `PLAIN_ROUTINES` names them. `matmul_t` A is A @ A.T, `t_matmul` A is
    A.T @ A; `take` x, places; `clip` x, low, high; `where` condition, x, y; `fill` value, shaped as `out`."""
    _counted("plain", PLAIN_ROUTINES, routine, operands)
    return Spec("plain", routine, operands, out, {})
