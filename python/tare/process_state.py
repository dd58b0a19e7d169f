# State of the process that an operation may change behind the back of the cases after it. Compared, not restored:
# the worker that finds a change is replaced.
from __future__ import annotations

import contextlib
import gc
import glob
import os
import sys
import threading
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
        "CPU affinity": str(sorted(os.sched_getaffinity(0))),
        "Python threads": threading.active_count(),
        "child processes": _children(),
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


def _children() -> int:
    """How many processes this one has started and not waited for. 0 where the kernel does not say."""
    count = 0
    for path in glob.glob("/proc/self/task/*/children"):  # proc(5): only with CONFIG_PROC_CHILDREN
        with contextlib.suppress(OSError), open(path, encoding="ascii") as children:  # a thread may end meanwhile
            count += len(children.read().split())
    return count


def _text(value: object) -> str:
    if value is None:
        return "unset"
    return value if isinstance(value, str) else repr(value)


def _cwd() -> str:
    try:
        return os.getcwd()
    except OSError as error:
        return f"unreadable ({error.strerror})"
