# Where things lie in memory, redrawn for every placement: objects made after random allocations land elsewhere, and
# a trampoline with 0 to 63 dummy locals shifts the Python frame. Much of what looks like process noise is placement.
from __future__ import annotations

import functools
from collections.abc import Callable, Iterator
from itertools import repeat
from random import Random
from types import CodeType, FunctionType
from typing import Any

MAX_DUMMY_LOCALS = 64


def make_junk(random: Random) -> list[bytes]:
    """Objects to be kept alive, about half of those made: the freed half are the holes that operands may fall into.

    Below 512 bytes CPython's own allocator serves, above it malloc.
    """
    bits = random.getrandbits
    made = [bytes(1 + bits(9)) for _ in range(24 + bits(4))]
    made += [bytes(512 + bits(12)) for _ in range(6 + bits(2))]
    made.append(bytes(4096 + bits(16)))
    kept = bits(len(made))
    return [thing for place, thing in enumerate(made) if kept >> place & 1]


def trampoline(dummies: int, inner: FunctionType, operands: tuple[object, ...]) -> Callable[[int], Any]:
    """`f(m)` calls `inner(repeat(None, m), *operands)` from a frame that holds `dummies` more locals."""
    code = _trampoline_code(dummies, "repeat(None, m)")
    return FunctionType(code, {"inner": inner, "operands": operands, "repeat": repeat})


def trampoline_over(dummies: int, inner: FunctionType, operands: tuple[object, ...]) -> Callable[[Iterator[None]], Any]:
    """`f(m)` calls `inner(m, *operands)` likewise; m is an iterator, each of whose items is a pass."""
    return FunctionType(_trampoline_code(dummies, "m"), {"inner": inner, "operands": operands})


@functools.lru_cache(maxsize=2 * MAX_DUMMY_LOCALS)
def _trampoline_code(dummies: int, passes: str) -> CodeType:
    # Never executed, because it would be in the timed region (0.1 us for 63): a local has its place without a value.
    assigned = "".join(f"dummy_{i} = " for i in range(dummies))
    never = f"    {assigned}None\n" if dummies else ""
    source = f"def trampoline(m):\n    return inner({passes}, *operands)\n{never}"
    module = compile(source, "<tare>", "exec")
    return next(c for c in module.co_consts if isinstance(c, CodeType))
