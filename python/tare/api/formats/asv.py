# asv's results, format 2: a folder that `asv compare` and `asv publish --no-pull` take as results_dir.
# https://asv.readthedocs.io/en/latest/dev.html#results-and-environment-files
from __future__ import annotations

import hashlib
import itertools
import json
import re
from datetime import datetime
from pathlib import Path
from typing import Any

from tare.api.formats.measured import Measured, commit_of, measured_cases, not_held
from tare.api.program import Error
from tare.api.runs import Run

COLUMNS = (
    "result",
    "params",
    "version",
    "started_at",
    "duration",
    "stats_ci_99_a",
    "stats_ci_99_b",
    "stats_q_25",
    "stats_q_75",
    "stats_number",
    "stats_repeat",
    "samples",
    "profile",
)
MOST_EMPTY = 20  # combinations of parameters for each that was measured; beyond, every case is a benchmark of its own


def write_folder(run: Run, folder: Path, commit: str) -> list[str]:
    """benchmarks.json, MACHINE/machine.json and MACHINE/COMMIT-ENVIRONMENT.json. Errors: Error without a commit."""
    context = run.record["context"]["tare"]
    numpy = context.get("numpy") or {}
    commit = commit or commit_of(run)
    if not re.fullmatch(r"[0-9a-f]{8,64}", commit):
        raise Error(f"asv files results under a commit, and {commit or 'no'!r} is none: name it with --commit")
    machine = re.sub(r"[^A-Za-z0-9_.-]", "_", context.get("host_name") or "unknown").lstrip(".") or "unknown"
    python = (context.get("python") or {}).get("version", "3").partition(" ")[0]
    environment = f"tare-py{'.'.join(python.split('.')[:2])}"
    facts = {
        "arch": context.get("architecture") or "",
        "cpu": context.get("cpu_model") or "",
        "machine": machine,
        "num_cpu": str(context.get("num_cpus") or ""),
        "os": f"Linux {context.get('kernel_release') or ''}".strip(),
        "ram": str(context.get("memory_total_bytes") or ""),
    }
    benchmarks: dict[str, Any] = {"version": 2}
    results = {}
    for name, cases in _grouped(run):
        names, lists, by_values = _parameters(cases)
        version = hashlib.sha256(name.encode()).hexdigest()
        benchmarks[name] = {
            "code": "",
            "name": name,
            "param_names": names,
            "params": lists,
            "type": "time",
            "unit": "seconds",
            "version": version,
        }
        found = [by_values.get(values) for values in itertools.product(*lists)]
        results[name] = _cells(found, lists, version)
    document = {
        "commit_hash": commit,
        "date": int(1000 * datetime.fromisoformat(context["date"]).timestamp()),
        "env_name": environment,
        "env_vars": {},
        "params": {**facts, "python": python},
        "python": python,
        "requirements": {"numpy": numpy["version"]} if numpy.get("version") else {},
        "result_columns": list(COLUMNS),
        "results": results,
        "durations": {},
        "version": 2,
    }
    (folder / machine).mkdir(parents=True, exist_ok=True)
    for path, content in (
        (folder / "benchmarks.json", benchmarks),
        (folder / machine / "machine.json", {**facts, "version": 1}),
        (folder / machine / f"{commit[:8]}-{environment}.json", document),
    ):
        path.write_text(json.dumps(content, indent=1), encoding="utf-8")
    return not_held(run, "the batches are kept, those of all processes as of one")


def _grouped(run: Run) -> list[tuple[str, list[Measured]]]:
    """Cases of one operation with the same parameters are one benchmark of asv."""
    groups: dict[tuple[str, ...], list[Measured]] = {}
    for case in measured_cases(run):
        groups.setdefault((case.row.operation, *case.row.parameters), []).append(case)
    found = []
    taken: dict[str, int] = {}
    for (operation, *_), cases in groups.items():
        whole = 1
        for values in zip(*(case.row.parameters.values() for case in cases)):
            whole *= len(set(values))
        for each in [cases] if whole <= MOST_EMPTY * len(cases) else [[case] for case in cases]:
            taken[operation] = taken.get(operation, 0) + 1
            found.append((operation if taken[operation] == 1 else f"{operation}_{taken[operation]}", each))
    return found


def _parameters(cases: list[Measured]) -> tuple[list[str], list[list[str]], dict[tuple[str, ...], Measured]]:
    """Names, values as Python writes them, and the case of each combination."""
    names = list(cases[0].row.parameters)
    rows = [tuple(_repr(value) for value in case.row.parameters.values()) for case in cases]
    lists = [list(dict.fromkeys(values)) for values in zip(*rows)]
    return names, lists, dict(zip(rows, cases))


def _repr(value: str) -> str:
    return value if re.fullmatch(r"-?\d+(\.\d+)?", value) else repr(value)


def _cells(found: list[Measured | None], lists: list[list[str]], version: str) -> list[Any]:
    """A row in the order of COLUMNS; columns are lists over the combinations, the last parameter fastest."""
    columns: dict[str, list[Any]] = {name: [] for name in COLUMNS}
    for case in found:
        samples = sorted(1e-9 * s for process in case.processes for s in process.samples_ns) if case else []
        columns["result"].append(1e-9 * case.row.gross_ns if case and case.row.gross_ns else None)
        columns["samples"].append(samples or None)
        columns["stats_q_25"].append(samples[len(samples) // 4] if samples else None)
        columns["stats_q_75"].append(samples[3 * len(samples) // 4] if samples else None)
        columns["stats_number"].append(max(p.n for p in case.processes) if case else None)
        columns["stats_repeat"].append(len(samples) if case else None)
        for name in ("stats_ci_99_a", "stats_ci_99_b"):
            columns[name].append(_ci_99(samples)[name.endswith("b")] if samples else None)
    started = [1000 * p.started_s for case in found if case for p in case.processes]
    row: list[Any] = [columns[name] for name in COLUMNS]
    row[1:5] = [lists, version, int(min(started, default=0)), 0.0]
    row[-1] = None
    return row


def _ci_99(ordered: list[float]) -> tuple[float, float]:
    """Of the median, by order statistics; where the samples are too few for it, as asv says it: from -inf to inf."""
    count = len(ordered)
    rank = int((count - 2.58 * count**0.5) / 2)
    return (ordered[rank - 1], ordered[count - rank]) if rank >= 1 else (float("-inf"), float("inf"))
