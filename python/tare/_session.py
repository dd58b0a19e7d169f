# What the C++ worker calls, on the main thread with the GIL held. The one place with state: the catalogue loaded.
from __future__ import annotations

import gc
import importlib
import os
import sys
from collections.abc import Collection, Iterable
from random import Random
from typing import Any

from tare.catalogue import Catalogue
from tare.facts import facts
from tare.placement import make_junk
from tare.prepared import RUNGS, Prepared
from tare.process_state import changes, snapshot
from tare.verify import verify

__all__ = [
    "changes",
    "facts",
    "load",
    "loaded_packages",
    "prepare",
    "read_files",
    "release",
    "repeats",
    "snapshot",
    "verify",
]

_catalogue = Catalogue()
_junk: list[bytes] = []  # kept as long as the worker


def loaded_packages() -> dict[str, dict[str, Any]]:
    """As tare.packages, which imports more than the rest of a worker does."""
    named: dict[str, dict[str, Any]] = importlib.import_module("tare.packages").loaded_packages()
    return named


def load(
    suite_dirs: list[str], expression: dict[str, str] | None = None, cases: list[str] | None = None
) -> dict[str, Any]:
    """Reads the suites, and an expression {"statement", "setup", "each"}; replaces what was loaded before.

    With `cases`, only those are made (names that no suite declares are left out): a third of the time of all.
    """
    global _catalogue
    _shift_heap()
    catalogue = Catalogue(cases)
    for folder in suite_dirs:
        catalogue.add_folder(folder)
    if expression is not None:
        catalogue.add_expression(expression["statement"], expression.get("setup") or "", expression.get("each") or "")
    _catalogue = catalogue
    # Off for good, as in timeit: a collection inside a batch is charged to whichever case happens to trigger it. What
    # is there now is frozen, so that the collection after each case looks at that case's garbage alone. Not collected
    # before: that takes 4 ms of every worker's start and finds next to nothing.
    gc.freeze()
    gc.disable()
    return catalogue.as_dict()


def _shift_heap() -> None:
    """Puts what is imported from here on elsewhere in each worker.

    Names interned while NumPy is imported decide by their address which attribute lookups collide in CPython's method
    cache: np.sum takes 17,618 to 17,998 instructions. bench draws the hash seed anew for each worker.
    """
    random = Random(os.environ.get("PYTHONHASHSEED", ""))
    for _ in range(4):
        _junk.extend(make_junk(random))


def read_files() -> list[str]:
    """The files that modules and suites were made from, as far as they are files: sources and extension modules."""
    paths = {file["path"] for file in _catalogue.files()}
    for module in list(sys.modules.values()):
        path = getattr(module, "__file__", None)
        if isinstance(path, str):
            paths.add(path)
    return sorted(paths)


def prepare(
    case_name: str,
    seed: int,
    unroll: int,
    rungs: Collection[str] = RUNGS,
    line: bool = False,
    clock: Iterable[None] = (),
) -> Prepared:
    """A fresh placement of a case, with those of `rungs` that it has, and with `line` the loops of fewer copies.
    `clock` times statements that are timed alone.

    Errors: whatever the set-up raises; ValueError for an unknown name.
    """
    case = _catalogue.cases.get(case_name)
    if case is None:
        raise ValueError(f"no case {case_name!r} is loaded")
    if unroll < 1:
        raise ValueError(f"unroll is {unroll}, not 1 or more")
    return Prepared(case, seed, unroll, rungs, line, clock)


def repeats(case_name: str) -> str:
    """What a user is told of executions that do not do what the first did; "" if nothing. As tare.repeats, which one
    worker of a run imports.
    """
    told: str = importlib.import_module("tare.repeats").told_of_repeats(_catalogue.cases[case_name])
    return told


def release() -> None:
    """Drops the code kept for the cases prepared so far, and cyclic garbage; a Prepared owns all else."""
    for case in _catalogue.cases.values():
        case.statement.forget()
    gc.collect()
