# Whether a statement does again what it did first: one that uses up what its set-up made (an iterator, a queue, a lock)
# costs something else from its second execution on, and a batch is of thousands. Drift sees that only in a first
# execution that is far slower.
from __future__ import annotations

import os
import sys
from collections.abc import Callable
from types import FrameType
from typing import Any

from tare.catalogue import Case

LATER = 8  # executions after the first: a statement that draws lots is alike in all of them once in 256
PLAIN = (bool, int, float, complex, str, bytes, bytearray, list, tuple, dict, set, frozenset, type(None))
MOST_SHOWN = 30  # characters of a value
REMEDY = "make what it uses up within it, or before each execution (--setup-each; in a suite setup_each=)"

Raised = set[tuple[str, str, str, int]]  # type, function, file, line


def told_of_repeats(case: Case) -> str:
    """Executes the case on operands of its own and says what its later executions do that the first did not: raise an
    exception that somebody catches, in Python code, or have a value that is nothing where the first was something.
    "" for neither, and for a statement with a set-up of each execution. Errors: whatever the statement raises.
    """
    if case.statement.timed_alone:
        return ""
    operands, module_globals = case.make()
    executions = case.statement.executions(operands, module_globals)(*operands.values())
    seen = [_observed(executions.__next__) for _ in range(1 + LATER)]
    executions.close()
    (first, raised_first), later = seen[0], seen[1:]
    raised = set.intersection(*(raised for _, raised in later)) - raised_first
    if raised:
        name, function, file, line = min(raised)
        return (
            f"from its second execution on {name} is raised and caught, at {function} "
            f"({os.path.basename(file)}:{line}): {REMEDY}"
        )
    values = [value for value, _ in later]
    if _is_something(first) and all(type(value) in PLAIN and not value for value in values):
        return f"its first execution gives {_short(first)}, later ones {_short(values[0])}: {REMEDY}"
    return ""


def _observed(execute: Callable[[], Any]) -> tuple[Any, Raised]:
    """Its value, and what was raised in Python functions meanwhile."""
    raised: Raised = set()

    def trace(frame: FrameType, event: str, argument: Any) -> Any:
        if event == "exception":
            code = frame.f_code
            raised.add((argument[0].__name__, code.co_name, code.co_filename, frame.f_lineno))
        return trace

    before = sys.gettrace()
    sys.settrace(trace)
    try:
        return execute(), raised
    finally:
        sys.settrace(before)


def _is_something(value: Any) -> bool:
    """Arrays have no truth of their own."""
    return bool(value) if type(value) in PLAIN else not hasattr(value, "__array__")


def _short(value: Any) -> str:
    text = repr(value) if type(value) in PLAIN else f"a {type(value).__name__}"
    return text if len(text) <= MOST_SHOWN else f"{text[: MOST_SHOWN - 3]}..."
