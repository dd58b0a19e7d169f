# What a user gives to be measured, a statement or a callable with the values it uses, as `bench` takes it: statement
# and set-up. Values reach the fresh workers in files of this process's own making (carried.py reads them).
from __future__ import annotations

import ast
import io
import keyword
import os
import pickle
import re
import sys
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from types import ModuleType
from typing import Any, Union

from tare.api.carried import FOLDER, PATHS
from tare.api.program import Error
from tare.statement import EACH_FILE, Statement, names_of

try:
    from cloudpickle import Pickler as _ByValue  # functions of scripts and notebooks, by value
except ImportError:
    _ByValue = None

What = Union[str, Callable[[], Any]]  # noqa: UP007, CPython 3.9 evaluates it


class CannotCarry(Error):
    """A value that would be missing, or another one, in a fresh worker."""


@dataclass(frozen=True)
class Code:
    """As -e, --setup and --setup-each take it."""

    statement: str
    setup: str
    setup_each: str = ""

    def words(self) -> list[str]:
        each = ["--setup-each", self.setup_each] if self.setup_each else []
        return ["-e", self.statement, "--setup", self.setup, *each]


class Carrier:
    """Takes values to workers of `python` (None: of this interpreter) by files in a folder that the call owns."""

    def __init__(self, folder: Path, python: str | Path | None = None):
        self.folder = folder / "values"
        self.folder.mkdir()
        self.here = python is None or os.path.abspath(python) in (sys.executable, sys.prefix)
        paths = [os.path.abspath(path) for path in sys.path] if self.here else []  # another one has modules of its own
        (self.folder / PATHS).write_bytes(pickle.dumps(paths, protocol=4))

    def variables(self) -> dict[str, str]:
        """Of the environment of `bench`: its workers inherit them. The set-up names none, and stays the same text."""
        return {FOLDER: str(self.folder)}

    def code_of(self, what: What, setup: str, values: Mapping[str, Any] | None, setup_each: str = "") -> Code:
        """Of a statement, or of a callable, which is called without arguments.

        Errors: Error for what is neither, or does not compile; CannotCarry for a value that a fresh process cannot
        have.
        """
        values = dict(values or {})
        if callable(what):
            name = _name_of(what)
            values[name] = what
            statement = f"{name}()"
        elif isinstance(what, str):
            statement = what
        else:
            raise Error(f"{what!r} is neither a statement, as a text, nor a callable without arguments")
        if parsed(statement, setup_each).is_nothing():
            raise Error(f"CPython compiles {statement!r} to no instruction: give its operands names in the set-up")
        used = (names_in(statement) | names_in(setup_each)) - always_assigned(setup_each) | names_in(setup)
        return Code(statement, self._setup({n: v for n, v in values.items() if n in used}) + setup, setup_each)

    def _setup(self, values: Mapping[str, Any]) -> str:
        """What gives them to a worker: modules by their names, the rest from a file."""
        lines = [f"import {v.__name__} as {n}\n" for n, v in values.items() if isinstance(v, ModuleType)]
        others = {n: v for n, v in values.items() if not isinstance(v, ModuleType)}
        if others or (lines and self.here):  # modules, too, may lie where only this process looks
            name = f"values_{len(os.listdir(self.folder))}.pickle"
            (self.folder / name).write_bytes(self._pickled(others))
            lines.insert(0, f"from tare.api.carried import values as _values\nglobals().update(_values({name!r}))\n")
        return "".join(lines)

    def _pickled(self, values: Mapping[str, Any]) -> bytes:
        try:
            return self._dumped(dict(values))  # at once: what two of them share stays shared
        except Exception:  # whatever a value's own code raises; which of them it was is told next
            pass
        for name, value in values.items():
            try:
                self._dumped(value)
            except CannotCarry as error:
                raise CannotCarry(f"{name}: {error}") from None
            except Exception as error:
                raise CannotCarry(f"{name} cannot be carried to a fresh worker: {error}{_WAY_OUT}") from error
        raise CannotCarry(f"the values cannot be carried to a fresh worker{_WAY_OUT}")

    def _dumped(self, value: Any) -> bytes:
        stream = io.BytesIO()
        kind = _CarriedByValue if self.here and _CarriedByValue is not None else _CarriedByName
        kind(stream, protocol=5).dump(value)
        return stream.getvalue()


def parsed(text: str, each: str = "") -> Statement:
    """Errors: Error for what does not compile."""
    try:
        return Statement(text, each)
    except SyntaxError as error:
        given = each if error.filename == EACH_FILE else text
        raise Error(f"{given!r} is no statement: {error.msg}") from None


def names_in(text: str) -> set[str]:
    """All names that code reads or binds. Errors: Error for what does not compile."""
    try:
        return {node.id for node in ast.walk(ast.parse(text)) if isinstance(node, ast.Name)}
    except SyntaxError as error:
        raise Error(f"{text!r} is no Python: {error.msg}") from None


def always_assigned(text: str) -> set[str]:
    """Names that code assigns whatever happens and reads nowhere: what they were is not used. `text` compiles."""
    body = ast.parse(text).body
    read, _ = names_of(body)
    assigned = [target for node in body if isinstance(node, ast.Assign) for target in node.targets]
    return {target.id for target in assigned if isinstance(target, ast.Name)} - read


def _name_of(function: Callable[..., Any]) -> str:
    name = re.sub(r"\W", "_", str(getattr(function, "__name__", type(function).__name__))).strip("_")
    return name if name.isidentifier() and not keyword.iskeyword(name) else "function"


_WAY_OUT = "; make it in `setup`, or measure in this process (here=True)"


def _check_array(value: Any) -> None:
    strides, flags = getattr(value, "strides", None), getattr(value, "flags", None)
    if isinstance(strides, tuple) and getattr(flags, "forc", True) is False:
        raise CannotCarry(f"an array with strides {strides} would be a contiguous copy in a worker{_WAY_OUT}")


class _CarriedByName(pickle.Pickler):
    """Refuses what would arrive as something else, or not at all: what __main__ defines."""

    def reducer_override(self, value: Any) -> Any:
        _check_array(value)
        if getattr(value, "__module__", None) == "__main__" and hasattr(value, "__qualname__"):
            more = "; install cloudpickle" if _ByValue is None else ""
            raise CannotCarry(f"{value.__qualname__} is of __main__, which that worker has not{more}{_WAY_OUT}")
        return NotImplemented


_CarriedByValue: Any = None
if _ByValue is not None:

    class _WithFunctions(_ByValue):  # type: ignore[misc, valid-type, unused-ignore]
        """Likewise, with cloudpickle."""

        def reducer_override(self, value: Any) -> Any:
            _check_array(value)
            return super().reducer_override(value)

    _CarriedByValue = _WithFunctions


SUITE = """# Made by tare.run or tare.duet; lives as long as the call.
from tare.api.carried import declare

declare(globals(), {cases!r})
"""


def suite_of(cases: Iterable[tuple[str, Code]], folder: Path) -> Path:
    """A suite folder that declares them under these names. Errors: Error for a name that is no text of one line."""
    folder.mkdir()
    declared = []
    for name, code in cases:
        if not isinstance(name, str) or not name.strip() or not name.isprintable():
            raise Error(f"{name!r} is no name for a case: a text of one line is")
        declared.append((name, code.statement, code.setup, code.setup_each))
    (folder / "given.py").write_text(SUITE.format(cases=declared), encoding="utf-8")
    return folder
