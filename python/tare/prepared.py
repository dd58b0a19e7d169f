# One placement of one case: fresh operands, fresh code, fresh holes in the heap. Made every few batches, so cheap
# (tens of microseconds beside what the set-up function takes). Holds the GIL; no references to itself, so that
# dropping it frees at once with the collector off.
from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator
from random import Random
from types import FunctionType
from typing import Any

from tare import native, placement
from tare.catalogue import Case
from tare.statement import NoCall

RUNGS = ("python", "call", "native", "cpp", "floor")
SHORTER = (2, 4)  # copies: with those of the python rung's own pass they tell what a pass costs without statements


class Prepared:
    """What C++ executes. `batch(m)` and `floor(m)` run m passes of `unroll` statements, or of none; with `line` each of
    `shorter` as many passes of 2 and 4 statements.

    What `rungs` does not name is None: the buffers of the native and cpp rungs take longer than all the rest. `clock`
    is for statements that are timed alone: one a pass, and what `batch` takes is what the clock says.
    """

    __slots__ = (
        "case",
        "operands",
        "module_globals",
        "unroll",
        "timed_alone",
        "batch",
        "shorter",
        "floor",
        "call",
        "call_problem",
        "native",
        "native_problem",
        "cpp",
        "cpp_problem",
        "_operands",
        "_arguments",
        "_dummies",
        "_junk",
    )

    def __init__(
        self,
        case: Case,
        seed: int,
        unroll: int,
        rungs: Collection[str] = RUNGS,
        line: bool = False,
        clock: Iterable[None] = (),
    ):
        random = Random(seed)
        self._junk = placement.make_junk(random)
        self._dummies = random.randrange(placement.MAX_DUMMY_LOCALS)
        operands, module_globals = case.make()
        self.timed_alone = case.statement.timed_alone
        self._operands = tuple(operands.values())
        self._arguments = (*self._operands, clock) if self.timed_alone else self._operands
        self.case = case
        self.operands = operands
        self.module_globals = module_globals
        self.unroll = 1 if self.timed_alone else unroll
        self.batch = placement.trampoline(self._dummies, self._statement_loop(self.unroll), self._arguments)
        self.shorter = [
            placement.trampoline(self._dummies, self._statement_loop(copies), self._arguments)
            for copies in (SHORTER if line and not self.timed_alone else ())
        ]
        self.floor = None
        if "floor" in rungs:
            self.floor = placement.trampoline(self._dummies, self._floor_loop(), self._arguments)
        self.call: tuple[Any, ...] | None = None
        self.call_problem: str | None = None
        if "call" in rungs:
            try:
                self.call = case.statement.call(operands, module_globals)
            except NoCall as reason:
                self.call_problem = str(reason)
            except Exception as error:  # an inner expression may raise anything
                self.call_problem = f"its operands, evaluated once: {type(error).__name__}: {error}"
        self.native, self.native_problem = self._request(case.native if "native" in rungs else None)
        self.cpp, self.cpp_problem = self._request(case.cpp if "cpp" in rungs else None)

    def passes_over(self, loop: str) -> Callable[[Iterator[None]], Any]:
        """`f(passes)`: for each item of `passes` the statements of a pass (`loop` is "statement"), or none ("floor").

        Of a statement that is timed alone, `passes` are its executions: a clock that has `done`, which ends them. Its
        code has never been executed. Errors: ValueError for another `loop`.
        """
        if loop not in ("statement", "floor"):
            raise ValueError(f"a step's loop is 'statement' or 'floor', not {loop!r}")
        inner = self._statement_loop(self.unroll) if loop == "statement" else self._floor_loop()
        if not self.timed_alone:
            return placement.trampoline_over(self._dummies, inner, self._arguments)

        def executed_by(clock: Any) -> Any:
            batch = placement.trampoline_over(self._dummies, inner, (*self._operands, clock))
            return batch(_until_done(clock))

        return executed_by

    def _statement_loop(self, copies: int) -> FunctionType:
        return self.case.statement.loop(self.operands, self.module_globals, copies)

    def _floor_loop(self) -> FunctionType:
        return self.case.statement.floor(self.operands, self.module_globals)

    def _request(self, spec: Any) -> tuple[dict[str, Any] | None, str | None]:
        if spec is None:
            return None, None
        try:
            return native.request(spec, self.operands, self.module_globals), None
        except Exception as error:  # an operand expression may raise anything
            return None, f"{spec!r}: {error}" if repr(spec) not in str(error) else str(error)


def _until_done(clock: Any) -> Iterator[None]:
    while not clock.done:
        yield None
