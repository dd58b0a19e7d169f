# pyperf's JSON, format 1.0: `python -m pyperf stats FILE`, `compare_to`. https://pyperf.readthedocs.io/en/latest/api.html
from __future__ import annotations

import json
from datetime import datetime, timezone
from typing import Any

from tare.api.formats.measured import measured_cases, not_held
from tare.api.runs import Run


def text_of(run: Run) -> tuple[str, list[str]]:
    """A benchmark for each case, a run for each process, a value for each batch, in seconds."""
    context = run.record["context"]["tare"]
    python = (context.get("python") or {}).get("version", "").partition(" ")[0]
    common: dict[str, Any] = {
        "hostname": context.get("host_name"),
        "cpu_model_name": context.get("cpu_model"),
        "cpu_count": context.get("num_cpus"),
        "python_version": python,
        "python_executable": context.get("executable"),
        "numpy_version": (context.get("numpy") or {}).get("version"),
        "unit": "second",
        "tool": "tare",
    }
    benchmarks = []
    for case in measured_cases(run):
        runs = []
        for process in case.processes:
            moment = datetime.fromtimestamp(process.started_s or _start(run), timezone.utc)
            date = moment.replace(tzinfo=None).isoformat(" ", "microseconds")
            values = [1e-9 * sample for sample in process.samples_ns]
            runs.append({"metadata": {"date": date, "loops": process.n}, "values": values})
        benchmarks.append({"metadata": {"name": case.row.case}, "runs": runs})
    document = {
        "version": "1.0",
        "metadata": {key: value for key, value in common.items() if value},
        "benchmarks": benchmarks,
    }
    return json.dumps(document, indent=1), not_held(run, "the batches are kept; pyperf takes their mean, not a median")


def _start(run: Run) -> float:
    return datetime.fromisoformat(run.record["context"]["tare"]["date"]).timestamp()
