"""How well the numbers of `bench run` repeat: the same cases again and again, what quiet batches and all batches say.

ci/validate_runs [N] [--load LOAD...] [--cases N] [--seed SEED]: N runs (default: 20) of cases drawn by seed from the
whole suite, the loads by turns on another CPU; then the report. Each run's record stays in
.cache/validation/runs/SEED-CASES, so the same command goes on after Ctrl-C, and on another day. --report: of the
records that are there, without running any. --reference: first a long run without a load, which tells how far the
others are off, and how often their intervals hold its values. --pairs: what comparisons of successive runs say.
"""

import argparse
import contextlib
import json
import math
import os
import random
import re
import shutil
import signal
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import load
import stored_pairs

ROOT = Path(__file__).resolve().parents[2]
FOLDER = ROOT / ".cache" / "validation" / "runs"
COMPILE = "compile"
RUNS = "[0-9][0-9][0-9]-*.json"
REFERENCE_ROUNDS = 60
SLOWED = 1.05
LOADS = ("none", "arithmetic", "memory", COMPILE)
# by degrees of freedom, to those of 8 processes; of more an interval is between order statistics; two-sided
STUDENT_95 = dict(enumerate((12.706, 4.303, 3.182, 2.776, 2.571, 2.447, 2.365), 1))
# what is compiled on the other CPU: templates keep the compiler busy for seconds
SOURCE = "#include <regex>\nint main() { return std::regex_match(std::string(), std::regex()); }\n"


@dataclass
class Row:
    """A case in the runs: its value and its interval of each run that has one."""

    values: list[float] = field(default_factory=list)
    intervals: list[tuple[float, float]] = field(default_factory=list)
    unknown: int = 0  # runs that show all batches because too few were quiet

    def add(self, value: float, low: float, high: float) -> None:
        self.values.append(value)
        self.intervals.append((low, high))

    @property
    def halves(self) -> list[float]:
        """Half of each interval, as a ratio to the value; the value need not lie in its middle."""
        return [(high - low) / 2 / value for value, (low, high) in zip(self.values, self.intervals, strict=True)]

    def errors(self, truth: float) -> list[float]:
        return [value / truth - 1 for value in self.values]

    def held(self, truth: float) -> int:
        """Intervals that hold it."""
        return sum(low <= truth <= high for low, high in self.intervals)

    def spread(self) -> float | None:
        """Standard deviation between runs, as a ratio."""
        if len(self.values) < 2:
            return None
        return statistics.stdev(self.values) / statistics.mean(self.values)


def all_batches(medians: Sequence[float]) -> tuple[float, float, float]:
    """The median of two processes or more, and its 95 % interval as `bench run` makes it (harness/stats/estimate.h)."""
    if len(medians) > 1 + max(STUDENT_95):
        return statistics.median(medians), *between_order_statistics(sorted(medians))
    logs = [math.log(value) for value in medians]
    half = STUDENT_95[len(logs) - 1] * statistics.stdev(logs) / math.sqrt(len(logs))
    middle = statistics.mean(logs)
    return statistics.median(medians), math.exp(middle - half), math.exp(middle + half)


def between_order_statistics(ordered: Sequence[float]) -> tuple[float, float]:
    """95 % for the median, of nine values or more: Hettmansperger and Sheather 1986."""
    n = len(ordered)

    def held(outside: int) -> float:
        return 1 - 2 * sum(math.comb(n, k) for k in range(outside + 1)) / 2**n

    outside = next(k for k in range(n) if held(k + 1) < 0.95)
    excess = (held(outside) - 0.95) / (held(outside) - held(outside + 1))
    rank = outside + 1
    share = (n - rank) * excess / (rank + (n - 2 * rank) * excess)
    low, high = (
        (1 - share) * ordered[outer] + share * ordered[inner]
        for outer, inner in ((outside, outside + 1), (n - 1 - outside, n - 2 - outside))
    )
    return low, high


def at_ghz_of(record: dict[str, Any]) -> float:
    """The clock that the rows are said at; 0 of records from before they were."""
    return float(record["context"]["tare"]["references"].get("at_clock_ghz") or 0)


def read(record: dict[str, Any], at_ghz: float, quiet: dict[str, Row], everything: dict[str, Row]) -> None:
    """Adds a run: rows of quiet batches from its summary, at that clock, of all batches from its samples, as timed."""
    own_ghz = at_ghz_of(record)
    scale = own_ghz / at_ghz if own_ghz and at_ghz else 1
    for case in record["tare"]["cases"]:
        name, row = case["case"], quiet.setdefault(case["case"], Row())
        if case.get("gross_low_ns") is None or case.get("quiet", {"busy": True})["busy"]:
            row.unknown += 1
        else:
            row.add(*(scale * case[key] for key in ("gross_ns", "gross_low_ns", "gross_high_ns")))
    medians: dict[str, list[float]] = {}
    for entry in record["benchmarks"]:
        name, _, rung = entry["name"].rpartition("/")
        if rung == "python":
            medians.setdefault(name, []).append(statistics.median(entry["tare"]["samples_ns"]))
    for name, values in medians.items():
        row = everything.setdefault(name, Row())
        if len(values) > 1 and min(values) > 0:
            row.add(*all_batches(values))
        else:
            row.unknown += 1


def quantile(values: Sequence[float], share: float) -> float:
    """Of unsorted values; nearest rank."""
    return sorted(values)[min(len(values) - 1, int(share * len(values)))] if values else math.nan


def line(name: str, rows: dict[str, Row]) -> str:
    halves = [half for row in rows.values() for half in row.halves]
    spreads = [spread for row in rows.values() if (spread := row.spread()) is not None]
    known = sum(len(row.values) for row in rows.values())
    asked = known + sum(row.unknown for row in rows.values())
    if not spreads:
        return f"{name:14} fewer than two runs"
    half, most, spread, widest = (
        f"{100 * quantile(values, share):6.2f} %" for values in (halves, spreads) for share in (0.5, 0.9)
    )
    return f"{name:14} {100 * known / asked:6.1f} %   {half}  {most}    {spread}  {widest}"


def truth_line(name: str, rows: dict[str, Row], truths: dict[str, float]) -> str:
    """Each row against the long run: the mean error, the 95 % quantile of its size, and how many intervals hold it."""
    known = {case: row for case, row in rows.items() if case in truths and row.values}
    errors = [error for case, row in known.items() for error in row.errors(truths[case])]
    if not errors:
        return f"{name:14} nothing to compare"
    held = sum(row.held(truths[case]) for case, row in known.items())
    return (
        f"{name:14} mean {100 * statistics.mean(errors):+.2f} %, 95 % within "
        f"{100 * quantile([abs(error) for error in errors], 0.95):.2f} %; intervals that hold the long run's value: "
        f"{100 * held / len(errors):.1f} %"
    )


def report_against(records: Sequence[dict[str, Any]], long_run: dict[str, Any]) -> str:
    quiet: dict[str, Row] = {}
    everything: dict[str, Row] = {}
    for record in records:
        read(record, at_ghz_of(long_run), quiet, everything)
    truths = {
        case["case"]: case["gross_ns"]
        for case in long_run["tare"]["cases"]
        if case.get("gross_ns") is not None and not case.get("quiet", {"busy": True})["busy"]
    }
    processes = max((case["processes"] for case in long_run["tare"]["cases"]), default=0)
    return "\n".join(
        [
            f"against a run of {processes} processes, {100 * ratio_of(long_run):.0f} % quiet:",
            truth_line("quiet batches", quiet, truths),
            truth_line("all batches", everything, truths),
        ]
    )


def ratio_of(record: dict[str, Any]) -> float:
    return record["context"]["tare"]["references"]["quiet_ratio"]


def report(records: Sequence[dict[str, Any]]) -> str:
    quiet: dict[str, Row] = {}
    everything: dict[str, Row] = {}
    for record in records:
        read(record, at_ghz_of(records[0]), quiet, everything)
    ratios = [ratio_of(record) for record in records]
    seconds = [record["context"]["tare"]["duration_s"] for record in records]
    return "\n".join(
        [
            f"{len(records)} runs of {len(quiet)} cases; {statistics.median(seconds):.0f} s each; batches quiet: "
            f"{100 * min(ratios):.0f} to {100 * max(ratios):.0f} %",
            "                  rows     half interval: 50 %, 90 %    SD between runs: 50 %, 90 %",
            line("quiet batches", quiet),
            line("all batches", everything),
        ]
    )


@contextlib.contextmanager
def compiling(cpu: int | None) -> Iterator[None]:
    """A compiler on that CPU within, again and again."""
    if cpu is None:
        raise RuntimeError("a compiler beside the runs needs a second CPU, this machine allows one")
    with tempfile.TemporaryDirectory() as folder:
        source = Path(folder) / "source.cpp"
        source.write_text(SOURCE)
        command = f"while c++ -std=c++20 -O2 -c {source} -o {source}.o; do :; done"
        environment = os.environ | {"TMPDIR": folder}  # what a killed compiler leaves goes with it
        compilers = ["taskset", "-c", str(cpu), "sh", "-c", command]
        with subprocess.Popen(compilers, env=environment, start_new_session=True) as process:
            try:
                yield
            finally:
                os.killpg(process.pid, signal.SIGKILL)


def beside(kind: str) -> contextlib.AbstractContextManager[None]:
    measured = max(os.sched_getaffinity(0))  # where bench measures
    return compiling(load.other_cpu(measured)) if kind == COMPILE else load.busy(kind, load.other_cpu(measured))


def drawn(bench: str, count: int, seed: int) -> list[str]:
    listed = json.loads(
        subprocess.run([bench, "list", "--format", "json"], check=True, capture_output=True, text=True).stdout
    )
    return random.Random(seed).sample(sorted(case["name"] for case in listed["cases"]), count)


def measure(command: list[str], environment: dict[str, str], path: Path) -> int:
    """0 where the record was written; cases that failed are in it. One of a run that was interrupted is none."""
    part = path.with_suffix(".part")
    done = subprocess.run([*command, "--out", str(part)], env=environment, stdout=subprocess.DEVNULL, check=False)
    if done.returncode in (0, 4):
        part.rename(path)
        return 0
    part.unlink(missing_ok=True)
    print(f"validate_runs: bench run ended with {done.returncode}", file=sys.stderr)
    return done.returncode


def main() -> int:
    parser = argparse.ArgumentParser(
        prog="ci/validate_runs", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("runs", nargs="?", type=int, default=20)
    parser.add_argument("--bench", default=shutil.which("bench"), help=argparse.SUPPRESS)
    parser.add_argument("--load", nargs="+", choices=LOADS, default=["none"], help="by turns (default: none)")
    parser.add_argument("--cases", type=int, default=80)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument(
        "--reference",
        nargs="?",
        type=int,
        const=REFERENCE_ROUNDS,
        metavar="N",
        help=f"first a run of N processes (default: {REFERENCE_ROUNDS})",
    )
    parser.add_argument("--pairs", action="store_true", help="compare successive runs, as they are and slowed by 5 %%")
    parser.add_argument("--report", action="store_true", help="of the records that are there")
    arguments = parser.parse_args()
    folder = FOLDER / f"{arguments.seed}-{arguments.cases}"
    reference = folder / "reference.json"
    folder.mkdir(parents=True, exist_ok=True)
    try:
        if not arguments.report:
            names = drawn(arguments.bench, arguments.cases, arguments.seed)
            filter_ = "^(" + "|".join(re.escape(name) for name in names) + ")$"
            environment = os.environ | {"TARE_STORE": str(folder / "store")}
            if arguments.reference and not reference.exists():
                command = [arguments.bench, "run", "--rounds", str(arguments.reference), "--filter", filter_]
                if measure(command, environment, reference) != 0:
                    return 2
            start = len(list(folder.glob(RUNS)))
            for i in range(start, arguments.runs):
                kind = arguments.load[i % len(arguments.load)]
                path = folder / f"{i:03}-{kind}.json"
                with beside(kind):
                    command = [arguments.bench, "run", "--filter", filter_]
                    if measure(command, environment, path) != 0:
                        return 2
                print(f"{time.strftime('%H:%M:%S')} run {i + 1} of {arguments.runs}, load {kind}", flush=True)
    except KeyboardInterrupt:
        print("interrupted; the same command goes on", file=sys.stderr)
    paths = sorted(folder.glob(RUNS))
    for kind in ["", *sorted({path.stem[4:] for path in paths})]:
        records = [json.loads(path.read_text()) for path in paths if path.stem[4:].startswith(kind)]
        if records:
            print(f"\nload {kind or 'of all kinds'}: {report(records)}")
            if reference.exists():
                print(report_against(records, json.loads(reference.read_text())))
    if arguments.pairs and len(paths) > 1:
        print("\n" + stored_pairs.report(paths, arguments.bench, SLOWED, arguments.seed))
    return 0


if __name__ == "__main__":
    sys.exit(main())
