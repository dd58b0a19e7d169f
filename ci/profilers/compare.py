"""Does `bench profile` see what other profilers see?

Each program runs under `bench profile`, under perf (its CPU clock, the user's stack copied, unwound by DWARF) and under
py-spy, by turns, several times. Samples are summed; the ten heaviest native functions stand beside perf's, the ten
heaviest Python lines beside py-spy's, with the sampling error of the difference. Exit status 0: all agree within
2 points and that error; 1: one does not; 2: nothing could be compared. py-spy samples the wall clock: on a busy machine
its shares differ from run to run by more than chance, and the error shown is then that over the runs.
"""

import argparse
import sys
import tempfile
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import TypeVar

import matching
import shares
from native_samples import Sample
from python_samples import Line, innermost_lines
from tare_samples import TareProfile
from tools import Refused, Tools

HERE = Path(__file__).resolve().parent
ROOT = HERE.parents[1]
SHOWN = 10
Measured = TypeVar("Measured")


class Comparison:
    """Of one program, round by round."""

    def __init__(self, tools: Tools, script: Path, refused: dict[str, str]):
        self.tools, self.script, self.refused = tools, script, refused
        self.tare = TareProfile()
        self.perf: list[list[Sample]] = []
        self.lines: list[Counter[Line]] = []

    def turn(self, number: int, seconds: float) -> None:
        """Each tool once; another one begins each time."""
        order: list[Callable[[float], None]] = [self.under_tare, self.under_perf, self.under_py_spy]
        for tool in order[number % 3 :] + order[: number % 3]:
            tool(seconds)

    def under_tare(self, seconds: float) -> None:
        self.tare.add(self.tools.tare(self.script, seconds))

    def under_perf(self, seconds: float) -> None:
        self.perf.append(self.unless_refused("perf", self.tools.perf, seconds) or [])

    def under_py_spy(self, seconds: float) -> None:
        self.lines.append(innermost_lines(self.unless_refused("py-spy", self.tools.folded, seconds) or []))

    def unless_refused(self, name: str, tool: Callable[[Path, float], Measured], seconds: float) -> Measured | None:
        if name in self.refused:
            return None
        try:
            return tool(self.script, seconds)
        except Refused as reason:
            self.refused[name] = str(reason)
            return None

    def text(self) -> tuple[list[str], list[shares.Row]]:
        """The tables, and all their rows."""
        lines, rows = [f"## {self.script.stem}", ""], []
        if any(self.perf):
            matcher = matching.Matcher(self.tare)
            theirs = [matcher.count(run) for run in self.perf]
            ours = [matching.merged_vdso(run) for run in self.tare.native]
            found = shares.rows(shares.Side(ours), shares.Side(theirs), SHOWN)
            lines += shares.table("native function", ("tare", "perf"), found, matching.labels(matcher.names))
            rows += found
            lines += ["", self.completeness()]
        if any(self.lines):
            found = shares.rows(shares.Side(self.tare.lines), shares.Side(self.lines), SHOWN)
            label = {row.key: f"{row.key[0]} {row.key[1]}:{row.key[2]}" for row in found}
            lines += ["", *shares.table("Python line", ("tare", "py-spy"), found, label)]
            rows += found
        return [*lines, ""], rows

    def completeness(self) -> str:
        """How many stacks reach the program's entry, and the Python functions that perf has no word for."""
        samples = [sample for run in self.perf for sample in run]
        whole = sum(sample.reaches_the_entry for sample in samples)
        functions: Counter[str] = Counter()
        for run in self.tare.lines:
            for (name, _, _), count in run.items():
                functions[name] += count
        total = sum(functions.values())
        heaviest = ", ".join(f"{name} {count / total:.1%}" for name, count in functions.most_common(3))
        return (
            f"stacks that reach the program's entry: tare {self.tare.reach_the_entry:,} of {self.tare.stacks:,} "
            f"({self.tare.reach_the_entry / self.tare.stacks:.1%}), perf {whole:,} of {len(samples):,} "
            f"({whole / len(samples):.1%}); Python functions, which perf does not show: {heaviest}"
        )


def arguments() -> argparse.Namespace:
    description = str(__doc__)
    parser = argparse.ArgumentParser(
        prog="ci/compare_profilers", description=description, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    programs = sorted(path.stem for path in (HERE / "programs").glob("*.py"))
    parser.add_argument("programs", nargs="*", metavar="PROGRAM", help=f"of {', '.join(programs)} (default: all)")
    parser.add_argument("--rounds", type=int, default=4, help="runs under each tool (default: 4)")
    parser.add_argument("--seconds", type=float, default=3.0, help="that each run takes (default: 3)")
    parser.add_argument(
        "--quick",
        action="store_true",
        help="one round of 1 s: fails where a tool is refused or a share is 15 points off",
    )
    parser.add_argument("--bench", type=Path, default=ROOT / "build" / "release" / "bin" / "bench")
    parser.add_argument("--python", type=Path, default=ROOT / ".venv" / "bin" / "python")
    parser.add_argument("--py-spy", type=Path, default=Path(sys.executable).parent / "py-spy")
    given = parser.parse_args()
    given.programs = given.programs or programs
    if unknown := set(given.programs) - set(programs):
        parser.error(f"no program '{sorted(unknown)[0]}'; there are: {', '.join(programs)}")
    if given.quick:
        given.rounds, given.seconds = 1, 1.0
    return given


def main() -> int:
    given = arguments()
    refused: dict[str, str] = {}
    rows: list[shares.Row] = []
    with tempfile.TemporaryDirectory(prefix="tare-profilers-") as folder:
        tools = Tools(given.bench.absolute(), given.python.absolute(), given.py_spy.absolute(), Path(folder))
        for name in given.programs:
            comparison = Comparison(tools, HERE / "programs" / f"{name}.py", refused)
            try:
                for number in range(given.rounds):
                    print(f"{name}: round {number + 1} of {given.rounds}", file=sys.stderr)
                    comparison.turn(number, given.seconds)
            except Refused as reason:
                print(f"compare_profilers: error: {reason}", file=sys.stderr)
                return 2
            text, found = comparison.text()
            print("\n".join(text), flush=True)
            rows += found
        for tool, command in tools.commands.items():
            print(f"{tool}: {command}")
        print("; ".join(tools.versions()))
        if tools.lost:
            print(f"perf lost {tools.lost} chunks of its data")
    for tool, why in refused.items():
        print(f"not compared with {tool}: {why}")
    telling = [row for row in rows if row.could_disagree]
    out = sum(not row.agrees for row in rows)
    print(
        f"{len(telling) - out} of {len(telling)} shares agree within {shares.ALLOWED * 100:.0f} points and sampling "
        f"error; {len(rows) - len(telling)} more are too small to disagree"
    )
    if not telling:
        return 2
    if given.quick:
        return int(bool(refused) or any(row.is_far_off for row in rows))
    return int(out > 0)


if __name__ == "__main__":
    sys.exit(main())
