"""Two profilers' samples of one program, side by side: shares, their difference and its error.

Each share is a binomial proportion of its own samples: its standard error is sqrt(p(1-p)/n). Where the runs differ by
more than that, as those of a profiler do that samples the wall clock of a busy machine, it is the standard error over
the runs. The error shown is twice that of the difference. A share of none would have no error at all: one sample is
added to either side for the error alone.
"""

import math
import statistics
from collections import Counter
from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass
from typing import Generic, TypeVar

ALLOWED = 0.02  # what two profilers may differ by beyond sampling error: they begin and end at other moments
ERRORS = 2.0  # standard errors
FAR_OFF = 0.15

Key = TypeVar("Key", bound=Hashable)


@dataclass(frozen=True)
class Row(Generic[Key]):
    key: Key
    ours: float
    theirs: float
    error: float  # twice the standard error of the difference

    @property
    def difference(self) -> float:
        return self.ours - self.theirs

    @property
    def could_disagree(self) -> bool:
        """Whether the shares are large enough: two small ones lie within what is allowed whatever is measured."""
        return max(self.ours, self.theirs) > ALLOWED + self.error

    @property
    def is_far_off(self) -> bool:
        """Beyond what a second of samples on a busy machine explains."""
        return abs(self.difference) > FAR_OFF + self.error

    @property
    def agrees(self) -> bool:
        return abs(self.difference) <= ALLOWED + self.error


def error_of(count: int, total: int) -> float:
    """The standard error of a share."""
    share = (count + 1) / (total + 2)
    return math.sqrt(share * (1 - share) / (total + 2))


def error_over(runs: Sequence[float]) -> float:
    """The standard error of the mean of several runs; 0 of one alone."""
    return statistics.stdev(runs) / math.sqrt(len(runs)) if len(runs) > 1 else 0.0


class Side(Generic[Key]):
    """One profiler's samples by key, of each run."""

    def __init__(self, runs: Sequence[Mapping[Key, int]]):
        self.runs = [run for run in runs if run]
        self.sum: Counter[Key] = Counter()
        for run in self.runs:
            self.sum.update(run)
        self.total = sum(self.sum.values())

    def share(self, key: Key) -> float:
        return self.sum[key] / self.total

    def error(self, key: Key) -> float:
        of_runs = [run.get(key, 0) / sum(run.values()) for run in self.runs]
        return max(error_of(self.sum[key], self.total), error_over(of_runs))


def rows(ours: Side[Key], theirs: Side[Key], top: int) -> list[Row]:
    """The `top` keys that are heaviest on either side, heaviest first."""
    found = [
        Row(key, ours.share(key), theirs.share(key), ERRORS * math.hypot(ours.error(key), theirs.error(key)))
        for key in {*ours.sum, *theirs.sum}
    ]
    return sorted(found, key=lambda row: (-max(row.ours, row.theirs), str(row.key)))[:top]


def table(title: str, names: tuple[str, str], found: list[Row], label: Mapping) -> list[str]:
    """As text: one line a row, its verdict last."""
    wide = max([len(title), *(len(label[row.key]) for row in found)])
    lines = [f"{title:<{wide}}  {names[0]:>7}  {names[1]:>7}  {'points':>7}  {'error':>6}"]
    for row in found:
        shares = f"{row.ours:7.1%}  {row.theirs:7.1%}  {row.difference * 100:+7.1f}  {row.error * 100:6.1f}"
        lines.append(f"{label[row.key]:<{wide}}  {shares}  {'' if row.agrees else 'OUT'}".rstrip())
    return lines
