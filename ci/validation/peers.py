"""The protocols of asv, pyperf and Google Benchmark over a block of cases, on two sides: which process measures what,
in which order. Scaled where their defaults take minutes a case: the same shares as in their documents, shorter values.
"""

import json
import os
import subprocess
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[2]
ONE_THREAD = dict.fromkeys(("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"), "1")
SIDES = ("a", "b")

# asv: rounds = 2 processes a benchmark, interleaved between the sides as `asv continuous` does. Not scaled.
ASV_ROUNDS = 2
# pyperf: 20 processes of 3 values, after one to warm up (pyperf/_runner.py); its values last 0.1 s, these 0.01 s, and a
# process visits all cases of the block instead of one.
PYPERF_PROCESSES, PYPERF_VALUES, PYPERF_VALUE_S = 20, 3, 0.01
# Google Benchmark: --benchmark_repetitions=10 (compare.py warns below 9), by default 0.5 s a repetition, here 0.05 s.
# benchstat is given the same samples: `go test -count=10` runs likewise, 1 s each.
GBENCH_REPETITIONS, GBENCH_VALUE_S = 10, 0.05

DESCRIPTIONS = {
    "asv": "2 rounds of a process a side and case, 5 samples of 10 ms each: its defaults",
    "pyperf": "20 processes a side, 3 values of 10 ms each (default 100 ms)",
    "gbench": "one process a side, 10 repetitions of 50 ms (default 500 ms)",
}

Samples = dict[str, dict[str, dict[str, Any]]]  # by case and side: number, wall_s, cpu_s, executed_ratio


@dataclass(frozen=True)
class Subject:
    """Two interpreters, the CPU they are pinned to, and how much more work side b executes."""

    pythons: dict[str, Path]  # by side
    cpu: int
    suite: Path
    executed_ratio: float = 1.0


Ask = Callable[[Subject, str, dict[str, Any]], dict[str, dict[str, Any]]]


def in_subject(subject: Subject, side: str, order: dict[str, Any]) -> dict[str, dict[str, Any]]:
    """A fresh process. Errors: RuntimeError with what it said."""
    full = {
        "package": str(ROOT / "python"),
        "suite": str(subject.suite),
        "cpu": subject.cpu,
        "executed_ratio": subject.executed_ratio if side == "b" else 1.0,
        "numbers": {},
        **order,
    }
    command: Sequence[str] = [
        str(subject.pythons[side]),
        "-B",
        str(Path(__file__).with_name("peers_in_subject.py")),
        json.dumps(full),
    ]
    done = subprocess.run(command, env={**os.environ, **ONE_THREAD}, capture_output=True, text=True, check=False)
    if done.returncode != 0:
        raise RuntimeError(f"{order['protocol']} in {subject.pythons[side]}: status {done.returncode}\n{done.stderr}")
    return json.loads(done.stdout)


def measure(protocol: str, cases: Sequence[str], subject: Subject, ask: Ask = in_subject) -> Samples:
    """All samples of both sides, in the order measured."""
    samples: Samples = {case: {} for case in cases}

    def take(side: str, order: dict[str, Any]) -> None:
        for case, answer in ask(subject, side, {"protocol": protocol, **order}).items():
            own = samples[case].setdefault(side, {**answer, "wall_s": [], "cpu_s": []})
            own["wall_s"] += answer["wall_s"]
            own["cpu_s"] += answer["cpu_s"]

    if protocol == "asv":
        for _ in range(ASV_ROUNDS):
            for side in SIDES:
                for case in cases:
                    take(side, {"cases": [case]})
    elif protocol == "pyperf":
        for side in SIDES:
            for process in range(PYPERF_PROCESSES):
                numbers = {case: samples[case][side]["number"] for case in cases} if process else {}
                take(side, {"cases": cases, "values": PYPERF_VALUES, "value_s": PYPERF_VALUE_S, "numbers": numbers})
    elif protocol == "gbench":
        for side in SIDES:
            take(side, {"cases": cases, "values": GBENCH_REPETITIONS, "value_s": GBENCH_VALUE_S})
    else:
        raise ValueError(f"no protocol '{protocol}'")
    return samples
