# In a worker of tare.run, tare.duet and tare.explain: the values that the caller carried there, and cases given in a
# program instead of a suite's file.
from __future__ import annotations

import os
import pickle
import sys
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from tare.catalogue import Expression
from tare.declare import DECLARED

FOLDER = "TARE_VALUES"  # variable: where the caller left them
PATHS = "paths.pickle"


def values(name: str) -> dict[str, Any]:
    """Of a file that the caller wrote; made anew each time, as each placement in memory wants them. Errors: LookupError
    where the caller is gone: a kept record cannot be measured again.
    """
    folder = os.environ.get(FOLDER)
    if not folder:
        raise LookupError("its values were carried from a program that is gone: measure it there")
    with open(Path(folder) / PATHS, "rb") as file:
        sys.path += [path for path in pickle.load(file) if path not in sys.path]
    with open(Path(folder) / name, "rb") as file:
        return pickle.load(file)


class Given(Expression):
    """A statement under a name of its own, with its set-ups: an operation without parameters."""

    parameter_sets: tuple[dict[str, Any], ...] = ({},)
    native = cpp = None

    def __init__(self, name: str, statement: str, setup: str, setup_each: str):
        super().__init__(statement, setup)
        self.name = name
        self.statement = statement
        self.setup_each = setup_each

    @staticmethod
    def setup() -> None:
        """It takes no parameters."""


def declare(module_globals: dict[str, Any], cases: Iterable[tuple[str, str, str, str]]) -> None:
    """What a suite file calls: name, statement, set-up and set-up of each execution of each case."""
    module_globals[DECLARED] = [Given(*case) for case in cases]
