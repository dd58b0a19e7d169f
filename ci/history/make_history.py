"""Measures releases of NumPy, oldest first, into a store: for each a duet against the reference release, and a run
with ledgers. What the store holds already is not measured again.
"""

import argparse
import os
import re
import subprocess
import sys
import time
from dataclasses import dataclass
from pathlib import Path

import environment
import records

HERE = Path(__file__).resolve().parent
ROOT = HERE.parent.parent
QUICK_RELEASES = ("1.24.4", "1.25.2", "2.4.6")
QUICK_CASES = 5
# Ten pairs are the fewest that may claim a change. With 8 of the usual 24 quads a record takes a third of the room;
# what a duet cannot know is how processes differ, and of those there are as many.
DUET = ("--pairs", "10", "--quads", "8")
# Counts are exact; four layouts, in two workers, tell those that depend on placement.
RUN = ("--quick", "--ledger", "--layouts", "4")


def lines(name: str) -> list[str]:
    text = (HERE / name).read_text(encoding="utf-8")
    return [line.strip() for line in text.splitlines() if line.strip() and not line.startswith("#")]


@dataclass(frozen=True)
class Plan:
    bench: str
    store: Path
    python: str
    environments: Path
    pattern: str

    def python_of(self, release: str) -> str:
        return str(environment.environment(self.environments, self.python, release))

    def measured(self, *, duets: bool) -> set[str]:
        """The releases of which the store holds these cases. One that was cut short stays, and is measured anew."""
        whole = set()
        for path in (self.store / "records").glob("*.json"):
            record = records.read(path)
            if not records.is_of_history(record, duets=duets) or record["tare"]["settings"]["filter"] != self.pattern:
                continue
            if records.is_whole(record):
                whole.add(records.release_of(record))
            else:
                say(f"{path} was cut short: it is measured anew, and the file may be deleted")
        return whole

    def bench_ends_well(self, *arguments: str) -> bool:
        command = [self.bench, *arguments, "--filter", self.pattern, "--store", str(self.store)]
        # 4: some cases failed, which the record says
        return subprocess.run(command, stdout=subprocess.DEVNULL).returncode in (0, 4)

    def measure(self, release: str) -> bool:
        """Whether the store now holds this release."""
        python = self.python_of(release)
        return (
            release in self.measured(duets=True)
            or self.bench_ends_well("duet", "--a", self.python_of(records.REFERENCE), "--b", python, *DUET)
        ) and (release in self.measured(duets=False) or self.bench_ends_well("run", "--python", python, *RUN))


def say(text: str) -> None:
    print(f"make_history: {time.strftime('%H:%M:%S')} {text}", file=sys.stderr, flush=True)


def parsed(arguments: list[str]) -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="ci/make_history", description=__doc__)
    parser.add_argument("--bench", required=True, help=argparse.SUPPRESS)
    parser.add_argument("--out", type=Path, default=ROOT / "results" / "history", help="the store")
    parser.add_argument("--python", default="/usr/bin/python3", help="the interpreter, with venv and pip")
    cache = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache")
    parser.add_argument(
        "--environments",
        type=Path,
        default=cache / "tare" / "environments",
        help="where NumPy's releases are installed",
    )
    parser.add_argument("--quick", action="store_true", help="three releases, six cases")
    parser.add_argument("releases", nargs="*", help="instead of those in ci/history/releases.txt")
    return parser.parse_args(arguments)


def main(arguments: list[str]) -> int:
    """Returns 0 where every release that has a wheel was measured, 1 where bench failed."""
    options = parsed(arguments)
    cases = lines("cases.txt")
    releases = options.releases or lines("releases.txt")
    if options.quick:
        cases, releases = cases[:: len(cases) // QUICK_CASES], list(QUICK_RELEASES)
    pattern = "^(" + "|".join(re.escape(case) for case in cases) + ")$"
    options.out.mkdir(parents=True, exist_ok=True)
    plan = Plan(options.bench, options.out.resolve(), options.python, options.environments.resolve(), pattern)
    failed = 0
    for place, release in enumerate(releases):
        say(f"NumPy {release} ({place + 1} of {len(releases)})")
        try:
            if not plan.measure(release):
                say(f"NumPy {release}: bench failed")
                failed += 1
        except environment.NoWheelError as reason:
            say(f"NumPy {release} is left out: {reason}")
    size_mb = sum(path.stat().st_size for path in (options.out / "records").glob("*.json")) / 1e6
    say(f"{options.out}/records: {size_mb:.1f} MB")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
