# One placement of one case: fresh operands, fresh code, fresh holes in the heap. Made every few batches, so cheap
# (tens of microseconds beside what the set-up function takes). Holds the GIL; no references to itself, so that
# dropping it frees at once with the collector off.
from __future__ import annotations

from collections.abc import Collection
from random import Random
from typing import Any

from tare import native, placement
from tare.catalogue import Case

RUNGS = ("python", "call", "native", "cpp", "floor")


class Prepared:
    """What C++ executes. `batch(m)` and `floor(m)` run m passes of `unroll` statements, or of none.

    What `rungs` does not name is None: the buffers of the native and cpp rungs take longer than all the rest.
    """

    __slots__ = (
        "case",
        "operands",
        "module_globals",
        "unroll",
        "batch",
        "floor",
        "call",
        "native",
        "native_problem",
        "cpp",
        "cpp_problem",
        "_junk",
    )

    def __init__(self, case: Case, seed: int, unroll: int, rungs: Collection[str] = RUNGS):
        random = Random(seed)
        self._junk = placement.make_junk(random)
        dummies = random.randrange(placement.MAX_DUMMY_LOCALS)
        operands, module_globals = case.make()
        statement = case.statement
        arguments = tuple(operands.values())
        self.case = case
        self.operands = operands
        self.module_globals = module_globals
        self.unroll = unroll
        self.batch = placement.trampoline(dummies, statement.loop(operands, module_globals, unroll), arguments)
        self.floor = None
        if "floor" in rungs:
            self.floor = placement.trampoline(dummies, statement.floor(operands, module_globals), arguments)
        self.call = statement.call(operands, module_globals) if "call" in rungs else None
        self.native, self.native_problem = self._request(case.native if "native" in rungs else None)
        self.cpp, self.cpp_problem = self._request(case.cpp if "cpp" in rungs else None)

    def _request(self, spec: Any) -> tuple[dict[str, Any] | None, str | None]:
        if spec is None:
            return None, None
        try:
            return native.request(spec, self.operands, self.module_globals), None
        except Exception as error:  # an operand expression may raise anything
            return None, f"{spec!r}: {error}" if repr(spec) not in str(error) else str(error)
