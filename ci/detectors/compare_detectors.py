"""The change-point detectors on the same simulated series: how often each alarms where nothing changed, how often it
finds a step and where. One table, in text on stdout and in Markdown with --out. Run by ci/compare_detectors.
"""

import argparse
import os
import platform
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path

import peers
import rates
import simulated

QUICK, FULL = 50, 1000  # series a scenario


def parsed(arguments: Sequence[str]) -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--program", type=Path, required=True, help="tare_change_points")
    parser.add_argument("--series", type=int, default=FULL, help=f"of each kind (default {FULL})")
    parser.add_argument("--quick", action="store_const", dest="series", const=QUICK, help=f"{QUICK} of each kind")
    parser.add_argument("--out", type=Path, help="the folder that gets README.md")
    options = parser.parse_args(arguments)
    if options.series < 1:
        parser.error("--series: at least 1")
    return options


def cpu_seconds() -> float:
    """Of this process and of those it ran: unlike a wall clock's, another load on the machine is not in it."""
    times = os.times()
    return times.user + times.system + times.children_user + times.children_system


def measured(
    detectors: Mapping[str, peers.Detector], scenario: simulated.Scenario, count: int, seconds: dict[str, float]
) -> dict[str, rates.Rates]:
    """Rates by detector; adds to `seconds` what each took."""
    series = scenario.series(count)
    ends = [end for end in scenario.raised if 0 < end < simulated.POINTS]
    by_detector = {}
    for name, detect in detectors.items():
        print(f"{scenario.name}: {name}", file=sys.stderr)
        start = cpu_seconds()
        found = detect(series)
        seconds[name] = seconds.get(name, 0) + cpu_seconds() - start
        if len(found) != len(series):
            raise RuntimeError(f"{name} answered {len(found)} of {len(series)} series")
        by_detector[name] = rates.rates(found, ends)
    return by_detector


def tables(detectors: Mapping[str, peers.Detector], count: int) -> list[tuple[str, rates.Row, list[rates.Row]]]:
    """(title, header, rows) of each."""
    names, seconds = list(detectors), dict[str, float]()
    unchanged, found = [], []
    for scenario in simulated.UNCHANGED:
        by_detector = measured(detectors, scenario, count, seconds)
        unchanged.append([scenario.name, *(rates.share(by_detector[name].alarmed, count) for name in names)])
    for scenario in simulated.CHANGED:
        by_detector = measured(detectors, scenario, count, seconds)
        found.append([f"{scenario.name}: within 2", *(rates.share(by_detector[name].close, count) for name in names)])
        found.append(["  within 10", *(rates.share(by_detector[name].near, count) for name in names)])
        found.append(["  change points a series", *(f"{by_detector[name].points / count:.2f}" for name in names)])
    scanned = count * (len(simulated.UNCHANGED) + len(simulated.CHANGED))
    cost = [["ms a series", *(f"{1000 * seconds[name] / scanned:.3f}" for name in names)]]
    return [
        ("Series with a change point, %: the code did not change", ["noise", *names], unchanged),
        ("Changes found, %, at most 2 or 10 points from where they are (of a piece: both ends)", ["", *names], found),
        ("CPU time", ["", *names], cost),
    ]


def main(arguments: Sequence[str]) -> int:
    options = parsed(arguments)
    shown = tables(peers.all_detectors(options.program), options.series)
    for title, header, rows in shown:
        print(f"{title}\n\n{rates.text(header, rows)}")
    if options.out:
        options.out.mkdir(parents=True, exist_ok=True)
        head = (
            "# Change-point detectors on the same series\n\n"
            f"`ci/compare_detectors --series {options.series}`: {options.series} series of {simulated.POINTS} points "
            f"of each kind, seed {simulated.SEED},\nspread {100 * simulated.SPREAD:.0f} %; each series on its own; "
            "every tool with its defaults. In brackets Wilson's 95 % interval.\n"
            "asv's regressions page lists upward steps of 5 % and more that still hold at the end, so a step that was\n"
            "taken back is none for it, nor is an improvement.\n"
            f"Python {platform.python_version()}, NumPy {peers.version('numpy')}, SciPy {peers.version('scipy')}.\n"
        )
        body = "".join(f"\n## {title}\n\n{rates.markdown(header, rows)}" for title, header, rows in shown)
        (options.out / "README.md").write_text(head + body)
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
