# State of the process that an operation may change behind the back of the cases after it. Compared, not restored:
# the worker that finds a change is replaced.
from __future__ import annotations

import gc
import os
import sys
from typing import Any


def snapshot() -> dict[str, Any]:
    """The state now; its content is for `changes` only."""
    state: dict[str, Any] = {
        "cwd": _cwd(),
        "os.environ": dict(os.environ),
        "gc.isenabled()": gc.isenabled(),
        "sys.stdout": sys.stdout,
        "sys.stderr": sys.stderr,
        "sys.settrace": sys.gettrace(),
        "sys.setprofile": sys.getprofile(),
        "recursion limit": sys.getrecursionlimit(),
    }
    np = sys.modules.get("numpy")
    if np is not None:
        state["np.seterr"] = np.geterr()
        state["np.seterrcall"] = np.geterrcall()
    return state


def changes(before: dict[str, Any]) -> list[str]:
    """One line a change, `np.seterr changed: divide warn -> ignore`. What was not there before is not compared."""
    after = snapshot()
    found = []
    for name, old in before.items():
        new = after.get(name)
        if isinstance(old, dict) and isinstance(new, dict):
            found += [
                f"{name} changed: {key} {_text(old.get(key))} -> {_text(new.get(key))}"
                for key in sorted({*old, *new})
                if old.get(key) != new.get(key)
            ]
        elif old is not new and not (isinstance(old, (str, bool, int)) and old == new):
            found.append(f"{name} changed: {_text(old)} -> {_text(new)}")
    return found


def _text(value: object) -> str:
    if value is None:
        return "unset"
    return value if isinstance(value, str) else repr(value)


def _cwd() -> str:
    try:
        return os.getcwd()
    except OSError as error:
        return f"unreadable ({error.strerror})"
