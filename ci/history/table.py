"""The levels of a history as a Markdown table: table.py [STORE]. How many times the reference's time each case takes
under the last release of each series, from paired duets.
"""

import sys
from pathlib import Path

import records

ROOT = Path(__file__).resolve().parents[2]


def last_of_series(releases: list[str]) -> list[str]:
    """Of releases in order the last one of each 1.24, 1.25, ..."""
    last = {release.rpartition(".")[0]: release for release in releases}
    return list(last.values())


def table(store: Path) -> str:
    duets = records.by_release(store / "records", duets=True)
    shown = last_of_series(list(duets))
    levels: dict[str, dict[str, float]] = {}
    for release in shown:
        for case in records.ratios(duets[release]):
            levels.setdefault(case, {})[release] = records.levels({release: duets[release]}, case)[release]
    lines = [f"| case | {' | '.join(shown)} |", f"|---|{'---:|' * len(shown)}"]
    for case in sorted(levels):
        cells = [f"{levels[case][release]:.2f}" if release in levels[case] else "" for release in shown]
        lines.append(f"| `{case}` | {' | '.join(cells)} |")
    return "\n".join(lines)


if __name__ == "__main__":
    print(table(Path(sys.argv[1]) if len(sys.argv) > 1 else ROOT / "results" / "history"))
