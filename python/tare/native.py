# A spec and live operands turned into what C++ needs to run a rung without Python: addresses, shapes, strides in
# bytes, and the name of NumPy's loop. The output is an array of the rung's own; the inputs are the operands' memory,
# except where NumPy would cast them too: those are converted once, and options["converted"] says so.
from __future__ import annotations

import sys
from typing import Any

from tare.specs import Spec
from tare.statement import evaluate

_REDUCED = ("sum", "prod", "max", "min", "mean", "any")
_TO_BOOL = ("less", "equal", "any")
_PLAIN_DTYPES = "fdlD?"


def numpy_module() -> Any:
    """The extension module `_multiarray_umath` that the subject's NumPy runs."""
    modules = sys.modules
    return modules.get("numpy._core._multiarray_umath") or modules["numpy.core._multiarray_umath"]


def request(spec: Spec, operands: dict[str, Any], module_globals: dict[str, Any]) -> dict[str, Any]:
    """The request for one rung. Errors: ValueError where the spec cannot be applied to these operands."""
    np = sys.modules.get("numpy")
    if np is None:
        raise ValueError(f"{spec!r} needs NumPy, which the suite does not import")
    values = [evaluate(o, operands, module_globals) if isinstance(o, str) else o for o in spec.operands]
    out = evaluate(spec.out, operands, module_globals) if spec.out is not None else None
    return _FAMILIES[spec.family](np, spec, values, out)


def _ufunc(np: Any, spec: Spec, values: list, out: Any) -> dict[str, Any]:
    function = _ufunc_named(np, spec.routine)
    if function.nin != len(values):
        raise ValueError(f"np.{spec.routine} takes {function.nin} inputs, {len(values)} given")
    loop = _choose_loop(np, function, values)
    options: dict[str, str] = {}
    inputs = [_as_dtype(np, v, char, options) for v, char in zip(values, loop)]
    outputs = [_output(np, inputs, char, out) for char in loop[len(inputs) + 2 :]]
    shape = outputs[0].shape
    buffers = [_buffer(a, shape) for a in inputs] + [_buffer(a, shape, writeable=True) for a in outputs]
    output = outputs[0] if len(outputs) == 1 else tuple(outputs)
    return _request(spec, buffers, [*inputs, *outputs], output, options, function, loop)


def _reduce(np: Any, spec: Spec, values: list, out: Any) -> dict[str, Any]:
    function = _ufunc_named(np, spec.routine)
    operand = _array(np, values[0], spec)
    if not (operand.ndim <= 1 or operand.flags.forc):
        raise ValueError(f"{spec!r}: only a contiguous or one-dimensional operand is reduced by one call of the loop")
    flat = operand.reshape(-1, order="A") if operand.ndim != 1 else operand
    char = operand.dtype.char
    loop = f"{char}{char}->{char}"
    if loop not in function.types:
        raise ValueError(f"np.{spec.routine} has no loop {loop}: NumPy casts before it reduces {operand.dtype}")
    output = np.empty((), operand.dtype)
    inputs, options = [flat], {"initial": "first"}
    if function.identity is not None:  # NumPy starts from the identity, or from the first element where there is none
        inputs.append(np.array(function.identity, operand.dtype))
        options["initial"] = "identity"
    buffers = [*map(_buffer, inputs), _buffer(output, writeable=True)]
    return _request(spec, buffers, [operand, *inputs, output], output, options, function, loop)


def _blas(np: Any, spec: Spec, values: list, out: Any) -> dict[str, Any]:
    inputs = [_array(np, v, spec) for v in values]
    for array in inputs:
        if array.dtype.char not in "fdFD" or array.dtype != inputs[0].dtype:
            raise ValueError(f"{spec!r}: NumPy does not take the BLAS route for {array.dtype}")
    dimensions = tuple(a.ndim for a in inputs)
    if dimensions != {"dot": (1, 1), "gemv": (2, 1), "gemm": (2, 2), "syrk": (2,)}[spec.routine]:
        raise ValueError(f"{spec!r}: operands have {dimensions} dimensions")
    first, last = inputs[0], inputs[-1]
    if spec.routine == "syrk":
        shape: tuple = (first.shape[0], first.shape[0])
    else:
        if first.shape[-1] != last.shape[0]:
            raise ValueError(f"{spec!r}: shapes {first.shape} and {last.shape} do not match")
        shape = first.shape[:-1] + last.shape[1:]
    if spec.routine == "gemm" and _transposed(first, last):
        raise ValueError(f"{spec!r}: both operands are one buffer, one transposed: NumPy calls syrk, declare that")
    output = np.empty(shape, first.dtype)
    options = {**spec.options, "numpy_module": numpy_module().__file__}
    buffers = [*map(_buffer, inputs), _buffer(output, writeable=True)]
    return _request(spec, buffers, [*inputs, output], output, options)


def _plain(np: Any, spec: Spec, values: list, out: Any) -> dict[str, Any]:
    routine = spec.routine
    if routine == "take":
        indices = _array(np, values.pop(), spec)
        if indices.dtype.char != "l":
            raise ValueError(f"{spec!r}: indices are {indices.dtype}, not int64")
        tail = [indices]
    elif routine == "where":
        tail, values = [], values
        condition = _array(np, values.pop(0), spec)
        if condition.dtype.char != "?":
            raise ValueError(f"{spec!r}: the condition is {condition.dtype}, not bool")
    else:
        tail = []
    char = _common(np, values, out if routine == "fill" else None).char
    if routine in ("divide", "mean", "sqrt", "exp", "sin") and char in "l?":
        char = "d"
    if char not in _PLAIN_DTYPES:
        raise ValueError(f"{spec!r}: no plain loop for {char!r}, only for {_PLAIN_DTYPES!r}")
    options = dict(spec.options)
    inputs = [_as_dtype(np, v, char, options) for v in values]
    if routine == "where":
        inputs.insert(0, condition)
    inputs += tail
    result = "?" if routine in _TO_BOOL else "d" if routine == "absolute" and char == "D" else char
    output = _plain_output(np, routine, inputs, np.dtype(result), out)
    buffers = [*map(_buffer, inputs), _buffer(output, writeable=True)]
    if output.ndim and routine not in ("matvec", "matmul", "matmul_t", "take", "sort", "cumsum"):
        buffers = [_buffer(a, output.shape) for a in inputs] + buffers[-1:]
    return _request(spec, buffers, [*inputs, output], output, options)


_FAMILIES = {"ufunc": _ufunc, "reduce": _reduce, "blas": _blas, "plain": _plain}


def _plain_output(np: Any, routine: str, inputs: list, dtype: Any, out: Any) -> Any:
    if routine in _REDUCED or routine == "dot":
        return np.empty((), dtype)
    if routine == "matvec":
        return np.empty(inputs[0].shape[:1], dtype)
    if routine == "matmul":
        return np.empty((inputs[0].shape[0], inputs[1].shape[1]), dtype)
    if routine == "matmul_t":
        return np.empty((inputs[0].shape[0], inputs[1].shape[0]), dtype)
    if routine == "take":
        return np.empty(inputs[1].shape, dtype)
    return _output(np, inputs, dtype.char, out)


def _request(
    spec: Spec, buffers: list, keep: list, output: Any, options: dict, function: Any = None, loop: str | None = None
) -> dict[str, Any]:
    return {
        "family": spec.family,
        "routine": spec.routine,
        "buffers": buffers,
        "ufunc": function,
        "loop_types": loop,
        "options": options,
        "output": output,
        "keep": keep,
    }


def _ufunc_named(np: Any, name: str) -> Any:
    function = getattr(np, name, None)
    if not isinstance(function, np.ufunc):  # np.clip is a Python function around the ufunc of that name
        function = getattr(numpy_module(), name, None)
    if not isinstance(function, np.ufunc):
        raise ValueError(f"NumPy {np.__version__} has no ufunc {name!r}")
    if function.signature is not None:
        raise ValueError(f"np.{name} is a generalised ufunc; its inner loop works on whole matrices")
    return function


_loops: dict[tuple, str] = {}


def _choose_loop(np: Any, function: Any, values: list) -> str:
    """The entry of `function.types` that NumPy runs for these inputs."""
    weak = [type(v) if isinstance(v, (int, float, complex)) and not isinstance(v, np.generic) else None for v in values]
    if int(np.__version__.partition(".")[0]) >= 2:
        key = (function, *(w or v.dtype for v, w in zip(values, weak)))
        if key not in _loops:
            resolved = function.resolve_dtypes((*key[1:], *(None,) * function.nout))
            chars = "".join(dtype.char for dtype in resolved)
            _loops[key] = f"{chars[: function.nin]}->{chars[function.nin :]}"
        loop = _loops[key]
        if loop not in function.types:
            raise ValueError(f"np.{function.__name__} has no loop {loop} of the classic kind")
        return loop
    # NumPy 1 looks at values as well as types, and takes the first loop that all inputs can be cast to safely.
    common = np.result_type(*values)
    key = (function, common)
    if key not in _loops:
        fits = (t for t in function.types if all(np.can_cast(common, char) for char in t[: function.nin]))
        found = next(fits, None)
        if found is None:
            raise ValueError(f"np.{function.__name__} has no loop for {common}")
        _loops[key] = found
    return _loops[key]


def _array(np: Any, value: Any, spec: Spec) -> Any:
    if not isinstance(value, np.ndarray):
        raise ValueError(f"{spec!r}: an operand is {type(value).__name__}, not an array")
    return value


def _common(np: Any, values: list, out: Any) -> Any:
    return out.dtype if out is not None else np.result_type(*values)


def _as_dtype(np: Any, value: Any, char: str, options: dict[str, str]) -> Any:
    if not isinstance(value, np.ndarray):
        return np.array(value, char)
    if value.dtype.char == char or value.dtype == np.dtype(char):
        return value
    options["converted"] = "1"
    return value.astype(char)


def _output(np: Any, inputs: list, char: str, out: Any) -> Any:
    """An array of the rung's own with the shape and layout of the statement's result."""
    if out is None:
        shape = _broadcast(tuple(a.shape for a in inputs))
        fortran = len(shape) > 1 and all(a.flags.fnc for a in inputs if a.ndim > 1)
        return np.empty(shape, char, "F" if fortran else "C")
    if out.flags.forc:
        return np.empty(out.shape, out.dtype, "F" if out.flags.fnc else "C")
    step = out.strides[0] // out.itemsize if out.ndim == 1 else 0
    if step < 1:
        raise ValueError("an output that is neither contiguous nor one-dimensional with a positive step")
    return np.empty(len(out) * step, out.dtype)[::step]


def _broadcast(shapes: tuple[tuple[int, ...], ...]) -> tuple[int, ...]:
    longest = max(map(len, shapes))
    padded = [(1,) * (longest - len(s)) + s for s in shapes]
    return tuple(next((n for n in axis if n != 1), 1) for axis in zip(*padded))


def _buffer(array: Any, shape: tuple[int, ...] | None = None, writeable: bool = False) -> tuple:
    """(address, shape, strides in bytes, type character, item size in bytes, writeable); stride 0 where broadcast."""
    own, strides = array.shape, array.strides
    if shape is not None and shape != own:
        missing = len(shape) - len(own)
        strides = (0,) * missing + tuple(s if n == m else 0 for s, n, m in zip(strides, own, shape[missing:]))
        own = shape
    dtype = array.dtype
    return (array.__array_interface__["data"][0], own, strides, dtype.char, dtype.itemsize, writeable)


def _transposed(a: Any, b: Any) -> bool:
    """NumPy's condition for syrk: one buffer, shapes and strides reversed (`A @ A.T`)."""
    return (
        a.__array_interface__["data"][0] == b.__array_interface__["data"][0]
        and a.shape == b.shape[::-1]
        and a.strides == b.strides[::-1]
        and a.flags.c_contiguous != b.flags.c_contiguous
    )
