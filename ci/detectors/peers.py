"""The detectors: from many series to the first points of their new levels, each series on its own. Ours through the
program tare_change_points, those of asv and Apache Otava by their own code, with their own defaults.
"""

import contextlib
import importlib
import importlib.metadata
import subprocess
from collections.abc import Callable, Sequence
from pathlib import Path

Detector = Callable[[Sequence[Sequence[float]]], list[list[int]]]

# asv's regressions page reports no smaller one unless asv.conf.json says so (plugins/regressions.py, _get_threshold).
ASV_THRESHOLD = 0.05


def ours(program: Path) -> Detector:
    def detect(series: Sequence[Sequence[float]]) -> list[list[int]]:
        text = "".join(" ".join(map(repr, values)) + "\n" for values in series)
        done = subprocess.run([str(program)], input=text, capture_output=True, text=True, check=True)
        return [[int(first) for first in line.split()] for line in done.stdout.split("\n")[: len(series)]]

    return detect


def asv_steps() -> Detector:
    """Every boundary between the levels that asv's graphs are fitted with, up or down."""
    detect_steps = importlib.import_module("asv.step_detect").detect_steps
    return lambda series: [[step[0] for step in detect_steps(list(values))[1:]] for values in series]


def asv_regressions() -> Detector:
    """What asv's regressions page lists: upward steps that still hold at the end."""
    step_detect = importlib.import_module("asv.step_detect")

    def detect_one(values: Sequence[float]) -> list[int]:
        steps = step_detect.detect_steps(list(values))
        _, _, jumps = step_detect.detect_regressions(steps, ASV_THRESHOLD)
        return [after for _, after, _, _ in jumps or []]

    return lambda series: [detect_one(values) for values in series]


def otava() -> Detector:
    """Windows of 50 and p 0.001, as otava.series.AnalysisOptions has them."""
    compute = importlib.import_module("otava.analysis").compute_change_points
    options = importlib.import_module("otava.series").AnalysisOptions()

    def detect_one(values: Sequence[float]) -> list[int]:
        # a list, not an array: an array's slices would be views that its windows confuse
        points, _ = compute(list(values), options.window_len, options.max_pvalue, options.min_magnitude)
        return sorted(point.index for point in points)

    return lambda series: [detect_one(values) for values in series]


def version(package: str) -> str:
    with contextlib.suppress(importlib.metadata.PackageNotFoundError):
        return importlib.metadata.version(package)
    return "not installed"


def all_detectors(program: Path) -> dict[str, Detector]:
    """By the name that the table shows."""
    return {
        "tare": ours(program),
        f"Otava {version('apache-otava')}": otava(),
        f"asv {version('asv')}, steps": asv_steps(),
        f"asv {version('asv')}, regressions page": asv_regressions(),
    }
