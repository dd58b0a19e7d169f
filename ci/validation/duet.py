"""One `bench duet` as values: its command line, and what its record says. The only place that knows the record's names.
Times in seconds, sizes as ratios; the executed injection is counted from the executions that the record holds.
"""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

VERDICTS = ("slower", "faster", "same", "inconclusive")
FAILED = "failed"  # any other word in a record: the case failed, or one side alone has it

# names in the record's top-level `tare` object, in one of its verdicts, in a row of `benchmarks`
LIST, CASE, VERDICT, REASON = "verdicts", "case", "verdict", "reason"
RATIO, LOW, HIGH, PAIRS = "ratio", "low_ratio", "high_ratio", "a_pairs"
ROW_EXECUTIONS = "iterations"
RUNG = "/python/"  # a row is called CASE/python/SIDE


@dataclass(frozen=True)
class Comparison:
    """One case of one duet."""

    case: str
    verdict: str
    reason: str
    pairs: int
    ratio: float | None  # b / a
    low_ratio: float | None
    high_ratio: float | None
    executed_ratio: float | None  # executions of b / executions of a: 1 where nothing was injected

    def as_row(self) -> list[Any]:
        return [getattr(self, name) for name in FIELDS]


FIELDS = tuple(Comparison.__dataclass_fields__)


def comparison_of(row: Sequence[Any]) -> Comparison:
    return Comparison(**dict(zip(FIELDS, row)))


def arguments(
    a: Path, b: Path, filter_re: str, seed: int, cpu: int, percent: float, injected_re: str | None, out: Path
) -> list[str]:
    """Of `bench duet`, its record going to `out` and its store beside that."""
    words = ["duet", "--a", str(a), "--b", str(b), "--filter", filter_re, "--seed", str(seed), "--cpu", str(cpu)]
    words += ["--store", str(out.parent / "store"), "--out", str(out), "--format", "json"]
    if percent:
        words += ["--inject", f"{percent:g}"]
        if injected_re is not None:
            words += ["--inject-case", injected_re]
    return words


def read_duet(text: str) -> list[Comparison]:
    """Every verdict of a record. Errors: ValueError naming what is missing."""
    read = json.loads(text)
    try:
        verdicts = read["tare"][LIST]
        executed = executed_ratios(read.get("benchmarks", []))
        return [comparison(verdict, executed) for verdict in verdicts]
    except (KeyError, TypeError) as error:
        raise ValueError(f"not the record of a duet: {type(error).__name__} {error}") from error


def comparison(verdict: Mapping[str, Any], executed: Mapping[str, float]) -> Comparison:
    name = verdict[CASE]
    word = verdict[VERDICT] if verdict[VERDICT] in VERDICTS else FAILED
    reason = verdict.get(REASON) or ("" if word != FAILED else str(verdict[VERDICT]))
    numbers = (verdict.get(key) for key in (RATIO, LOW, HIGH))
    return Comparison(name, word, reason, verdict.get(PAIRS) or 0, *numbers, executed.get(name))


def executed_ratios(rows: Sequence[Mapping[str, Any]]) -> dict[str, float]:
    """Executions of side b in units of side a's, over all pairs of a case: what --inject came to in whole passes."""
    counts: dict[str, dict[str, int]] = {}
    for row in rows:
        case, found, side = row["name"].rpartition(RUNG)
        if found:  # the row of a failed visit has no side
            own = counts.setdefault(case, {"a": 0, "b": 0})
            own[side] += row[ROW_EXECUTIONS]
    return {case: own["b"] / own["a"] for case, own in counts.items() if own["a"]}
