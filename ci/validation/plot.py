"""The power curve as SVG: share of cases found against the size injected, tare's line and the peers' points, with
Wilson's 95 % intervals. At 0 %: unchanged code called changed, in either direction.
"""

from collections.abc import Sequence
from pathlib import Path

import counts
import matplotlib
from counts import Line, Share

matplotlib.use("svg")
matplotlib.rcParams["svg.hashsalt"] = "tare"  # the same file from the same results
matplotlib.rcParams["svg.fonttype"] = "none"

from matplotlib import pyplot  # noqa: E402

Point = tuple[float, Share]  # percent injected, share found


def tare_points(lines: Sequence[Line]) -> list[Point]:
    points: list[Point] = []
    if suites := counts.of_part(lines, "aa"):
        points.append((0.0, counts.tally(suites).share("slower", "faster")))
    for percent, own in counts.by_percent(counts.of_part(lines, "power")).items():
        points.append((percent, counts.tally(own, True).share(counts.right_verdict(percent))))
    return sorted((point for point in points if point[1].total), key=lambda point: point[0])


def peer_points(lines: Sequence[Line]) -> dict[str, list[Point]]:
    found: dict[str, list[Point]] = {}
    for row in counts.peer_rows(lines):
        if row.rule != "tare" and row.slower.total:
            called = row.slower.count + (row.faster.count if row.percent == 0 else 0)
            found.setdefault(row.rule, []).append((row.percent, Share(called, row.slower.total)))
    return found


def draw(lines: Sequence[Line], path: Path) -> None:
    """Writes the file; nothing where there is nothing to show."""
    own, peers = tare_points(lines), peer_points(lines)
    if not own and not peers:
        return
    figure, axes = pyplot.subplots(figsize=(7.5, 4.5), layout="constrained")
    for shift, (name, points) in enumerate([("tare", own), *peers.items()]):
        if not points:
            continue
        x = [percent + (0.06 * shift if shift else 0) for percent, _ in points]  # side by side, not on top
        y = [share.percent for _, share in points]
        # of 0 in n, Wilson's lower end is 0 but for rounding
        low = [max(0.0, share.percent - share.interval_percent()[0]) for _, share in points]
        high = [max(0.0, share.interval_percent()[1] - share.percent) for _, share in points]
        style = "o-" if name == "tare" else "s"  # between two measured sizes nothing is known of the peers
        axes.errorbar(x, y, [low, high], fmt=style, capsize=3, markersize=4, label=name, zorder=3 if not shift else 2)
    axes.set_xlabel("work injected into side b, % (0: unchanged code)")
    axes.set_ylabel("called changed in that direction, % (at 0: in either)")
    axes.set_ylim(-3, 103)
    axes.grid(alpha=0.3)
    axes.legend(loc="center left", bbox_to_anchor=(1.0, 0.5), frameon=False)
    figure.savefig(path, metadata={"Date": None})
    pyplot.close(figure)
