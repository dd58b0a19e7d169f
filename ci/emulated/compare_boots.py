"""Instructions per operation of several boots, side by side: compare_boots.py LOG LOG... Exit status 1 where one is
missing, was not measured, or differs by more than 0.1 between boots, or where there is nothing to compare. A log is a
guest's console, in which ci/emulated/numpy_command.sh has printed bench's JSON between two marks.
"""

import json
import math
import sys
from pathlib import Path
from typing import Any

TOLERANCE = 0.1  # instructions: less than one, so that nothing is executed in one boot that is not in the others
BEGIN, END = "pmu-vm: begin of JSON\n", "pmu-vm: end of JSON\n"
COUNTER = "counted_instructions"


def run_of(log: str) -> dict[str, Any]:
    """What bench said in this boot. Raises ValueError where it did not."""
    before, _, rest = log.partition(BEGIN)
    text, end, _ = rest.partition(END)
    if not end:
        raise ValueError(f"no JSON between the marks; the log ends with {before[-200:]!r}")
    return json.loads(text)


def instructions_of(run: dict[str, Any]) -> dict[str, float]:
    """Net instructions of one execution, by case. Raises ValueError for a value that was not measured."""
    found = {}
    for case in run["cases"]:
        counter = case["counters"][COUNTER]
        if counter["state"] != "measured" or not math.isfinite(counter["value"]):
            raise ValueError(f"{case['case']}: {counter}")
        found[case["case"]] = float(counter["value"])
    if run["failed_cases"]:
        raise ValueError(f"failed cases: {run['failed_cases']}")
    return found


def compared(boots: list[dict[str, float]]) -> tuple[list[str], list[str]]:
    """Lines of a table, and what is wrong with it."""
    problems = []
    if len(boots) < 2:
        problems.append(f"{len(boots)} boots: nothing to compare")
    names = sorted({name for boot in boots for name in boot})
    if not names:
        problems.append("no case was measured")
    heads = [f"boot {i + 1}" for i in range(len(boots))]
    lines = [f"{'instructions per operation, net of the empty one':<50}" + "".join(f"{head:>12}" for head in heads)]
    for name in names:
        values = [boot.get(name) for boot in boots]
        lines.append(f"{name:<50}" + "".join(f"{'-' if v is None else f'{v:.3f}':>12}" for v in values))
        present = [value for value in values if value is not None]
        if len(present) < len(boots):
            problems.append(f"{name}: measured in {len(present)} of {len(boots)} boots")
        elif min(present) <= 0:
            problems.append(f"{name}: {min(present)} instructions")
        elif max(present) - min(present) > TOLERANCE:
            problems.append(f"{name}: boots differ by {max(present) - min(present):.3f} instructions, over {TOLERANCE}")
    return lines, problems


def main(paths: list[str]) -> int:
    boots = []
    for path in paths:
        try:
            boots.append(instructions_of(run_of(Path(path).read_text())))
        except (ValueError, KeyError, TypeError) as error:
            print(f"{path}: {error!r}")
            return 1
    lines, problems = compared(boots)
    print("\n".join(lines + problems))
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
