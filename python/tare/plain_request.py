# The request for a plain C++ loop: which dtype it runs in, and the shape and dtype of its output.
# The loops themselves, and the dtypes each has, are in benchmarks/native/plain_*.cpp.
from __future__ import annotations

from typing import Any

from tare.buffers import as_dtype, buffer_of, request_of, result_array
from tare.specs import PLAIN_ROUTINES, Spec

_BOOLEAN = frozenset(
    (
        *("less", "less_equal", "greater", "greater_equal", "equal", "not_equal"),
        *("logical_and", "logical_or", "logical_not", "isnan", "isfinite", "isinf", "any", "all"),
    )
)
_PLACES = frozenset(("argmax", "argmin", "argsort", "searchsorted", "count_nonzero"))
# Of integers NumPy computes these in f8; the loops that exist for integers themselves are not among them.
_INEXACT = frozenset(
    (
        *("sqrt", "exp", "log", "sin", "cos", "tan", "tanh", "arctan", "expm1", "log1p"),
        *("reciprocal", "power", "hypot", "arctan2", "var", "std"),
    )
)
_INTEGER_TO_FLOAT = frozenset(("divide", "mean"))


def plain_request(np: Any, spec: Spec, values: list[Any], out: Any) -> dict[str, Any]:
    """Errors: ValueError where an operand has no dtype or shape that the routine takes."""
    routine = spec.routine
    form = PLAIN_ROUTINES[routine][1]
    fixed: dict[int, Any] = {}  # operands with a dtype of their own, by place
    if routine == "take":
        fixed[1] = _of_dtype(np, spec, values[1], "l")
    elif routine == "where":
        fixed[0] = _of_dtype(np, spec, values[0], "?")
    free = [v for place, v in enumerate(values) if place not in fixed]
    common = (out.dtype if routine == "fill" and out is not None else np.result_type(*free)).char
    if routine in _INEXACT and common in "l?":
        common = "d"
    options = dict(spec.options)
    inputs = [fixed[p] if p in fixed else as_dtype(np, v, common, options) for p, v in enumerate(values)]
    char = _result_char(routine, common)
    if form == "elementwise":
        output = result_array(np, inputs, char, out)
        buffers = [buffer_of(a, output.shape) for a in inputs]
    else:
        output = np.empty(_result_shape(routine, form, [a.shape for a in inputs]), char)
        buffers = [buffer_of(a) for a in inputs]
    return request_of(spec, [*buffers, buffer_of(output, writeable=True)], [*inputs, output], output, options)


def _result_char(routine: str, common: str) -> str:
    if routine in _BOOLEAN:
        return "?"
    if routine in _PLACES or (routine == "sum" and common == "?"):
        return "l"
    if (routine in _INTEGER_TO_FLOAT and common == "l") or (routine == "absolute" and common == "D"):
        return "d"
    return common


def _result_shape(routine: str, form: str, shapes: list[tuple[int, ...]]) -> tuple[int, ...]:
    if form == "reduction":
        return ()
    first, last = shapes[0], shapes[-1]
    if routine == "diff":
        return (first[0] - 1,)
    if routine == "concatenate":
        return (first[0] + last[0],)
    if routine == "outer":
        return first + last
    if routine in ("matmul_t", "t_matmul"):
        n = first[0] if routine == "matmul_t" else first[1]
        return (n, n)
    if form == "product":  # matmul, matvec, vecmat
        return first[:-1] + last[1:]
    return last  # sort, cumsum: of the operand; take, searchsorted: of the places or the values looked for


def _of_dtype(np: Any, spec: Spec, value: Any, char: str) -> Any:
    if not isinstance(value, np.ndarray) or value.dtype.char != char:
        kind = value.dtype if isinstance(value, np.ndarray) else type(value).__name__
        raise ValueError(f"{spec!r}: an operand is {kind}, not {np.dtype(char)}")
    return value
