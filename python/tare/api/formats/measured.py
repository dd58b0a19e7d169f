# What the formats take of a run: by case its row, and the batches of each process behind the numbers of the row.
from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from tare.api.one_clock import at_clock_ghz, clock_factor
from tare.api.runs import Row, Run

ABOVE = "0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"  # per cent above the best: row_tare.l1
LIMIT = 0.1  # of quiet batches, of records that do not say theirs


@dataclass(frozen=True)
class Process:
    """Batches of one case in one process: ns of an execution at the clock that the row is said at, executions of each
    batch, and Unix time of its start.
    """

    samples_ns: list[float]
    n: int
    started_s: float


@dataclass(frozen=True)
class Measured:
    row: Row
    processes: list[Process]


def commit_of(run: Run) -> str:
    """Of the package that the record goes by, which is NumPy unless it names another; "" where it is not known."""
    context = run.record["context"]["tare"]
    package = context.get("package") or "numpy"
    if package == "numpy":
        build, key = context.get("numpy"), "git_revision"
    else:
        build, key = (context.get("package_builds") or {}).get(package), "commit"
    return str((build or {}).get(key) or context.get("subject_commit") or "")


FEWEST = 3  # quiet batches of each rung, or all it has: else the row leaves the process out (stats/quiet.h)


def measured_cases(run: Run) -> Iterator[Measured]:
    """Cases with times above zero, which is all that these formats can hold. Batches beside a neighbour are left out,
    and processes with too few others, as they are of the row, unless it is busy.
    """
    references = run.record["context"]["tare"].get("references")
    limit = references.get("quiet_limit", LIMIT) if isinstance(references, dict) else LIMIT
    if not isinstance(limit, (int, float)) or not 0 < limit < 1:
        limit = LIMIT
    quiet_above = ABOVE[: round(100 * limit) + 1]
    at_ghz = at_clock_ghz(run.record)
    visits: dict[str, dict[int, list[dict[str, Any]]]] = {}  # by case and process: its rungs
    entries: dict[int, dict[str, Any]] = {}  # by id of a rung: what holds it
    for entry in run.record["benchmarks"]:
        own = entry["tare"]
        if "samples_ns" in own:
            case = entry["name"].rpartition("/")[0]
            visits.setdefault(case, {}).setdefault(own["process"], []).append(own)
            entries[id(own)] = entry
    for row in run.rows:
        processes = []
        for rungs in visits.get(row.case, {}).values():
            about: dict[str, Any] = next((rung["visit"] for rung in rungs if "visit" in rung), {})
            floor = [about["floor"]] if "floor" in about else []
            enough = all(
                len(_quiet(rung, quiet_above)) >= min(FEWEST, len(rung["samples_ns"])) for rung in rungs + floor
            )
            python = [rung for rung in rungs if rung["rung"] == "python"]
            if not python or not (row.busy or enough):
                continue
            samples = python[0]["samples_ns"] if row.busy else _quiet(python[0], quiet_above)
            n = python[0]["n"]
            factor = clock_factor(about.get("clock_ghz"), at_ghz, entries[id(python[0])])
            kept = [factor * sample for sample in samples if sample > 0]
            if kept:
                processes.append(Process(kept, n if isinstance(n, int) else max(n), about.get("started_s") or 0.0))
        if row.gross_ns is not None and row.gross_ns > 0 and processes:
            yield Measured(row, processes)


def _quiet(rung: dict[str, Any], quiet_above: str) -> list[float]:
    """All where no reference was taken beside them."""
    samples, l1 = rung["samples_ns"], rung.get("l1", "")
    return list(samples) if len(l1) != len(samples) else [s for s, above in zip(samples, l1) if above in quiet_above]


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
