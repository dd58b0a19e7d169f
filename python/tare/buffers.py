# Arrays as C++ sees them: an address, lengths, strides in bytes, a type character. And the arrays made for results.
from __future__ import annotations

from typing import Any

Shape = tuple[int, ...]  # evaluated: subscripted builtins need CPython 3.9
Buffer = tuple[int, Shape, Shape, str, int, bool]


def buffer_of(array: Any, shape: Shape | None = None, writeable: bool = False) -> Buffer:
    """(address, shape, strides in bytes, type character, item size in bytes, writeable), broadcast to `shape`: a
    repeated axis has stride 0."""
    own, strides = array.shape, array.strides
    if shape is not None and shape != own:
        missing = len(shape) - len(own)
        inner = tuple(s if n == m else 0 for s, n, m in zip(strides, own, shape[missing:]))
        own, strides = shape, (0,) * missing + inner
    dtype = array.dtype
    return (array.__array_interface__["data"][0], own, strides, dtype.char, dtype.itemsize, writeable)


def broadcast_shape(shapes: list[Shape]) -> Shape:
    """The shape of an elementwise result. Errors: ValueError where the shapes do not go together."""
    longest = max(map(len, shapes))
    padded = [(1,) * (longest - len(s)) + s for s in shapes]
    result = tuple(next((n for n in axis if n != 1), 1) for axis in zip(*padded))
    if any(n not in (1, m) for s in padded for n, m in zip(s, result)):
        raise ValueError(f"shapes {', '.join(map(str, shapes))} do not go together")
    return result


def as_dtype(np: Any, value: Any, char: str, options: dict[str, str]) -> Any:
    """An array of the dtype: the operand's own memory, or converted once where NumPy would cast it at every call."""
    if not isinstance(value, np.ndarray):
        return np.array(value, char)
    if value.dtype == np.dtype(char):
        return value
    options["converted"] = "1"
    return value.astype(char)


def result_array(np: Any, inputs: list[Any], char: str, out: Any) -> Any:
    """An array of the rung's own with the shape and layout of an elementwise result, or of `out`.

    Errors: ValueError for an `out` that is neither contiguous nor one-dimensional with a positive step.
    """
    if out is None:
        shape = broadcast_shape([a.shape for a in inputs])
        fortran = len(shape) > 1 and all(a.flags.fnc for a in inputs if a.ndim > 1)
        return np.empty(shape, char, "F" if fortran else "C")
    if out.flags.forc:
        return np.empty(out.shape, out.dtype, "F" if out.flags.fnc else "C")
    step = out.strides[0] // out.itemsize if out.ndim == 1 else 0
    if step < 1:
        raise ValueError(f"out= of shape {out.shape} and strides {out.strides}: neither contiguous nor stepping ahead")
    return np.empty(len(out) * step, out.dtype)[::step]


def request_of(
    spec: Any, buffers: list[Buffer], keep: list[Any], output: Any, options: dict[str, str], loop: Any = (None, None)
) -> dict[str, Any]:
    """What the C++ side reads. `keep` owns the memory of the buffers; `loop` is a ufunc and one of its types."""
    function, types = loop
    if types is not None:
        options["signature"] = types
    return {
        "family": spec.family,
        "routine": spec.routine,
        "buffers": buffers,
        "ufunc": function,
        "loop_types": types,
        "options": options,
        "output": output,
        "keep": keep,
    }
