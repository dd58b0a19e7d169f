# The words of a suite file: `from tare import operation, over, ufunc, reduce, blas, plain`. And what users call, loaded
# when it is first asked for: run, duet, explain, load, history, and %load_ext tare.
# Standard library only; NumPy is the subject's and is imported by the suite files that use it.
from __future__ import annotations

import importlib
from typing import TYPE_CHECKING

from tare.declare import operation, over
from tare.specs import blas, plain, reduce, ufunc

if TYPE_CHECKING:
    from typing import Any

    from tare.api.duets import Environment, duet
    from tare.api.ledgers import explain
    from tare.api.load import load
    from tare.api.program import CaseFailed, Error, Interrupted, Warned
    from tare.api.runs import run
    from tare.api.series import history

__all__ = [
    "CaseFailed",
    "Environment",
    "Error",
    "Interrupted",
    "Warned",
    "blas",
    "duet",
    "explain",
    "history",
    "load",
    "operation",
    "over",
    "plain",
    "reduce",
    "run",
    "ufunc",
]

_LATER = {
    "CaseFailed": "tare.api.program",
    "Environment": "tare.api.duets",
    "Error": "tare.api.program",
    "Interrupted": "tare.api.program",
    "Warned": "tare.api.program",
    "duet": "tare.api.duets",
    "explain": "tare.api.ledgers",
    "history": "tare.api.series",
    "load": "tare.api.load",
    "load_ipython_extension": "tare.magics",
    "run": "tare.api.runs",
}


def __getattr__(name: str) -> Any:
    module = _LATER.get(name)
    if module is None:
        raise AttributeError(f"module 'tare' has no attribute {name!r}")
    value = getattr(importlib.import_module(module), name)
    globals()[name] = value
    return value
