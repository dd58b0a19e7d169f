"""What the records of a history say, read as plain JSON: which release each is about, and its estimates."""

import json
import math
import re
import statistics
from pathlib import Path
from typing import Any

Record = dict[str, Any]

REFERENCE = "2.4.6"  # side a of the duets that make a history; others confirm single changes


def read(path: Path) -> Record:
    return json.loads(path.read_text(encoding="utf-8"))


def is_duet(record: Record) -> bool:
    return record["tare"].get("kind") == "duet"


def release_of(record: Record) -> str:
    """The NumPy that the record is about; of a duet that of side b."""
    subject = record["tare"]["sides"]["b"] if is_duet(record) else record["context"]["tare"]
    return subject["numpy"]["version"]


def is_whole(record: Record) -> bool:
    return not record["tare"]["interrupted"] and not record["tare"]["recovered"]


def is_of_history(record: Record, *, duets: bool) -> bool:
    """A run, or a duet with the reference, whichever is asked for."""
    if is_duet(record) != duets:
        return False
    return not duets or record["tare"]["sides"]["a"]["numpy"]["version"] == REFERENCE


def by_release(folder: Path, *, duets: bool) -> dict[str, Record]:
    """The duets with the reference, or the runs, of a folder of records, in the order of the releases."""
    read_all = (read(path) for path in sorted(folder.glob("*.json")))
    records = [record for record in read_all if is_of_history(record, duets=duets)]
    return {release_of(record): record for record in sorted(records, key=lambda each: order_of(release_of(each)))}


def order_of(release: str) -> tuple[int, ...]:
    """What final releases are sorted by."""
    return tuple(int(number) for number in re.findall(r"\d+", release))


def ratios(duet: Record) -> dict[str, list[float]]:
    """By case, ln(side b / side a) of each pair of processes: the median over pairs of neighbouring batches."""
    sides: dict[tuple[str, int], dict[str, list[float]]] = {}
    for row in duet["benchmarks"]:
        if row.get("error_occurred"):
            continue
        name, _, side = row["name"].rpartition("/")
        place = sides.setdefault((name.removesuffix("/python"), row["tare"]["visit_index"]), {})
        place[side] = row["tare"]["wall_ns"]
    by_case: dict[str, list[float]] = {}
    for (case, _), batches in sides.items():
        a, b = batches["a"], batches["b"]
        crosses = [math.log(b[quad + i] / a[quad + j]) for quad in range(0, len(a), 2) for i in (0, 1) for j in (0, 1)]
        by_case.setdefault(case, []).append(statistics.median(crosses))
    return by_case


def levels(duets: dict[str, Record], case: str) -> dict[str, float]:
    """By release, how many times the reference's time the case takes."""
    return {
        release: math.exp(statistics.mean(values))
        for release, duet in duets.items()
        if (values := ratios(duet).get(case))
    }


def instructions(runs: dict[str, Record], case: str) -> dict[str, int]:
    """By release, the fewest instructions of one execution over all layouts."""
    counts = {}
    for release, run in runs.items():
        for ledger in run["tare"].get("ledgers", []):
            if ledger["case"] == case:
                counts[release] = ledger["total"]["lowest"]
    return counts
