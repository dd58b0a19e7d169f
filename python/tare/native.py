# A spec and live operands turned into what C++ needs to run a rung without Python: addresses, shapes, strides in
# bytes, and the name of NumPy's loop. The output is an array of the rung's own; the inputs are the operands' memory,
# except where NumPy would cast them too: those are converted once, and options["converted"] says so.
from __future__ import annotations

import sys
from typing import Any

from tare.buffers import as_dtype, buffer_of, request_of, result_array
from tare.plain_request import plain_request
from tare.specs import Spec
from tare.statement import evaluate

_BLAS_DIMENSIONS: dict[str, list[tuple[int, ...]]] = {
    "dot": [(1, 1)],
    "gemv": [(2, 1), (1, 2)],
    "gemm": [(2, 2)],
    "syrk": [(2,)],
}


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
    if spec.family == "ufunc":
        return _ufunc(np, spec, values, out)
    if spec.family == "reduce":
        return _reduce(np, spec, values[0])
    if spec.family == "blas":
        return _blas(np, spec, values)
    return plain_request(np, spec, values, out)


def _ufunc(np: Any, spec: Spec, values: list[Any], out: Any) -> dict[str, Any]:
    function = _ufunc_named(np, spec.routine)
    if function.nin != len(values):
        raise ValueError(f"np.{spec.routine} takes {function.nin} inputs, {len(values)} given")
    loop = _choose_loop(np, function, values)
    options: dict[str, str] = {}
    inputs = [as_dtype(np, v, char, options) for v, char in zip(values, loop)]
    outputs = [result_array(np, inputs, char, out) for char in loop[len(inputs) + 2 :]]
    shape = outputs[0].shape
    buffers = [buffer_of(a, shape) for a in inputs] + [buffer_of(a, shape, writeable=True) for a in outputs]
    output = outputs[0] if len(outputs) == 1 else tuple(outputs)
    return request_of(spec, buffers, [*inputs, *outputs], output, options, (function, loop))


def _reduce(np: Any, spec: Spec, operand: Any) -> dict[str, Any]:
    function = _ufunc_named(np, spec.routine)
    if not isinstance(operand, np.ndarray):
        raise ValueError(f"{spec!r}: the operand is {type(operand).__name__}, not an array")
    if not (operand.ndim <= 1 or operand.flags.forc):
        raise ValueError(f"{spec!r}: only a contiguous or one-dimensional operand is reduced by one call of the loop")
    char = operand.dtype.char
    loop = f"{char}{char}->{char}"
    # Sums and products of bool and of integers narrower than `long` are taken in `long` (np.add.reduce, dtype=).
    if loop not in function.types or (spec.routine in ("add", "multiply") and char in "?bBhHiI"):
        raise ValueError(f"np.{spec.routine}.reduce has no loop {loop}: NumPy casts {operand.dtype} first")
    output = np.empty((), operand.dtype)
    # NumPy starts from the identity where the ufunc has one, else from the first element.
    options = {"identity": "none" if function.identity is None else str(int(function.identity))}
    buffers = [buffer_of(operand), buffer_of(output, writeable=True)]
    return request_of(spec, buffers, [operand, output], output, options, (function, loop))


def _blas(np: Any, spec: Spec, inputs: list[Any]) -> dict[str, Any]:
    for array in inputs:
        if not isinstance(array, np.ndarray):
            raise ValueError(f"{spec!r}: an operand is {type(array).__name__}, not an array")
        if array.dtype.char not in "fdFD" or array.dtype != inputs[0].dtype:
            raise ValueError(f"{spec!r}: NumPy does not take the BLAS route for {array.dtype}")
    dimensions: tuple[int, ...] = tuple(a.ndim for a in inputs)
    if dimensions not in _BLAS_DIMENSIONS[spec.routine]:
        raise ValueError(f"{spec!r}: operands of {dimensions} dimensions")
    first, last = inputs[0], inputs[-1]
    if spec.routine == "syrk":
        shape: tuple[int, ...] = (first.shape[0], first.shape[0])
    else:
        if first.shape[-1] != last.shape[0]:
            raise ValueError(f"{spec!r}: shapes {first.shape} and {last.shape} do not match")
        shape = first.shape[:-1] + last.shape[1:]
    if spec.routine == "gemm" and _transposed(first, last):
        raise ValueError(f"{spec!r}: both operands are one buffer, one transposed: NumPy calls syrk, declare that")
    output = np.empty(shape, first.dtype)
    options = {**spec.options, "numpy_module": numpy_module().__file__}
    buffers = [*map(buffer_of, inputs), buffer_of(output, writeable=True)]
    return request_of(spec, buffers, [*inputs, output], output, options)


def _ufunc_named(np: Any, name: str) -> Any:
    function: Any = getattr(np, name, None)
    if not isinstance(function, np.ufunc):  # np.clip is a Python function around the ufunc of that name
        function = getattr(numpy_module(), name, None)
    if not isinstance(function, np.ufunc):
        raise ValueError(f"NumPy {np.__version__} has no ufunc {name!r}")
    if function.signature is not None:
        raise ValueError(f"np.{name} is a generalised ufunc; its inner loop works on whole matrices")
    return function


_loops: dict[tuple[Any, ...], str] = {}


def _choose_loop(np: Any, function: Any, values: list[Any]) -> str:
    """The entry of `function.types` that NumPy runs for these inputs."""
    if int(np.__version__.partition(".")[0]) >= 2:  # types decide; a Python number counts as of no width
        kinds = [v.dtype if isinstance(v, (np.ndarray, np.generic)) else type(v) for v in values]
        key = (function, *kinds)
        if key not in _loops:
            resolved = function.resolve_dtypes((*kinds, *(None,) * function.nout))
            chars = "".join(dtype.char for dtype in resolved)
            loop = f"{chars[: function.nin]}->{chars[function.nin :]}"
            if loop not in function.types:
                raise ValueError(f"np.{function.__name__} has no loop {loop} of the classic kind")
            _loops[key] = loop
        return _loops[key]
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


def _transposed(a: Any, b: Any) -> bool:
    """NumPy's condition for syrk: one buffer, shapes and strides reversed (`A @ A.T`), one of the two in C order."""
    return bool(
        a.__array_interface__["data"][0] == b.__array_interface__["data"][0]
        and a.shape == b.shape[::-1]
        and a.strides == b.strides[::-1]
        and a.flags.c_contiguous != b.flags.c_contiguous
    )
