"""Counts and their intervals, made from the lines of a journal: one row for each question that a validation asks. Pure.
Shares with Wilson's 95 % interval; sizes in points, 0.01 of a ratio.
"""

import math
import statistics
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from duet import FAILED, VERDICTS, Comparison, comparison_of
from scipy.stats import binomtest

Line = Mapping[str, Any]


@dataclass(frozen=True)
class Share:
    """`count` of `total`."""

    count: int
    total: int

    @property
    def percent(self) -> float:
        return 100 * self.count / self.total if self.total else math.nan

    def interval_percent(self) -> tuple[float, float]:
        """Wilson, 95 %."""
        interval = binomtest(self.count, self.total).proportion_ci(0.95, method="wilson")
        return 100 * interval.low, 100 * interval.high

    def __str__(self) -> str:
        if self.total == 0:
            return "none"
        low, high = self.interval_percent()
        return f"{self.count}/{self.total} = {self.percent:.1f} % [{low:.1f}, {high:.1f}]"


@dataclass(frozen=True)
class Tally:
    """Verdicts of comparisons that share a treatment."""

    comparisons: tuple[Comparison, ...]

    def count(self, *verdicts: str) -> int:
        return sum(one.verdict in verdicts for one in self.comparisons)

    def share(self, *verdicts: str) -> Share:
        """Of those that could be compared at all."""
        return Share(self.count(*verdicts), len(self.comparisons) - self.count(FAILED))

    def verdicts(self) -> dict[str, int]:
        return {verdict: self.count(verdict) for verdict in (*VERDICTS, FAILED)}

    def bias_points(self) -> tuple[float, float] | None:
        """Mean of recovered minus executed size, and its standard error; None with fewer than two."""
        errors = [
            100 * (one.ratio - one.executed_ratio)
            for one in self.comparisons
            if one.ratio is not None and one.executed_ratio is not None
        ]
        if len(errors) < 2:
            return None
        return statistics.mean(errors), statistics.stdev(errors) / len(errors) ** 0.5

    def mean_pairs(self) -> float | None:
        pairs = [one.pairs for one in self.comparisons if one.verdict != FAILED]
        return statistics.mean(pairs) if pairs else None


def comparisons_of(line: Line, injected: bool | None = None) -> list[Comparison]:
    """Of a line of a duet; only the injected cases, or only the others, if told."""
    all_cases = [comparison_of(row) for row in line["comparisons"]]
    if injected is None:
        return all_cases
    return [one for one in all_cases if (one.case in line["injected_cases"]) == injected]


def of_part(lines: Iterable[Line], part: str, protocol: str | None = "duet") -> list[Line]:
    """Finished steps."""
    return [
        line for line in lines if line["part"] == part and "error" not in line and protocol in (None, line["protocol"])
    ]


def tally(lines: Iterable[Line], injected: bool | None = None) -> Tally:
    return Tally(tuple(one for line in lines for one in comparisons_of(line, injected)))


def by_treatment(lines: Iterable[Line]) -> dict[tuple[str, str], list[Line]]:
    """A/A suites by sides and load, in the order of their first appearance."""
    groups: dict[tuple[str, str], list[Line]] = {}
    for line in lines:
        groups.setdefault((line["sides"], line["load"]), []).append(line)
    return groups


def by_percent(lines: Iterable[Line]) -> dict[float, list[Line]]:
    """By injected percent: -5, 0.5, 1, ..."""
    groups: dict[float, list[Line]] = {}
    for line in lines:
        groups.setdefault(line["injected_percent"], []).append(line)
    return dict(sorted(groups.items()))


def right_verdict(percent: float) -> str:
    return "slower" if percent > 0 else "faster" if percent < 0 else "same"


def seconds_a_case(lines: Sequence[Line]) -> float | None:
    """Wall time of the whole commands over the cases they compared."""
    cases = sum(len(line["cases"]) for line in lines)
    return sum(line["wall_s"] for line in lines) / cases if cases else None


@dataclass(frozen=True)
class PeerRow:
    """One rule, at one injected size."""

    rule: str
    percent: float
    slower: Share
    faster: Share
    seconds_a_case: float


def peer_rows(lines: Sequence[Line]) -> list[PeerRow]:
    """Every rule that was applied, tare's first."""
    decisions: dict[tuple[str, float], list[str]] = {}
    used: dict[tuple[str, float], list[Line]] = {}
    for line in of_part(lines, "peers", None):
        if line["protocol"] == "duet":
            own = {"tare": [one.verdict for one in comparisons_of(line) if one.verdict != FAILED]}
        else:
            own = line["decisions"]
        for rule, verdicts in own.items():
            key = (rule, line["injected_percent"])
            decisions.setdefault(key, []).extend(verdicts)
            used.setdefault(key, []).append(line)
    return [
        PeerRow(
            rule,
            percent,
            Share(verdicts.count("slower"), len(verdicts)),
            Share(verdicts.count("faster"), len(verdicts)),
            seconds_a_case(used[rule, percent]) or 0.0,
        )
        for (rule, percent), verdicts in sorted(decisions.items(), key=lambda item: (item[0][0] != "tare", item[0]))
    ]
