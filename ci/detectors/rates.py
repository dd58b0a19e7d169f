"""From what detectors found to rates, and from rates to a table in text and in Markdown."""

import math
from collections.abc import Sequence
from dataclasses import dataclass

CLOSE, NEAR = 2, 10  # points


@dataclass(frozen=True)
class Rates:
    """Of one detector on one scenario: in how many of the series."""

    series: int
    alarmed: int  # any change point
    close: int  # one at most CLOSE points from each end of the raised piece (from its beginning, where it lasts)
    near: int  # the same, NEAR points
    points: int  # change points found, in all


def rates(found: Sequence[Sequence[int]], ends: Sequence[int]) -> Rates:
    def within(reach: int) -> int:
        return sum(all(any(abs(at - end) <= reach for at in points) for end in ends) for points in found)

    return Rates(
        series=len(found),
        alarmed=sum(bool(points) for points in found),
        close=within(CLOSE) if ends else 0,
        near=within(NEAR) if ends else 0,
        points=sum(map(len, found)),
    )


def share(count: int, of: int) -> str:
    """In per cent with Wilson's 95 % interval."""
    z, p = 1.96, count / of
    middle = (p + z * z / (2 * of)) / (1 + z * z / of)
    half = z * math.sqrt(p * (1 - p) / of + z * z / (4 * of * of)) / (1 + z * z / of)
    low, high = max(0.0, middle - half), min(1.0, middle + half)
    return f"{100 * p:.1f} [{100 * low:.1f}, {100 * high:.1f}]"


Row = list[str]


def markdown(header: Row, rows: Sequence[Row]) -> str:
    marks = ["---"] + ["---:"] * (len(header) - 1)
    return "".join("| " + " | ".join(row) + " |\n" for row in [header, marks, *rows])


def text(header: Row, rows: Sequence[Row]) -> str:
    widths = [max(len(row[i]) for row in [header, *rows]) for i in range(len(header))]
    lines = []
    for row in [header, *rows]:
        cells = [cell.rjust(width) for cell, width in zip(row[1:], widths[1:])]
        lines.append("  ".join([row[0].ljust(widths[0]), *cells]).rstrip() + "\n")
    return "".join(lines)
