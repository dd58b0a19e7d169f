"""Are tare's numbers right? Checks what `bench run` reports in two ways.

1. The line. The time of a pass of u = 2, 4, 8 copies of a statement (`bench run --unroll u`) must lie on a line
   (least squares) whose slope is the reported gross and whose intercept is the reported floor: the 95 % intervals of
   slope and gross meet, and so do those of intercept and floor; and no pass is off the line of gross and floor by more
   than 5 % or 1 ns a copy. A floor that is not what the loop costs would show, or a cost once a pass. One copy is
   timed, too, but is another loop to the machine: each branch follows the same statement, so that the end of a pass is
   foreseen and costs as little as in an empty loop. It must not be above the line by more than that, nor further below
   it than the floor exceeds the empty loop's. `off` shows by how much each point misses the line.
2. timeit. gross against the standard library's timeit with the statement repeated 100 times, its names as local
   variables, in the subject's own executable and by Python's own clock: within 1 ns or 5 %, whichever is more. Of
   timeit's own cost a hundredth of a loop's pass stays in (0.05 ns); see timeit_in_subject.py. A worker that is another
   program than the one users run would show, one that has not warmed up, or a clock that is wrong.

All take turns in fresh processes on one CPU, in an order that turns round. The clock of a shared machine swings by
more than what is looked for, within seconds, so each process times an empty loop between its other batches, and its
times are scaled to the speed at which that loop takes as long as its median over all of them. That the empty loop is
the same in bench and timeit is checked, too (within 5 %). Columns with a * are so scaled; `reported` is what
`bench run` says.
Exit status 0: all within bounds; 1: not; 2: no result.
"""

import argparse
import dataclasses
import json
import os
import statistics
import sys
from dataclasses import dataclass
from pathlib import Path

import measured
from measured import Gross, Interval, in_ns, interval

HERE = Path(__file__).resolve().parent
COPIES = (1, 2, 4, 8)
ON_THE_LINE = (2, 4, 8)
SHARE = 0.05
LEAST_NS = 1.0
NUMPY = "import numpy as np; "


@dataclass(frozen=True)
class Subject:
    bench: Path
    python: Path
    cpu: int
    placements: int
    copies: int
    host: str | None


@dataclass(frozen=True)
class Statement:
    name: str
    text: str
    setup: str
    against_timeit: bool


STATEMENTS = (
    Statement("float add", "x + x", "x = 1.5", True),
    Statement("0-d add", "x + x", NUMPY + "x = np.array(1.5)", True),
    Statement("np.dot 8", "np.dot(x, y)", NUMPY + "x = np.ones(8); y = np.ones(8)", False),
    Statement("np.sum 8", "np.sum(x)", NUMPY + "x = np.ones(8)", False),
)


@dataclass(frozen=True)
class Turn:
    """One fresh process of each kind, side by side. Times of the second kind in passes of their own empty loop."""

    reported: Gross
    line_in_floors: dict[int, float]  # a pass, by copies
    timeit_floor_ns: float | None = None
    timeit_in_floors: float | None = None

    def line(self) -> tuple[float, float]:
        """Slope and intercept by least squares."""
        slope, intercept = statistics.linear_regression(ON_THE_LINE, [self.line_in_floors[u] for u in ON_THE_LINE])
        return slope, intercept

    def off_the_line(self, copies: int) -> float:
        """How far the pass of so many copies is from floor + copies * gross, for each copy."""
        floor = self.reported.floor_ns / self.reported.empty_ns
        return (self.line_in_floors[copies] - floor - copies * self.reported.gross_in_floors) / copies


Pairs = list[tuple[float, float]]  # a time and that of the empty loop beside it, at each placement


def in_floors(pairs: Pairs) -> float:
    return measured.middle([time_ns / floor_ns for time_ns, floor_ns in pairs])


def timeit_in_subject(subject: Subject, statement: Statement) -> Pairs:
    """What timeit says when the subject's own executable runs it."""
    order = {
        "statement": statement.text,
        "setup": statement.setup,
        "copies": subject.copies,
        "cpu": subject.cpu,
        "placements": subject.placements,
    }
    command: list[str | Path] = [subject.python, HERE / "timeit_in_subject.py", json.dumps(order)]
    answer: dict[str, Pairs] = json.loads(measured.output_of(command, measured.ONE_THREAD))
    return answer["statement"]


def reported_by_bench(subject: Subject, statement: Statement, copies: int | None) -> Gross:
    """With tare's own number of copies where `copies` is none."""
    arguments = ["-e", statement.text, "--setup", statement.setup]
    if copies is not None:
        arguments += ["--unroll", str(copies)]
    if subject.host is not None:
        arguments += ["--host", subject.host]
    run = measured.bench_run(subject.bench, subject.python, subject.cpu, arguments)
    return next(iter(run.cases.values()))


def take_turn(subject: Subject, statement: Statement, number: int) -> Turn:
    """Measures a statement in all ways, in one order or another."""
    ways: list[int | str | None] = [None, *COPIES]
    if statement.against_timeit:
        ways.append("timeit")
    shift = number // 2 % len(ways)
    ways = ways[shift:] + ways[:shift]
    reported: dict[int | None, Gross] = {}
    pairs: Pairs = []
    for way in ways if number % 2 == 0 else reversed(ways):
        if isinstance(way, str):
            pairs = timeit_in_subject(subject, statement)
        else:
            reported[way] = reported_by_bench(subject, statement, way)
    turn = Turn(
        reported=reported[None],
        line_in_floors={copies: 1 + copies * reported[copies].gross_in_floors for copies in COPIES},
    )
    if not pairs:
        return turn
    floor_ns = measured.middle([floor_ns for _, floor_ns in pairs])
    return dataclasses.replace(turn, timeit_floor_ns=floor_ns, timeit_in_floors=in_floors(pairs))


def bound_ns(time_ns: float) -> float:
    return max(LEAST_NS, SHARE * time_ns)


def between(values: Interval) -> str:
    return f"{in_ns(values.middle)} [{in_ns(values.low)}, {in_ns(values.high)}]"


def ratio_text(values: Interval) -> str:
    return f"{values.middle:.3f} [{values.low:.3f}, {values.high:.3f}]"


def check_line(turns: list[Turn], floor_ns: float) -> tuple[list[str], list[str]]:
    """A row of the table, and what is wrong. `floor_ns`: what times are scaled to."""
    gross = interval([t.reported.gross_in_floors * floor_ns for t in turns])
    floor = interval([t.reported.floor_ns / t.reported.empty_ns * floor_ns for t in turns])
    slope = interval([t.line()[0] * floor_ns for t in turns])
    intercept = interval([t.line()[1] * floor_ns for t in turns])
    ratio = interval([t.line()[0] / t.reported.gross_in_floors for t in turns])
    off_ns = [measured.middle([t.off_the_line(u) * floor_ns for t in turns]) for u in COPIES]
    wrong = []
    if not slope.meets(gross):
        wrong.append(f"slope {between(slope)} ns is not the gross {between(gross)} ns")
    if not intercept.meets(floor):
        wrong.append(f"intercept {between(intercept)} ns is not the floor {between(floor)} ns")
    foreseen_ns = max(0.0, floor.middle - floor_ns)
    for copies, off in zip(COPIES, off_ns):
        below_ns = bound_ns(gross.middle) + (foreseen_ns if copies not in ON_THE_LINE else 0.0)
        if not -below_ns <= off <= bound_ns(gross.middle):
            wrong.append(f"{copies} copies are off the line by {off:+.3g} ns each")
    reported = between(interval([t.reported.gross_ns for t in turns]))
    row = [
        reported,
        between(gross),
        between(slope),
        ratio_text(ratio),
        between(interval([t.reported.floor_ns for t in turns])),
        between(floor),
        between(intercept),
    ]
    return [*row, " ".join(f"{off:+.2g}" for off in off_ns)], wrong


def check_timeit(turns: list[Turn], floor_ns: float) -> tuple[list[str], list[str]]:
    """A row of the table, and what is wrong."""
    pairs = [(t.reported.gross_in_floors, t.timeit_in_floors) for t in turns if t.timeit_in_floors is not None]
    gross, timeit = interval([g * floor_ns for g, _ in pairs]), interval([t * floor_ns for _, t in pairs])
    ratio = interval([g / t for g, t in pairs])
    difference_ns, allowed_ns = (ratio.middle - 1) * timeit.middle, bound_ns(timeit.middle)
    wrong = []
    if abs(difference_ns) > allowed_ns:
        wrong.append(f"gross is {difference_ns:+.3g} ns from timeit's {between(timeit)} ns; {allowed_ns:.3g} allowed")
    return [between(gross), between(timeit), ratio_text(ratio), f"{difference_ns:+.2f}", f"{allowed_ns:.2f}"], wrong


def check_floor(turns: list[Turn]) -> tuple[list[str], list[str]]:
    """A row of the table, and what is wrong: the empty loop in both programs."""
    floors = {
        "bench run": interval([t.reported.empty_ns for t in turns]),
        "timeit": interval([t.timeit_floor_ns for t in turns if t.timeit_floor_ns is not None]),
    }
    ours = floors["bench run"].middle
    wrong = [
        f"the empty loop takes {between(floor)} ns in {name}, {ours:.4g} ns in bench run"
        for name, floor in floors.items()
        if abs(floor.middle - ours) > SHARE * ours
    ]
    return [between(floor) for floor in floors.values()], wrong


def arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--python", type=Path, default=os.environ.get("TARE_PYTHON", "python3"), help="the subject")
    parser.add_argument("--bench", type=Path, default=measured.ROOT / "build/release/bin/bench", help="our program")
    parser.add_argument("--turns", type=int, default=20, help="fresh processes of each kind (default 20; at least 6)")
    parser.add_argument("--placements", type=int, default=24, help="fresh set-ups in each (default 24, as tare)")
    parser.add_argument("--copies", type=int, default=100, help="of the statement in timeit (default 100)")
    parser.add_argument("--cpu", type=int, default=measured.last_cpu(), help="(default: the last one allowed)")
    parser.add_argument("--host", help="passed to bench run: one that is not the subject's own must be found out")
    return parser.parse_args()


def report(turns: dict[str, list[Turn]], subject: Subject) -> list[str]:
    """Prints the three tables; what is wrong."""
    all_turns = [turn for own in turns.values() for turn in own]
    floor_ns = measured.middle([turn.reported.empty_ns for turn in all_turns])
    wrong: list[str] = []

    def row(name: str, checked: tuple[list[str], list[str]]) -> list[str]:
        wrong.extend(f"{name}: {text}" for text in checked[1])
        return [name, *checked[0]]

    print(f"ns; median [95 % interval] over {len(all_turns) // len(turns)} processes of each kind\n")
    print("the line; off: ns a copy at u = 1, 2, 4, 8")
    head = [
        "",
        "gross reported",
        "gross*",
        "slope*",
        "slope/gross*",
        "floor reported",
        "floor*",
        "intercept*",
        "off*",
    ]
    measured.print_table(head, [row(name, check_line(own, floor_ns)) for name, own in turns.items()])
    compared = {one.name: turns[one.name] for one in STATEMENTS if one.against_timeit}
    print(f"\ntimeit, {subject.copies} copies, in {subject.python}")
    head = ["", "gross*", "timeit*", "gross/timeit*", "difference*", "allowed"]
    measured.print_table(head, [row(name, check_timeit(own, floor_ns)) for name, own in compared.items()])
    print("\nthe empty loop")
    head = ["", "bench run", "timeit"]
    together = [turn for own in compared.values() for turn in own]
    measured.print_table(head, [row("floor", check_floor(together))])
    return wrong


def main() -> int:
    given = arguments()
    if given.turns < 6:
        print("--turns: fewer than 6 give no 95 % interval", file=sys.stderr)
        return 2
    subject = Subject(given.bench, given.python, given.cpu, given.placements, given.copies, given.host)
    turns: dict[str, list[Turn]] = {statement.name: [] for statement in STATEMENTS}
    for number in range(given.turns):
        for statement in STATEMENTS:
            turns[statement.name].append(take_turn(subject, statement, number))
        print(f"turn {number + 1} of {given.turns}", file=sys.stderr)
    wrong = report(turns, subject)
    print("\n" + ("\n".join(f"OUT OF BOUNDS: {text}" for text in wrong) if wrong else "all within bounds"))
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
