# Reads suite folders: every .py file imported as a module of a package of its own, files beginning with `_` only as
# helpers of their siblings. Makes cases out of declarations; no operand is created. What fails becomes a problem.
from __future__ import annotations

import contextlib
import importlib
import importlib.machinery
import importlib.util
import os
import sys
import types
from collections.abc import Collection, Iterator
from typing import Any

from tare.declare import DECLARED, Operation, SuiteError, case_name, resolve, spec_for, text_of
from tare.statement import Statement

PACKAGE = "tare_suite_"
EXPRESSION_FILE = "<expression>"


class Case:
    """One operation with all parameters fixed."""

    __slots__ = ("name", "operation", "parameters", "statement", "native", "cpp", "names_checked")

    def __init__(self, operation: Any, parameters: dict[str, Any], statement: Statement, native: Any, cpp: Any):
        self.name = case_name(operation.name, parameters)
        self.operation = operation
        self.parameters = parameters
        self.statement = statement
        self.native = native
        self.cpp = cpp
        self.names_checked = False

    def make(self) -> tuple[dict[str, Any], dict[str, Any]]:
        """Fresh operands and globals. Errors: SuiteError for a name that neither of them, nor Python, knows."""
        operands, module_globals = self.operation.make(self.parameters)
        if not self.names_checked:
            unknown = self.statement.unknown_names(operands, module_globals)
            if unknown:
                raise SuiteError(
                    self.operation.missing(", ".join(map(repr, unknown)), self.statement.description, operands)
                )
            self.names_checked = True
        return operands, module_globals

    def rungs(self) -> list[str]:
        call = ["call"] if self.statement.outermost is not None else []
        native = ["native"] if self.native is not None else []
        cpp = ["cpp"] if self.cpp is not None else []
        return ["python", *call, *native, *cpp, "floor"]


class Expression:
    """An operation given on the command line. The names that its set-up assigns become operands, except modules,
    functions and names that begin with `_`, which stay globals."""

    doc = ""
    file = EXPRESSION_FILE
    line = 1

    def __init__(self, statement: str, setup: str):
        self.name = " ".join(statement.split())
        self.where = EXPRESSION_FILE
        self._code = compile(setup, "<setup>", "exec")
        self._numpy: Any = None
        with contextlib.suppress(ImportError):  # the expression may do without; if not, the name `np` is unknown
            self._numpy = importlib.import_module("numpy")

    def make(self, parameters: dict[str, Any]) -> tuple[dict[str, Any], dict[str, Any]]:
        scope: dict[str, Any] = {"__name__": "tare_expression"}
        if self._numpy is not None:
            scope["np"] = self._numpy
        exec(self._code, scope)
        operands = {n: v for n, v in scope.items() if not (n.startswith("_") or isinstance(v, STAYS_GLOBAL))}
        return operands, {n: v for n, v in scope.items() if n not in operands}

    def missing(self, names: str, statement: str, operands: dict[str, Any]) -> str:
        """What to say where the statement uses names that nothing assigns."""
        assigned = f"only {', '.join(operands)}" if operands else "nor anything else"
        return f"the set-up (--setup) does not assign {names}, {assigned}"


STAYS_GLOBAL = (types.ModuleType, types.FunctionType, types.BuiltinFunctionType, type)


class Catalogue:
    """`wanted`: the names of the cases to make; None: all."""

    def __init__(self, wanted: Collection[str] | None = None) -> None:
        self._wanted = None if wanted is None else frozenset(wanted)
        self.operations: list[Any] = []
        self.cases: dict[str, Case] = {}
        self.problems: list[dict[str, str]] = []
        self._statements: dict[tuple[str, str], Statement] = {}
        self._folders: list[str] = []

    def add_folder(self, folder: str) -> None:
        folder = os.path.abspath(folder)
        self._folders.append(folder)
        try:
            names = sorted(n for n in os.listdir(folder) if n.endswith(".py") and not n.startswith("_"))
        except OSError as error:
            self._problem(folder, f"cannot read the suite folder: {error.strerror}")
            return
        package = f"{PACKAGE}{len(self._folders)}"
        for loaded in [n for n in sys.modules if n == package or n.startswith(package + ".")]:
            del sys.modules[loaded]
        parent = types.ModuleType(package)
        parent.__path__ = [folder]
        sys.modules[package] = parent
        for name in names:
            self._add_file(package, os.path.join(folder, name))

    def add_expression(self, statement: str, setup: str, each: str = "") -> None:
        try:
            operation = Expression(statement, setup)
            parsed = self._statement(statement, each)
            if parsed.is_nothing():
                raise ValueError("CPython compiles it to no instruction at all: give its operands names in the set-up")
            self._add_case(operation, Case(operation, {}, parsed, None, None))
            self.operations.append(operation)
        except (SyntaxError, ValueError) as error:
            self._problem(EXPRESSION_FILE, _described(error))

    def files(self) -> list[dict[str, Any]]:
        """Every file that decided what is in the catalogue, and the suite folders, where a file may appear."""
        own = os.path.dirname(os.path.abspath(__file__))
        paths = {os.path.join(own, n) for n in os.listdir(own) if n.endswith(".py")}
        for folder in self._folders:
            if os.path.isdir(folder):
                paths.add(folder)
                paths.update(os.path.join(folder, n) for n in os.listdir(folder) if n.endswith(".py"))
        return [_file_facts(path) for path in sorted(paths)]

    def _add_file(self, package: str, path: str) -> None:
        name = f"{package}.{os.path.basename(path)[:-3]}"
        spec = importlib.util.spec_from_file_location(name, path)
        assert spec is not None and isinstance(spec.loader, importlib.machinery.SourceFileLoader)
        module = sys.modules.get(name) or importlib.util.module_from_spec(spec)
        if name not in sys.modules:  # a sibling may have imported it before its turn
            sys.modules[name] = module
            try:
                spec.loader.exec_module(module)
            except KeyboardInterrupt:
                raise
            except BaseException as error:  # a suite file may even call sys.exit; the other files go on
                del sys.modules[name]
                self._problem(path, _described(error, path))
                return
        for operation in vars(module).get(DECLARED, ()):
            self._add_operation(operation)

    def _add_operation(self, operation: Operation) -> None:
        cases = []
        try:
            for parameters in operation.parameter_sets:
                if self._wanted is not None and case_name(operation.name, parameters) not in self._wanted:
                    continue
                _check_parameters(operation, parameters)
                statement = self._statement(
                    resolve(operation.statement, parameters), resolve(operation.setup_each, parameters) or ""
                )
                native, cpp = (spec_for(declared, parameters) for declared in (operation.native, operation.cpp))
                if statement.timed_alone and (native or cpp):
                    raise SuiteError(f"{operation.where}: what runs before each execution has no native or cpp rung")
                cases.append(Case(operation, parameters, statement, native, cpp))
            for case in cases:
                self._add_case(operation, case)
        except (Exception, SystemExit) as error:  # any kind: the parameters go through the suite's own functions
            text = str(error) if isinstance(error, SuiteError) else f"{operation.where}: {_described(error)}"
            self._problem(operation.file, text)
        if any(self.cases.get(case.name) is case for case in cases):
            self.operations.append(operation)

    def _add_case(self, operation: Any, case: Case) -> None:
        other = self.cases.get(case.name)
        if other is not None:
            raise SuiteError(f"{operation.where}: case {case.name} was declared before, at {other.operation.where}")
        self.cases[case.name] = case

    def _statement(self, text: Any, each: Any) -> Statement:
        for what, given in (("statement", text), ("set-up of each execution", each)):
            if not isinstance(given, str):
                raise TypeError(f"the {what} is {type(given).__name__}, not text")
        if (text, each) not in self._statements:
            self._statements[text, each] = Statement(text, each)
        return self._statements[text, each]

    def _problem(self, file: str, error: str) -> None:
        self.problems.append({"file": file, "error": error})

    def as_dict(self) -> dict[str, Any]:
        return {
            "operations": [{"name": o.name, "doc": o.doc, "file": o.file, "line": o.line} for o in self.operations],
            "cases": [
                {
                    "name": case.name,
                    "operation": case.operation.name,
                    "parameters": [[key, text_of(value)] for key, value in case.parameters.items()],
                    "statement": case.statement.description,
                    "rungs": case.rungs(),
                }
                for case in self.cases.values()
            ],
            "files": self.files(),
            "problems": self.problems,
        }


def _check_parameters(operation: Operation, parameters: dict[str, Any]) -> None:
    code = operation.setup.__code__
    accepted = code.co_varnames[: code.co_argcount + code.co_kwonlyargcount]
    takes_any = bool(code.co_flags & 0x08)  # CO_VARKEYWORDS
    for key in parameters:
        if key not in accepted and not takes_any:
            raise SuiteError(f"{operation.where}: takes no parameter {key!r}, only {', '.join(accepted) or 'none'}")


def _described(error: BaseException, path: str | None = None) -> str:
    """`file:line: Type: message`, the line being the last one inside `path`."""
    text = f"{type(error).__name__}: {error}"
    lines = [line for file, line in _frames(error) if file == path]
    if path is not None and lines:
        return f"{path}:{lines[-1]}: {text}"
    return text


def _frames(error: BaseException) -> Iterator[tuple[str, int]]:
    traceback = error.__traceback__
    while traceback is not None:
        yield traceback.tb_frame.f_code.co_filename, traceback.tb_lineno
        traceback = traceback.tb_next


def _file_facts(path: str) -> dict[str, Any]:
    facts = os.stat(path)
    return {"path": path, "mtime_ns": facts.st_mtime_ns, "size_bytes": facts.st_size}
