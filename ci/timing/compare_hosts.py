"""What does it matter how a worker holds CPython? The ten cases that differ most between the hosts of one interpreter.

`bench run --host embedded` (our program, the subject's libpython inside) and `--host executable` (the subject's own
python, our core loaded into it) take turns, a few cases at a time, in fresh workers with the same seed; ratios are
taken turn by turn, because the clock of a shared machine swings. Where the subject is linked statically the two run
different builds of CPython, which is why tare chooses the host by the subject. `--hosts executable executable` shows
what the method itself makes of two equal hosts. Exit status 0: a table was printed; 2: not.
"""

import argparse
import json
import math
import re
import sys
from pathlib import Path

import measured
from measured import Interval, Run, in_ns, interval

SHOWN = 10
CASES_A_TURN = 8  # about a second, within which the machine's clock seldom changes
DEFAULT_FILTER = (
    r"^(add|multiply|less|sum_|max_|mean|dot|matmul|sqrt|np_add|reshape|copy|getitem|getitem_slice|setitem|zeros|to_float"
    r"|len_|item|array_from_list|errstate|loop_over|element_add|sorted_builtin|isinstance_|abs|where|concatenate)"
    r"(\[(kind=(float|list|0d)|kind=array,dtype=f8,n=8|dtype=f8,n=8|n=8)|$)"
)


def case_names(given: argparse.Namespace) -> list[str]:
    command = [given.bench, "list", "--all", "--format", "json", "--python", given.python, "--filter", given.filter]
    return [case["name"] for case in json.loads(measured.output_of(command, {}))["cases"]]


def exactly(names: list[str]) -> str:
    """A regular expression that only these names match."""
    return "^(" + "|".join(map(re.escape, names)) + ")$"


def take_turns(given: argparse.Namespace, names: list[str]) -> tuple[list[Run], list[Run]]:
    """As many runs of either host, alternating: first one, then the other begins."""
    runs: tuple[list[Run], list[Run]] = ([], [])
    for turn in range(given.turns):
        for side in (0, 1) if turn % 2 == 0 else (1, 0):
            arguments = ["--host", given.hosts[side], "--filter", exactly(names), "--seed", str(turn)]
            runs[side].append(measured.bench_run(given.bench, given.python, given.cpu, arguments))
    return runs


def compare(name: str, sides: tuple[list[Run], list[Run]]) -> tuple[Interval, Interval, Interval] | None:
    """Both times and the ratio of the first to the second, or nothing where a turn has no value."""
    if any(name not in run.cases or run.cases[name].gross_ns <= 0 for runs in sides for run in runs):
        return None
    first, second = ([run.cases[name].gross_ns for run in runs] for runs in sides)
    return interval(first), interval(second), interval([a / b for a, b in zip(first, second)])


def says_who(run: Run) -> str:
    """The code that ran, as the worker itself reported it."""
    worker, numpy = run.context["worker"], run.context.get("numpy") or {}
    code = f"{worker['code_path']}, build-id {worker['code_build_id'] or 'none'}"
    return f"{code}; CPython {worker['version_text']}; NumPy {numpy.get('version', 'none')}"


def arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("python", type=Path, help="the subject: an interpreter or a virtual environment")
    parser.add_argument("filter", nargs="?", default=DEFAULT_FILTER, help="which cases, as for bench run")
    parser.add_argument("--bench", type=Path, default=measured.ROOT / "build/release/bin/bench", help="our program")
    parser.add_argument(
        "--turns", type=int, default=10, help="workers of each host for a case (default 10; at least 6)"
    )
    parser.add_argument("--hosts", nargs=2, default=["embedded", "executable"], metavar="HOST")
    parser.add_argument("--cpu", type=int, default=measured.last_cpu(), help="(default: the last one allowed)")
    return parser.parse_args()


def main() -> int:
    given = arguments()
    if given.turns < 6:
        print("--turns: fewer than 6 give no 95 % interval", file=sys.stderr)
        return 2
    names = case_names(given)
    compared: dict[str, tuple[Interval, Interval, Interval]] = {}
    lost = []
    who: list[set[str]] = [set(), set()]
    for start in range(0, len(names), CASES_A_TURN):
        now = names[start : start + CASES_A_TURN]
        sides = take_turns(given, now)
        for said, runs in zip(who, sides):
            said.update(says_who(run) for run in runs)
        for name in now:
            found = compare(name, sides)
            if found is None:
                lost.append(name)
            else:
                compared[name] = found
        print(f"{start + len(now)} of {len(names)} cases", file=sys.stderr)
    for host, said in zip(given.hosts, who):
        print(f"{host}: {' and '.join(sorted(said))}")
    if not compared or any(len(said) != 1 for said in who):
        reason = "the subject changed while it was measured" if compared else "no case was measured in both hosts"
        print(f"{reason}{': ' if lost else ''}{', '.join(lost)}", file=sys.stderr)
        return 2
    order = sorted(compared, key=lambda name: abs(math.log(compared[name][2].middle)), reverse=True)
    rows = []
    for name in order[:SHOWN]:
        first, second, ratio = compared[name]
        interval_text = f"[{ratio.low:.3f}, {ratio.high:.3f}]"
        rows.append([name, in_ns(first.middle), in_ns(second.middle), f"{ratio.middle:.3f}", interval_text])
    print(f"\nthe {len(rows)} most different of {len(compared)} cases: ns, medians of {given.turns} workers; 95 %")
    measured.print_table(["case", *given.hosts, "ratio", ""], rows)
    ratios = [ratio for _, _, ratio in compared.values()]
    apart = sum(not ratio.low <= 1 <= ratio.high for ratio in ratios)
    print(f"\nall cases: median ratio {measured.middle([ratio.middle for ratio in ratios]):.3f}; ", end="")
    print(f"{apart} of {len(ratios)} intervals exclude 1 (by chance alone about {0.05 * len(ratios):.0f} would)")
    if lost:
        print(f"not measured in both: {', '.join(lost)}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
