# Whether a statement does again what it did first: one that uses up what its set-up made (an iterator, a queue, a lock)
# costs something else from its second execution on, and a batch is of thousands. Drift sees that only in a first
# execution that is far slower.
from __future__ import annotations

import os
import reprlib
import sys
from collections.abc import Callable
from types import FrameType
from typing import Any, NamedTuple

from tare.catalogue import Case

LATER = 8  # executions after the first
PLAIN = (bool, int, float, complex, str, bytes, bytearray, list, tuple, dict, set, frozenset, type(None))
REMEDY = "if that is not meant, make what it works on within it, or before each execution (--setup-each; in a suite "
REMEDY += "setup_each=)"

Raised = set[tuple[str, str, str, int]]  # type, function, file, line


class Execution(NamedTuple):
    """What is kept of one: not its value, which may be large, and may change."""

    raised: Raised  # in Python functions
    something: bool  # its value is true, or of another kind than those that are false; arrays are neither
    nothing: bool
    text: str


def told_of_repeats(case: Case) -> str:
    """Executes the case on operands of its own and says what its later executions do that the first did not: raise an
    exception that somebody catches, in Python code, or have a value that is nothing where the first was something.
    "" for neither, for what is not so once more on other operands (a statement that draws lots), and for a statement
    with a set-up of each execution. Errors: whatever the statement raises.
    """
    if case.statement.timed_alone:
        return ""
    told = _told_once(case)
    return told if told and _told_once(case) else ""


def _told_once(case: Case) -> str:
    operands, module_globals = case.make()
    executions = case.statement.executions(operands, module_globals)(*operands.values())
    first, *later = [_observed(executions.__next__) for _ in range(1 + LATER)]
    executions.close()
    raised = set.intersection(*(each.raised for each in later)) - first.raised
    if raised:
        name, function, file, line = min(raised)
        place = f"{function} ({os.path.basename(file)}:{line})"
        return f"from its second execution on {name} is raised and caught, at {place}: {REMEDY}"
    if first.something and all(each.nothing for each in later):
        return f"its first execution gives {first.text}, later ones {later[0].text}: {REMEDY}"
    return ""


def _observed(execute: Callable[[], Any]) -> Execution:
    raised: Raised = set()

    def trace(frame: FrameType, event: str, argument: Any) -> Any:
        if event == "exception":
            code = frame.f_code
            raised.add((argument[0].__name__, code.co_name, code.co_filename, frame.f_lineno))
        return trace

    before = sys.gettrace()
    sys.settrace(trace)
    try:
        value = execute()
    finally:
        sys.settrace(before)
    plain = type(value) in PLAIN
    something = bool(value) if plain else not hasattr(value, "__array__")
    return Execution(raised, something, plain and not value, _short(value) if plain else f"a {type(value).__name__}")


def _short(value: Any) -> str:
    try:
        return reprlib.repr(value)
    except Exception:  # of an element, or of an int of thousands of digits
        return f"a {type(value).__name__}"
