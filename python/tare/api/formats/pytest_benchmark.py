# pytest-benchmark's JSON: `pytest-benchmark compare FILE`, github-action-benchmark.
# https://pytest-benchmark.readthedocs.io/en/latest/usage.html
from __future__ import annotations

import json
import statistics
from typing import Any

from tare.api.formats.measured import commit_of, measured_cases, not_held
from tare.api.runs import Run


def text_of(run: Run) -> tuple[str, list[str]]:
    """A benchmark for each case; its rounds are the batches of all processes, in seconds."""
    context = run.record["context"]["tare"]
    python = context.get("python") or {}
    benchmarks = []
    for case in measured_cases(run):
        data = [1e-9 * sample for process in case.processes for sample in process.samples_ns]
        benchmarks.append(
            {
                "group": case.row.operation,
                "name": case.row.case,
                "fullname": case.row.case,
                "params": case.row.parameters or None,
                "param": ",".join(case.row.parameters.values()) or None,
                "extra_info": {"processes": case.row.processes, "gross_ns": case.row.gross_ns},
                "options": {},
                "stats": _stats(data, max(process.n for process in case.processes)),
            }
        )
    document = {
        "machine_info": {
            "node": context.get("host_name"),
            "machine": context.get("architecture"),
            "system": "Linux",
            "python_implementation": "CPython",
            "python_version": python.get("version", "").partition(" ")[0],
            "release": context.get("kernel_release"),
            "cpu": {"brand_raw": context.get("cpu_model") or "", "count": context.get("num_cpus")},
        },
        "commit_info": {"id": commit_of(run) or "unknown", "time": None, "dirty": False},
        "benchmarks": benchmarks,
        "datetime": context["date"],
        "version": "5.0.0",
    }
    return json.dumps(document, indent=1), not_held(run, "the batches of all processes are kept, as rounds of one")


def _stats(data: list[float], iterations: int) -> dict[str, Any]:
    ordered = sorted(data)
    middle = statistics.median(ordered)
    quartiles = statistics.quantiles(ordered, n=4, method="inclusive") if len(ordered) > 1 else [middle] * 3
    low, high, iqr = quartiles[0], quartiles[2], quartiles[2] - quartiles[0]
    mean = statistics.fmean(data)
    deviation = statistics.stdev(data) if len(data) > 1 else 0.0
    beyond = sum(not low - 1.5 * iqr <= value <= high + 1.5 * iqr for value in data)
    far = sum(abs(value - mean) > deviation for value in data)
    return {
        "min": ordered[0],
        "max": ordered[-1],
        "mean": mean,
        "stddev": deviation,
        "rounds": len(data),
        "median": middle,
        "iqr": iqr,
        "q1": low,
        "q3": high,
        "iqr_outliers": beyond,
        "stddev_outliers": far,
        "outliers": f"{far};{beyond}",
        "ld15iqr": min((value for value in ordered if value >= low - 1.5 * iqr), default=ordered[0]),
        "hd15iqr": max((value for value in ordered if value <= high + 1.5 * iqr), default=ordered[-1]),
        "ops": 1 / mean,
        "total": sum(data),
        "iterations": iterations,
        "data": data,
    }
