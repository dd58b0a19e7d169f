# Pictures of results for a notebook: SVG that needs no script, no font and no file. Colours that tell apart on white
# and on black; every text is escaped.
from __future__ import annotations

import html
import math
from collections.abc import Callable, Sequence

from tare.api.table import time_text

WIDTH, LEFT, RIGHT, LINE, AXIS = 720, 240, 40, 22, 30
GROSS, NET, FAINT = "#2f7ed8", "#d9792b", "#8888"
SLOWER, FASTER, SAME = "#c0392b", "#2e8b57", "#888"
Timed = tuple[str, "float | None", "float | None", "float | None", "float | None"]


def _svg(height: float, body: Sequence[str], title: str) -> str:
    return (
        f'<svg viewBox="0 0 {WIDTH} {height:.0f}" width="{WIDTH}" role="img" style="max-width:100%" '
        f'font-family="sans-serif" font-size="12" fill="currentColor"><title>{html.escape(title)}</title>'
        f"{''.join(body)}</svg>"
    )


def _line(x1: float, y1: float, x2: float, y2: float, colour: str, width: float = 1) -> str:
    return f'<line x1="{x1:.1f}" y1="{y1:.1f}" x2="{x2:.1f}" y2="{y2:.1f}" stroke="{colour}" stroke-width="{width}"/>'


def _text(x: float, y: float, text: str, anchor: str = "start") -> str:
    return f'<text x="{x:.1f}" y="{y:.1f}" text-anchor="{anchor}">{html.escape(text)}</text>'


def _dot(x: float, y: float, colour: str, radius: float = 4, opacity: float = 1) -> str:
    return f'<circle cx="{x:.1f}" cy="{y:.1f}" r="{radius}" fill="{colour}" fill-opacity="{opacity}"/>'


def _shortened(name: str) -> str:
    return name if len(name) <= 33 else f"{name[:17]}…{name[-15:]}"


def _ticks(low: float, high: float) -> list[float]:
    """1, 2 and 5 times powers of ten in a range; where that is one or none, its ends."""
    found = []
    for power in range(math.floor(math.log10(low)), math.ceil(math.log10(high)) + 1):
        found += [m * 10.0**power for m in (1, 2, 5) if low <= m * 10.0**power <= high]
    wide = [tick for tick in found if round(math.log10(tick)) == math.log10(tick)]
    if len(found) > 8 and len(wide) > 1:
        return wide
    return found if len(found) > 1 else [low, high]


def dot_plot(cases: Sequence[Timed]) -> str:
    """Name, gross, its interval and net, in ns, on a logarithmic axis: what lies between the dots is the tare."""
    values = [v for case in cases for v in case[1:] if v is not None and v > 0]
    if not values:
        return ""
    low, high = min(values) / 1.1, max(values) * 1.1
    scale = (WIDTH - LEFT - RIGHT) / math.log(high / low)

    def at(ns: float) -> float:
        return LEFT + scale * math.log(max(ns, low) / low)

    bottom = LINE * len(cases) + 8
    body = []
    for tick in _ticks(low, high):
        body.append(_line(at(tick), 4, at(tick), bottom, FAINT, 0.5))
        body.append(_text(at(tick), bottom + 16, time_text(tick), "middle"))
    for number, (name, gross, lower, upper, net) in enumerate(cases):
        y = LINE * number + LINE / 2 + 4
        body.append(_text(LEFT - 8, y + 4, _shortened(name), "end"))
        if net is not None and net > 0 and gross is not None:
            body += [_line(at(net), y, at(gross), y, FAINT, 3), _dot(at(net), y, NET)]
        if lower is not None and upper is not None:
            body.append(_line(at(lower), y, at(upper), y, GROSS, 2))
        if gross is not None and gross > 0:
            body.append(_dot(at(gross), y, GROSS))
    legend = "gross" if all(case[4] is None for case in cases) else "gross, and net where it was measured"
    return _svg(bottom + AXIS, body, legend)


def strip_plot(processes: Sequence[Sequence[float]], low: float | None, high: float | None) -> str:
    """Every batch of a case, a row for each process, on a linear axis; the interval of the whole as a band.

    What lies farther out than the axis reaches, three times the middle half beyond it, stands faint at its end.
    """
    values = sorted(v for each in processes for v in each)
    if not values:
        return ""
    lower, upper = values[len(values) // 4], values[3 * len(values) // 4]
    left, right = max(values[0], lower - 3 * (upper - lower)), min(values[-1], upper + 3 * (upper - lower))
    left, right = min(left, low or left), max(right, high or right)
    margin = 0.05 * (right - left) or 0.01 * abs(right) or 1
    left, right = left - margin, right + margin

    def at(ns: float) -> float:
        return LEFT + (WIDTH - LEFT - RIGHT) * (max(left, min(ns, right)) - left) / (right - left)

    bottom = LINE * len(processes) + 8
    body = []
    if low is not None and high is not None:
        body.append(
            f'<rect x="{at(low):.1f}" y="4" width="{max(1.0, at(high) - at(low)):.1f}" height="{bottom - 4}" '
            f'fill="{NET}" fill-opacity="0.25"/>'
        )
    for number, samples in enumerate(processes):
        y = LINE * number + LINE / 2 + 4
        body.append(_text(LEFT - 8, y + 4, f"process {number + 1}", "end"))
        body += [_dot(at(ns), y, GROSS, 3, 0.5 if left <= ns <= right else 0.15) for ns in samples]
    for tick in (left + margin, (left + right) / 2, right - margin):
        body.append(_text(at(tick), bottom + 16, time_text(tick), "middle"))
    return _svg(bottom + AXIS, body, "each batch; the band is the 95 % interval")


def change_plot(cases: Sequence[tuple[str, str, float, float, float]], bound: float) -> str:
    """Name, verdict, change and its interval as ratios b / a; the band is what counts as the same."""
    reach = max([bound * 1.5] + [max(abs(low - 1), abs(high - 1)) * 1.05 for _, _, _, low, high in cases])

    def at(ratio: float) -> float:
        return LEFT + (WIDTH - LEFT - RIGHT) * (ratio - 1 + reach) / (2 * reach)

    bottom = LINE * len(cases) + 8
    band = f'<rect x="{at(1 - bound):.1f}" y="4" width="{at(1 + bound) - at(1 - bound):.1f}" height="{bottom - 4}"'
    body = [f'{band} fill="{SAME}" fill-opacity="0.15"/>', _line(at(1), 4, at(1), bottom, FAINT)]
    for tick in (1 - reach, 1 - bound, 1, 1 + bound, 1 + reach):
        body.append(_text(at(tick), bottom + 16, f"{100 * (tick - 1):+.1f} %" if tick != 1 else "0", "middle"))
    colours = {"slower": SLOWER, "faster": FASTER}
    for number, (name, verdict, ratio, low, high) in enumerate(cases):
        y = LINE * number + LINE / 2 + 4
        colour = colours.get(verdict, SAME)
        body.append(_text(LEFT - 8, y + 4, _shortened(name), "end"))
        body += [_line(at(low), y, at(high), y, colour, 2), _dot(at(ratio), y, colour)]
    return _svg(bottom + AXIS, body, "change of the time from a to b, 95 %")


def bar_plot(bars: Sequence[tuple[str, float]], text: Callable[[float], str]) -> str:
    """Names and what they take, as bars of proportional length."""
    longest = max((value for _, value in bars), default=0)
    if longest <= 0:
        return ""
    body = []
    for number, (name, value) in enumerate(bars):
        y = LINE * number + 4
        width = (WIDTH - LEFT - 4 * RIGHT) * max(value, 0) / longest
        body.append(_text(LEFT - 8, y + 15, _shortened(name), "end"))
        body.append(f'<rect x="{LEFT}" y="{y + 3}" width="{width:.1f}" height="{LINE - 6}" fill="{GROSS}"/>')
        body.append(_text(LEFT + width + 6, y + 15, text(value)))
    return _svg(LINE * len(bars) + 8, body, "by layer")


def step_plot(points: Sequence[float], changes: Sequence[int], text: Callable[[float], str]) -> str:
    """A series in the order of its points; a vertical line before each change."""
    if not points:
        return ""
    low, high = min(points), max(points)
    span = (high - low) or abs(high) or 1
    height, width = 60, WIDTH - LEFT - RIGHT

    def place(number: int) -> tuple[float, float]:
        return LEFT + width * (number + 0.5) / len(points), 6 + (height - 12) * (high - points[number]) / span

    half = width / len(points) / 2
    body = [_line(place(c)[0] - half, 2, place(c)[0] - half, height, SLOWER) for c in changes]
    body += [_dot(*place(number), GROSS, 2.5) for number in range(len(points))]
    body += [_text(LEFT - 8, 16, text(high), "end"), _text(LEFT - 8, height - 2, text(low), "end")]
    return _svg(height + 4, body, "the series, oldest first")
