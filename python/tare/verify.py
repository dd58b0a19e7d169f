# Is what a native or cpp rung computed what the statement computes? Compared right after the rung ran, on the very
# buffers it read; arrays that the statement changes are put back.
from __future__ import annotations

import sys
from typing import Any

from tare.prepared import Prepared

# The same routine on the same buffers is bit for bit the same. Where NumPy calls its routine with another split or
# alignment (a blocked reduction, a peeled loop), the sum of a few roundings differs: 4 units in the last place of the
# largest element.
NATIVE_BOUND_ULP = 4.0
# A plain loop adds in another order and uses libm: n * eps / 2 at n = 64 to 1024 in the worst case, far less as seen.
CPP_BOUND_RATIO = {"f": 1e-5, "F": 1e-5, "d": 1e-12, "D": 1e-12}


def verify(prepared: Prepared, kind: str) -> dict[str, Any]:
    """Compares the rung's output with the statement's value, evaluated once in Python.

    Returns {"equality": "bitwise"} (NaN equals NaN, -0.0 equals 0.0) or {"equality": "within N ulp", "max_ulp": u},
    u counted in units in the last place of the largest magnitude in the value.
    Errors: ValueError with place and values where they differ by more than the bound of the kind.
    """
    np = sys.modules["numpy"]
    request = getattr(prepared, kind)
    if request is None:
        raise ValueError(f"{prepared.case.name} has no {kind} rung: {getattr(prepared, kind + '_problem')}")
    output = request["output"]
    outputs = output if isinstance(output, tuple) else (output,)
    values = _value(np, prepared)
    values = values if isinstance(output, tuple) else (values,)
    if len(values) != len(outputs):
        raise ValueError(f"{kind} has {len(outputs)} outputs, the statement {len(values)}")
    worst = max(_compare(np, np.asarray(v), o, kind, prepared.case.name) for v, o in zip(values, outputs))
    if worst == 0.0:
        return {"equality": "bitwise"}
    return {"equality": f"within {int(-(-worst // 1))} ulp", "max_ulp": worst}


def _value(np: Any, prepared: Prepared) -> Any:
    """The statement's value, its arrays copied, with all operands as they were before."""
    arrays = [a for a in prepared.operands.values() if isinstance(a, np.ndarray) and a.flags.writeable]
    before = [a.copy() for a in arrays]
    try:
        value = prepared.case.statement.value(prepared.operands, prepared.module_globals)
        return tuple(np.array(v) for v in value) if isinstance(value, tuple) else np.array(value)
    finally:
        for array, old in zip(arrays, before):
            array[...] = old


def _compare(np: Any, expected: Any, got: Any, kind: str, name: str) -> float:
    """The largest distance in ulp of the largest magnitude; 0.0 for equal bits."""
    if expected.shape != got.shape or expected.dtype != got.dtype:
        raise ValueError(
            f"{name}: {kind} gives {got.dtype} of shape {got.shape}, the statement {expected.dtype} of {expected.shape}"
        )
    inexact = expected.dtype.kind in "fc"
    same = expected == got
    if inexact:
        same |= np.isnan(expected) & np.isnan(got)
    if same.all():
        return 0.0
    with np.errstate(all="ignore"):
        if not inexact:
            raise ValueError(_difference(np, expected, got, ~same, kind, name, "integers must be equal"))
        finite = np.abs(expected[np.isfinite(expected)])
        largest = finite.max() if finite.size else finite.dtype.type(0)
        distance = np.where(same, 0.0, np.abs(expected - got))
        unit = float(np.spacing(largest))
        bound = NATIVE_BOUND_ULP * unit if kind == "native" else CPP_BOUND_RATIO[expected.dtype.char] * float(largest)
        outside = ~(distance <= bound)  # also where one side alone is NaN
    if outside.any():
        reason = f"the bound is {bound:.3g}, the largest magnitude {largest:.3g}"
        raise ValueError(_difference(np, expected, got, outside, kind, name, reason))
    return float(distance.max()) / unit


def _difference(np: Any, expected: Any, got: Any, outside: Any, kind: str, name: str, reason: str) -> str:
    place = tuple(int(i[0]) for i in np.nonzero(np.atleast_1d(outside)))
    e, g = np.atleast_1d(expected)[place].item(), np.atleast_1d(got)[place].item()
    at = f" at {list(place)}" if expected.ndim else ""
    count = int(np.count_nonzero(outside))
    return f"{name}: {kind} gives {g!r}{at}, the statement {e!r}; {count} of {expected.size} elements differ ({reason})"
