# What a user gives to be measured, a statement or a callable with the values it uses, as `bench` takes it: statement
# and set-up. Values reach the fresh workers in a file of this process's own making.
from __future__ import annotations

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

from tare.api.program import Error
from tare.statement import Statement

try:
    from cloudpickle import Pickler as _Pickler  # functions of scripts and notebooks, by value
except ImportError:
    from pickle import Pickler as _Pickler

BY_VALUE = _Pickler is not pickle.Pickler
What = Union[str, Callable[[], Any]]  # noqa: UP007, CPython 3.9 evaluates it


class CannotCarry(Error):
    """A value that would be missing, or another one, in a fresh worker."""


@dataclass(frozen=True)
class Code:
    """As -e and --setup take it."""

    statement: str
    setup: str


def code_of(what: What, setup: str, values: Mapping[str, Any] | None, folder: Path) -> Code:
    """Of a statement, or of a callable, which is called without arguments. The values that it uses go into `folder`.

    Errors: Error for what is neither, or does not compile; CannotCarry for a value that a fresh process cannot have.
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
    parsed = _parsed(statement)
    if parsed.is_nothing():
        raise Error(f"CPython compiles {statement!r} to no instruction at all: give its operands names in the set-up")
    used = parsed.free_names() | (_parsed(setup).free_names() if setup.strip() else set())
    return Code(statement, _carry({n: v for n, v in values.items() if n in used}, folder) + setup)


def _parsed(text: str) -> Statement:
    try:
        return Statement(text)
    except SyntaxError as error:
        raise Error(f"{text!r} is no statement: {error.msg}") from None


def _name_of(function: Callable[..., Any]) -> str:
    name = re.sub(r"\W", "_", str(getattr(function, "__name__", type(function).__name__))).strip("_")
    return name if name.isidentifier() and not keyword.iskeyword(name) else "function"


def _carry(values: Mapping[str, Any], folder: Path) -> str:
    """The set-up that gives them to a worker: modules by their names, the rest from a file."""
    lines = [_search_paths()] if values else []
    lines += [f"import {v.__name__} as {n}\n" for n, v in values.items() if isinstance(v, ModuleType)]
    others = {n: v for n, v in values.items() if not isinstance(v, ModuleType)}
    if others:
        path = folder / f"values_{len(os.listdir(folder))}.pickle"
        path.write_bytes(_pickled(others))
        lines.append("import pickle as _pickle\n")
        lines.append(f"with open({str(path)!r}, 'rb') as _file: globals().update(_pickle.load(_file))\n")
    return "".join(lines)


def _search_paths() -> str:
    paths = [os.path.abspath(path) for path in sys.path]
    return f"import sys as _sys\n_sys.path += [p for p in {paths!r} if p not in _sys.path]\n"


def _pickled(values: Mapping[str, Any]) -> bytes:
    try:
        return _dumped(dict(values))  # at once: what two of them share stays shared
    except Exception:  # whatever a value's own code raises; which of them it was is told next
        pass
    for name, value in values.items():
        try:
            _dumped(value)
        except CannotCarry as error:
            raise CannotCarry(f"{name}: {error}") from None
        except Exception as error:
            raise CannotCarry(f"{name} cannot be carried to a fresh worker: {error}{_WAY_OUT}") from error
    raise CannotCarry(f"the values cannot be carried to a fresh worker{_WAY_OUT}")


_WAY_OUT = "; make it in `setup`, or measure in this process (here=True)"


def _dumped(value: Any) -> bytes:
    stream = io.BytesIO()
    _Carrier(stream, protocol=5).dump(value)
    return stream.getvalue()


class _Carrier(_Pickler):  # type: ignore[misc, valid-type, unused-ignore]
    """Refuses what would arrive as something else."""

    def reducer_override(self, value: Any) -> Any:
        strides, flags = getattr(value, "strides", None), getattr(value, "flags", None)
        if isinstance(strides, tuple) and getattr(flags, "forc", True) is False:
            raise CannotCarry(f"an array with strides {strides} would be a contiguous copy in a worker{_WAY_OUT}")
        if not BY_VALUE and getattr(value, "__module__", None) == "__main__" and hasattr(value, "__qualname__"):
            raise CannotCarry(
                f"{value.__qualname__} is of __main__, which a worker has not; install cloudpickle{_WAY_OUT}"
            )
        return super().reducer_override(value) if BY_VALUE else NotImplemented


SUITE = """# Made by tare.run or tare.duet; lives as long as the call.
import types

from tare import operation

_STAY = (types.ModuleType, types.FunctionType, types.BuiltinFunctionType, type)


def _scope(setup):
    scope = {{"__name__": __name__}}
    try:
        import numpy
        scope["np"] = numpy
    except ImportError:
        pass
    exec(compile(setup, "<setup>", "exec"), scope)
    return scope


def _declare(name, statement, setup):
    def make():
        scope = _scope(setup)
        globals().update({{n: v for n, v in scope.items() if isinstance(v, _STAY)}})
        return {{n: v for n, v in scope.items() if not n.startswith("_") and not isinstance(v, _STAY)}}

    make.__name__ = name
    operation(statement)(make)


for _name, _statement, _setup in {cases!r}:
    _declare(_name, _statement, _setup)
"""


def suite_of(cases: Iterable[tuple[str, Code]], folder: Path) -> Path:
    """A suite folder that declares them under these names."""
    folder.mkdir()
    declared = [(name, code.statement, code.setup) for name, code in cases]
    (folder / "given.py").write_text(SUITE.format(cases=declared), encoding="utf-8")
    return folder
