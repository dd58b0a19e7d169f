# How a suite file declares operations. Declaring stores data in the defining module and runs nothing:
# operands are made when a case is prepared. Problems name the file and line of the declaration.
from __future__ import annotations

import itertools
import re
from collections.abc import Callable
from typing import Any

from tare.specs import Spec

DECLARED = "__tare_operations__"  # the module attribute that collects a file's declarations, in order
SCALAR_KINDS = ("float", "float64")  # no buffers, hence neither a native nor a cpp rung
_FORBIDDEN_IN_TEXT = set("=,[]\n")


class SuiteError(ValueError):
    """A declaration that cannot be used; the message begins with `file:line: operation`."""


def over(**axes: object) -> list[dict[str, Any]]:
    """The product of the axes as a list of parameter sets; a single value is an axis of one. `+` concatenates."""
    values = [axis if isinstance(axis, (list, tuple, range)) else (axis,) for axis in axes.values()]
    return [dict(zip(axes, point)) for point in itertools.product(*values)]


class Operation:
    """One declaration: a statement, its parameter sets, and the function that makes the operands."""

    __slots__ = ("name", "statement", "parameter_sets", "native", "cpp", "setup", "setup_each", "doc", "file", "line")

    def __init__(
        self,
        statement: Any,
        parameter_sets: list[dict[str, Any]],
        native: Any,
        cpp: Any,
        setup: Callable[..., Any],
        setup_each: Any = "",
    ):
        self.name = setup.__name__
        self.statement = statement
        self.parameter_sets = parameter_sets
        self.native = native
        self.cpp = cpp
        self.setup = setup
        self.setup_each = setup_each
        self.doc = (setup.__doc__ or "").strip()
        self.file = setup.__code__.co_filename
        self.line = setup.__code__.co_firstlineno

    @property
    def where(self) -> str:
        return f"{self.file}:{self.line}: {self.name}"

    def make(self, parameters: dict[str, Any]) -> tuple[dict[str, Any], dict[str, Any]]:
        """Fresh operands, and the globals that the statement's other names come from."""
        operands = self.setup(**parameters)
        if operands is None:
            operands = {}
        if not isinstance(operands, dict):
            raise SuiteError(f"{self.where}: returned {type(operands).__name__}, not a dict of operands")
        return operands, self.setup.__globals__

    def missing(self, names: str, statement: str, operands: dict[str, Any]) -> str:
        """What to say where the statement uses names that are neither operands nor globals."""
        there_are = ", ".join(operands) or "there are none"
        return f"{self.where}: {statement!r} uses {names}, which is no operand ({there_are}) and no global of the file"


def operation(
    statement: Any,
    cases: list[dict[str, Any]] | None = None,
    *,
    native: Any = None,
    cpp: Any = None,
    setup_each: Any = "",
) -> Callable[[Callable[..., Any]], Callable[..., Any]]:
    """Declares the decorated function's name as an operation; the function returns the operands by name.

    `statement` is source text, or a function of the parameters that returns it. `cases` is what `over` returns.
    `native` and `cpp` are a spec, or a function of the parameters that returns a spec or None. `setup_each`, text or a
    function like `statement`, is code that runs before each execution and is not timed, for a statement that changes
    what it works on; it may read the operands, and the statement the names that it assigns.
    """

    def declare(setup: Callable[..., Any]) -> Callable[..., Any]:
        declared = setup.__globals__.setdefault(DECLARED, [])
        declared.append(Operation(statement, [{}] if cases is None else cases, native, cpp, setup, setup_each))
        return setup

    return declare


def case_name(operation_name: str, parameters: dict[str, Any]) -> str:
    """`operation[key=value,...]`, or the bare operation when it has no parameters."""
    if not parameters:
        return operation_name
    return f"{operation_name}[{','.join(f'{key}={text_of(value)}' for key, value in parameters.items())}]"


def text_of(value: object) -> str:
    """A parameter as it stands in a case's name: a shape (8, 1) reads `8x1`, a function or a class by its own name."""
    text = "x".join(map(str, value)) if isinstance(value, tuple) else _plain_text(value)
    if not text or _FORBIDDEN_IN_TEXT.intersection(text):
        raise ValueError(f"parameter value {value!r} cannot stand in a case's name")
    if re.search(r" at 0x[0-9a-f]+>", text):
        raise ValueError(
            f"parameter value {value!r} cannot stand in a case's name: it reads otherwise in each process. Give a "
            "name, and let the function that makes the operands look the value up"
        )
    return text


def _plain_text(value: object) -> str:
    name = getattr(value, "__name__", None)
    return name if callable(value) and isinstance(name, str) else str(value)


def resolve(declared: Any, parameters: dict[str, Any]) -> Any:
    """`declared` itself, or what it returns for these parameters where it is a function."""
    return declared(**parameters) if callable(declared) else declared


def spec_for(declared: Any, parameters: dict[str, Any]) -> Spec | None:
    """The spec that applies to a case; scalars have no buffers and so no spec."""
    if declared is None or parameters.get("kind") in SCALAR_KINDS:
        return None
    spec = resolve(declared, parameters)
    if spec is not None and not isinstance(spec, Spec):
        raise TypeError(f"{spec!r} is not made by ufunc, reduce, blas or plain")
    return spec
