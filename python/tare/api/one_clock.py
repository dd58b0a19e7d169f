# The clock that a record's rows are said at, as harness/stats/one_clock.h has it: what a statement computes takes so
# many cycles, and what it waits so many nanoseconds.
from __future__ import annotations

from math import inf
from typing import Any

FARTHEST = 0.2  # two clocks that differ by more, as a ratio, say nothing of each other's times (core/references.h)


def at_clock_ghz(record: dict[str, Any]) -> Any:
    """Of the record's rows; None where each process's times are at its own."""
    references = record["context"]["tare"].get("references")
    return references.get("at_clock_ghz") if isinstance(references, dict) else None


def clock_factor(own_ghz: Any, at_ghz: Any, row: dict[str, Any]) -> float:
    """What the times of a process are to be multiplied by. `row`: its entry of the python rung in `benchmarks`."""
    known = all(isinstance(ghz, (int, float)) and 0 < ghz < inf for ghz in (own_ghz, at_ghz))
    if not known or max(own_ghz / at_ghz, at_ghz / own_ghz) > 1 + FARTHEST:
        return 1.0
    computed: float = row["cpu_time"] / row["real_time"] if row["real_time"] else 1.0
    return 1 + min(max(computed, 0.0), 1.0) * (own_ghz / at_ghz - 1)
