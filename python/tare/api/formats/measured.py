# What the formats take of a run: by case its row, and the batches of each process behind the numbers of the row.
from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from tare.api.runs import Row, Run

QUIET = set("0123456789a")  # of row_tare.l1 in the schema: at most 10 % above the best


@dataclass(frozen=True)
class Process:
    """Batches of one case in one process: ns of an execution, executions of each batch, and Unix time of its start."""

    samples_ns: list[float]
    n: int
    started_s: float


@dataclass(frozen=True)
class Measured:
    row: Row
    processes: list[Process]


def measured_cases(run: Run) -> Iterator[Measured]:
    """Cases with times above zero, which is all that these formats can hold. Batches beside a neighbour are left out,
    as they are of the row, unless all of its are such.
    """
    batches: dict[str, list[dict[str, Any]]] = {}
    started: dict[tuple[str, int], float] = {}
    for entry in run.record["benchmarks"]:
        own = entry["tare"]
        case, _, rung = entry["name"].rpartition("/")
        if "visit" in own and own["visit"].get("started_s"):
            started[case, own["process"]] = own["visit"]["started_s"]
        if rung == "python" and "samples_ns" in own:
            batches.setdefault(case, []).append(own)
    for row in run.rows:
        processes = []
        for own in batches.get(row.case, []):
            l1 = own.get("l1", "")
            kept = [
                sample
                for number, sample in enumerate(own["samples_ns"])
                if sample > 0 and (row.busy or len(l1) != len(own["samples_ns"]) or l1[number] in QUIET)
            ]
            n = own["n"] if isinstance(own["n"], int) else max(own["n"])
            if kept:
                processes.append(Process(kept, n, started.get((row.case, own["process"]), 0.0)))
        if row.gross_ns is not None and row.gross_ns > 0 and processes:
            yield Measured(row, processes)


def not_held(run: Run, kept: str) -> list[str]:
    """What no format of one number a case can hold of this run: `kept` says what this one does."""
    found = [f"of each case {kept}; what lies between gross and net, and how intervals were made, stays in the record"]
    failed = sum(1 for row in run.rows if row.error)
    if failed:
        found.append(f"{failed} failed cases are left out, with their reasons")
    busy = sum(1 for row in run.rows if row.busy)
    if busy:
        found.append(f"{busy} cases were measured beside a neighbour throughout: that they are `busy` is not said")
    return found
