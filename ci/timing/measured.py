"""What check_timing and compare_hosts share: one `bench run` as values, programs run on one CPU, order statistics.
Times in nanoseconds, of one execution unless a name says otherwise.
"""

import itertools
import json
import os
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[2]
ONE_THREAD = dict.fromkeys(("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"), "1")


@dataclass(frozen=True)
class Gross:
    """One case in one worker: what `bench run` reports for it."""

    gross_ns: float  # net of the floor
    floor_ns: float  # subtracted from each pass of the loop
    empty_ns: float  # a pass of an empty loop
    gross_in_floors: float  # median over placements of gross / empty pass, whose batches stood side by side


@dataclass(frozen=True)
class Run:
    """One record: gross by case name, and what measured it."""

    cases: dict[str, Gross]
    context: dict[str, Any]


@dataclass(frozen=True)
class Interval:
    """A median and the order statistics that hold the true one with 95 %: no assumption but independence."""

    low: float
    middle: float
    high: float

    def meets(self, other: "Interval") -> bool:
        return self.low <= other.high and other.low <= self.high


def interval(values: Sequence[float]) -> Interval:
    """Of at least 6 values: fewer have no 95 % interval of their median (2 * 0.5**5 is 6 %)."""
    ordered = sorted(values)
    count = len(ordered)
    if count < 6:
        raise ValueError(f"{count} values have no 95 % interval of their median; 6 do")
    # the largest rank r with P(Binomial(count, 1/2) < r) <= 2.5 %
    below, rank, ways = 0.0, 0, 1
    for k in range(count):
        below += ways / 2**count
        if below > (1 - 0.95) / 2:
            break
        rank, ways = k + 1, ways * (count - k) // (k + 1)
    return Interval(ordered[rank - 1], middle(ordered), ordered[count - rank])


def middle(values: Sequence[float]) -> float:
    """The median."""
    ordered = sorted(values)
    half = len(ordered) // 2
    return ordered[half] if len(ordered) % 2 else 0.5 * (ordered[half - 1] + ordered[half])


def last_cpu() -> int:
    """The CPU that `bench` itself would take."""
    return max(os.sched_getaffinity(0))


def output_of(command: Sequence[str | Path], environment: dict[str, str], hint: str = "") -> str:
    """Its stdout. A failure ends this program with status 2 and what the command said."""
    done = subprocess.run(command, env={**os.environ, **environment}, capture_output=True, text=True, check=False)
    if done.returncode != 0:
        words = " ".join(str(word) for word in itertools.islice(command, 8))
        print(f"failed with status {done.returncode}: {words} ...\n{done.stderr}{hint}", file=sys.stderr)
        sys.exit(2)
    return done.stdout


def bench_run(bench: Path, python: Path, cpu: int, arguments: Sequence[str]) -> Run:
    """`bench run` of one fresh worker, its record kept out of the user's store."""
    with tempfile.TemporaryDirectory(prefix="tare-timing-") as folder:
        record = Path(folder) / "record.json"
        fixed: list[str | Path] = [
            "run",
            "--python",
            python,
            "--rounds",
            "1",
            "--cpu",
            str(cpu),
            "--store",
            folder,
            "--out",
            record,
        ]
        output_of([bench, *fixed, *arguments], {})
        return read_run(record)


def read_run(record: Path) -> Run:
    """The python rungs of a record of one round."""
    read = json.loads(record.read_text())
    cases = {}
    for row in read["benchmarks"]:
        name, _, rung = row["name"].rpartition("/")
        if rung == "python" and not row.get("error_occurred"):
            ours = row["tare"]
            empty = ours["visit"]["floor"]["samples_ns"]
            ratio = middle([gross / floor for gross, floor in zip(ours["samples_ns"], empty)])
            cases[name] = Gross(row["real_time"], ours["floor_ns"], middle(empty), ratio)
    return Run(cases, read["context"]["tare"])


def print_table(head: Sequence[str], rows: Sequence[Sequence[str]]) -> None:
    """Left-aligned first column, the others to the right."""
    widths = [max(len(row[i]) for row in [head, *rows]) for i in range(len(head))]
    for row in [head, *rows]:
        cells = [cell.rjust(width) for cell, width in zip(row, widths)]
        print("  ".join([row[0].ljust(widths[0]), *cells[1:]]).rstrip(), flush=True)


def in_ns(value: float) -> str:
    """Four digits: more would be noise."""
    return f"{value:.4g}" if abs(value) < 1000 else f"{value:.0f}"
