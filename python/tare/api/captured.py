# In the worker of a duet of pytest sessions: collects one test, sets up its fixtures, and takes what the test hands to
# the fixture. Nothing tears its fixtures down: a worker ends at once, with all that it has started.
from __future__ import annotations

import ast
import functools
import inspect
import os
import textwrap
import traceback
from collections.abc import Callable, Sequence
from types import FrameType
from typing import Any

from tare.api.fixture import Captured

_kept: list[Any] = []  # what finalizers hang on
_functions: dict[tuple[str, str], Callable[[], Any]] = {}  # once a process: a placement needs no new fixtures

Block = (ast.With, ast.AsyncWith, ast.Try)


class NoBenchmark(Exception):
    """Why a test has nothing to be measured."""


def function_of(root: str, node: str, words: Sequence[str] = ()) -> Callable[[], Any]:
    """What the test `node`, a node id below `root`, hands to the fixture, with its arguments. `words`: of pytest.

    Errors: NoBenchmark with the reason, such as a test that fails, or that measures within a `with` block.
    """
    key = (root, node)
    if key not in _functions:
        function, args, kwargs = _capture(root, node, words)
        _functions[key] = functools.partial(function, *args, **kwargs) if args or kwargs else function
    return _functions[key]


def _capture(root: str, node: str, words: Sequence[str]) -> tuple[Callable[..., Any], tuple[Any, ...], dict[str, Any]]:
    import pytest

    taker = _Taker()
    blocked = ["cacheprovider", "terminal", "faulthandler", "threadexception", "unraisableexception"]
    blocked += ["xdist", "benchmark", "codspeed"]
    arguments = [word for name in blocked for word in ("-p", f"no:{name}")]
    arguments += ["-p", "tare.pytest_plugin", "--tare-capture", "-s", "-o", "addopts=", *words]
    status = pytest.main([*arguments, "--rootdir", root, os.path.join(root, node)], plugins=[taker])
    if taker.call is None:
        raise NoBenchmark(taker.reason or f"pytest ended with {int(status)} and measured nothing: does {node} exist?")
    return taker.call


class _Taker:
    """Runs the only test up to its call of the fixture, and leaves its fixtures as they are."""

    def __init__(self) -> None:
        self.call: Any = None
        self.reason = ""

    def pytest_runtest_protocol(self, item: Any) -> bool:
        try:
            item.session._setupstate.setup(item)
            item.runtest()
            self.reason = "the test measured nothing"
        except Captured as captured:
            self.reason = _ends_before(captured)
            self.call = None if self.reason else captured.call
        except BaseException as error:  # a test may raise anything, also what pytest itself uses for outcomes
            self.reason = f"{type(error).__name__}: {error}".strip(": ")
        return True

    def pytest_collectreport(self, report: Any) -> None:
        if report.failed:
            self.reason = str(report.longrepr).strip().rpartition("\n")[2]

    def pytest_sessionfinish(self, session: Any) -> None:
        _kept.append(session._setupstate)
        session._setupstate = type(session._setupstate)()  # nothing to be torn down yet


def _ends_before(captured: Captured) -> str:
    """What the test opened around its call, which would be closed before it is measured; empty: nothing."""
    for frame, line in traceback.walk_tb(captured.__traceback__):
        if frame.f_code.co_filename.startswith(os.path.dirname(os.path.dirname(__file__))):
            continue
        if block := _block_around(frame, line):
            name = frame.f_code.co_name
            return f"{name} measures within the block of line {block}, which ends before: open it in a fixture"
    return ""


def _block_around(frame: FrameType, line: int) -> int:
    """The line of a `with` or `try` of a test's function around a line of it, 0: none. Frames of pytest have none."""
    if "/_pytest/" in frame.f_code.co_filename or "/pluggy/" in frame.f_code.co_filename:
        return 0
    try:
        lines, first = inspect.getsourcelines(frame.f_code)
        tree = ast.parse(textwrap.dedent("".join(lines)))
    except (OSError, SyntaxError):
        return 0
    for node in ast.walk(tree):
        if isinstance(node, Block) and node.lineno <= line - first + 1 <= (node.end_lineno or 0):
            return first + node.lineno - 1
    return 0
