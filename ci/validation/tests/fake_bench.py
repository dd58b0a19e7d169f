#!/usr/bin/python3
"""Stands in for `bench duet` in the tests of ci/validate: takes its command line and writes a record of the same
names at once. Unchanged cases come out `same`, injected ones as their sign says; FAKE_BENCH_LOG gets the questions.
"""

import argparse
import json
import os
import re
import sys
from pathlib import Path

UNCHANGED_RATIO, WIDTH = 1.001, 0.004
PAIRS = 10
N = 1000


def main() -> int:
    parser = argparse.ArgumentParser()
    parser.add_argument("--version", action="version", version="fake")
    parser.add_argument("command", choices=["duet"])
    for name in ("a", "b", "filter", "out", "store", "format", "inject-case"):
        parser.add_argument(f"--{name}", default="")
    parser.add_argument("--seed", type=int)
    parser.add_argument("--cpu", type=int)
    parser.add_argument("--inject", type=float, default=0.0)
    given = parser.parse_args()
    if log := os.environ.get("FAKE_BENCH_LOG"):
        with open(log, "a") as file:
            file.write(json.dumps(vars(given)) + "\n")
    if os.environ.get("FAKE_BENCH_FAILS_AT") == str(given.seed):
        print("cannot pin to the CPU", file=sys.stderr)
        return 2
    names = Path(os.environ["FAKE_BENCH_CASES"]).read_text().splitlines()
    verdicts, rows = [], []
    for name in names:
        if not re.search(given.filter, name):
            continue
        injected = given.inject / 100 if given.inject and re.search(given.inject_case, name) else 0.0
        ratio = (1 + injected) * UNCHANGED_RATIO
        verdict = "slower" if injected > 0 else "faster" if injected < 0 else "same"
        verdicts.append(
            {
                "case": name,
                "verdict": verdict,
                "reason": "",
                "a_pairs": PAIRS,
                "b_pairs": PAIRS,
                "ratio": ratio,
                "low_ratio": ratio - WIDTH,
                "high_ratio": ratio + WIDTH,
            }
        )
        for side, executions in (("a", N), ("b", round(N * (1 + injected)))):
            rows.append({"name": f"{name}/python/{side}", "iterations": executions, "tare": {"side": side}})
    record = {"context": {"tare": {"duration_s": 1.0}}, "benchmarks": rows, "tare": {"verdicts": verdicts}}
    Path(given.out).write_text(json.dumps(record))
    return 0


if __name__ == "__main__":
    sys.exit(main())
