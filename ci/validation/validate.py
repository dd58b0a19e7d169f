"""How far can the verdicts of `bench duet` be trusted on this machine? False alarms, power, cost, and the same for the
rules of asv, pyperf, Google Benchmark and benchstat. Writes results.jsonl as it goes, then README.md and power.svg.
"""

import argparse
import os
import re
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import duet
import load
import machine
import peers
import plan
import progress
import rules
import summary
from journal import Journal
from plan import Plan, Size, Step

ROOT = Path(__file__).resolve().parents[2]
CASES = Path(__file__).with_name("cases.txt")
SEED = 20130613  # any fixed number does; written before this code had measured anything
# as `bench`: 1 and 3 only with options that are not used here; 4: a case failed, which is counted
FINISHED = (0, 4)


class StepFailed(Exception):
    """What to keep in the journal; the validation stops, and goes on with --resume."""


@dataclass(frozen=True)
class Machine:
    """What every step needs to know."""

    bench: Path
    pythons: tuple[Path, Path]  # the two copies
    cpu: int
    rules: dict[str, dict[str, rules.Rule]]

    def sides(self, step: Step) -> tuple[Path, Path]:
        a, b = self.pythons if step.sides == "copies" else (self.pythons[0],) * 2
        return (b, a) if step.swapped else (a, b)


def run_duet(step: Step, machine: Machine) -> dict[str, Any]:
    a, b = machine.sides(step)
    with tempfile.TemporaryDirectory(prefix="tare-validation-") as folder:
        record = Path(folder) / "record.json"
        injected = plan.one_of(step.injected_cases) if step.injected_cases else None
        words = duet.arguments(
            a, b, plan.one_of(step.cases), step.seed, machine.cpu, step.injected_percent, injected, record
        )
        started = time.monotonic()
        done = subprocess.run([machine.bench, *words], stdin=subprocess.DEVNULL, capture_output=True, text=True)
        wall_s = time.monotonic() - started
        if done.returncode not in FINISHED:
            if done.returncode in (130, -signal.SIGINT):
                raise KeyboardInterrupt
            raise StepFailed(f"bench {' '.join(words)}\nstatus {done.returncode}: {done.stderr.strip()}")
        comparisons = duet.read_duet(record.read_text())
    if missing := set(step.cases) - {one.case for one in comparisons}:
        raise StepFailed(f"no verdict for {len(missing)} cases: {', '.join(sorted(missing))}")
    rows = [one.as_row() for one in comparisons]
    return {"wall_s": wall_s, "exit_code": done.returncode, "comparisons": rows}


def run_peer(step: Step, machine: Machine) -> dict[str, Any]:
    a, b = machine.sides(step)
    suite = ROOT / "benchmarks" / "numpy"
    subject = peers.Subject({"a": a, "b": b}, machine.cpu, suite, 1 + step.injected_percent / 100)
    started = time.monotonic()
    try:
        samples = peers.measure(step.protocol, step.cases, subject)
    except RuntimeError as error:
        raise StepFailed(str(error)) from error
    wall_s = time.monotonic() - started
    return {"wall_s": wall_s, "samples": samples, "decisions": rules.decide(machine.rules[step.protocol], samples)}


def run_step(step: Step, machine: Machine) -> dict[str, Any]:
    """The line of the journal. A failure is a line with `error`."""
    line: dict[str, Any] = {
        "step": step.name,
        "part": step.part,
        "protocol": step.protocol,
        "seed": step.seed,
        "sides": step.sides,
        "swapped": step.swapped,
        "load": step.load,
        "injected_percent": step.injected_percent,
        "injected_cases": step.injected_cases,
        "cases": step.cases,
        "started_s": int(time.time()),
    }
    started = time.monotonic()
    try:
        with load.busy(step.load, load.other_cpu(machine.cpu)):
            return line | (run_duet if step.protocol == "duet" else run_peer)(step, machine)
    except (StepFailed, RuntimeError, ValueError, OSError) as error:
        return line | {"wall_s": time.monotonic() - started, "error": f"{type(error).__name__}: {error}"}


def run_plan(steps: tuple[Step, ...], journal: Journal, run: Callable[[Step], dict[str, Any]]) -> int:
    """What is not done yet. 0; 1 where a step failed, which ends it; 130 interrupted."""
    left = [step for step in steps if not journal.is_done(step.name)]
    clock = progress.Clock([line for line in journal.lines if "error" not in line])
    for place, step in enumerate(left):
        print(progress.text(place, left, clock), file=sys.stderr, flush=True)
        journal.begin(step.name)
        try:
            line = run(step)
        except KeyboardInterrupt:
            print(f"interrupted in {step.name}; go on with: --resume {journal.path.parent}", file=sys.stderr)
            return 130
        journal.add(line)
        if "error" in line:
            print(f"{step.name} failed: {line['error']}\ngo on with: --resume {journal.path.parent}", file=sys.stderr)
            return 1
        clock.add(line)
    return 0


def read_cases(path: Path) -> list[str]:
    return [line for line in path.read_text().splitlines() if line and not line.startswith("#")]


def arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(
        prog="ci/validate", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    add = parser.add_argument
    add("--quick", action="store_true", help="about three minutes: shows that it works, proves nothing")
    add("--parts", default=",".join(plan.PARTS), help=f"some of {','.join(plan.PARTS)} (default: all)")
    add("--cases", default="", metavar="RE", help="only those of ci/validation/cases.txt that match")
    add("--out", type=Path, help="folder of the results (default: results/validation/DATE-CPU)")
    add("--resume", type=Path, metavar="DIR", help="go on with a validation that was interrupted, with its arguments")
    add("--seed", type=int, default=SEED, help=f"of all that is random (default {SEED})")
    add("--cpu", type=int, default=max(os.sched_getaffinity(0)), help="measured on (default: the last one allowed)")
    add("--bench", type=Path, default=ROOT / "build/release/bin/bench", help=argparse.SUPPRESS)
    add("--a", type=Path, required=True, help=argparse.SUPPRESS)  # by ci/validate: the two copies
    add("--b", type=Path, required=True, help=argparse.SUPPRESS)
    return parser.parse_args()


def make(given: argparse.Namespace) -> tuple[Plan, dict[str, Any]]:
    """The plan and what the journal begins with. Errors: ValueError."""
    cases = [case for case in read_cases(CASES) if re.search(given.cases, case)]
    size = Size.quick() if given.quick else Size()
    wanted = [part for part in given.parts.split(",") if not (given.quick and part == "needle")]
    the_plan = plan.make_plan(cases, wanted, size, given.seed)
    parts = [step.part for step in the_plan.steps]
    settings = {
        "plan": the_plan.digest(),
        "seed": given.seed,
        "quick": given.quick,
        "cases": len(cases),
        "steps": {part: parts.count(part) for part in dict.fromkeys(parts)},
        "started_s": int(time.time()),
        "facts": machine.facts(given.bench, (given.a, given.b), given.cpu),
    }
    return the_plan, settings


def main() -> int:
    given = arguments()
    try:
        the_plan, settings = make(given)
        folder = given.resume or given.out or machine.folder(ROOT / "results" / "validation")
        journal = Journal(folder, settings, resume=given.resume is not None)
    except ValueError as error:
        print(f"ci/validate: {error}", file=sys.stderr)
        return 2
    here = Machine(given.bench, (given.a, given.b), given.cpu, rules.rules())
    status = run_plan(the_plan.steps, journal, lambda step: run_step(step, here))
    page = summary.page(journal.settings, journal.lines, journal.begun, peers.DESCRIPTIONS)
    (folder / "README.md").write_text(page)
    import plot  # takes a second, and only the end needs it

    plot.draw(journal.lines, folder / "power.svg")
    print(page)
    print(f"written: {folder}", file=sys.stderr)
    return status


if __name__ == "__main__":
    sys.exit(main())
