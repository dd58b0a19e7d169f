# One number a case, for services and scrapers: Bencher's metric format (https://bencher.dev/docs/reference/bencher-metric-
# format/), github-action-benchmark's customSmallerIsBetter, OpenMetrics (https://prometheus.io/docs/specs/om/), and the
# lines of Go's benchmarks, which benchstat reads (https://go.dev/design/14313-benchmark-format).
from __future__ import annotations

import json
import re
from typing import Any

from tare.api.formats.measured import measured_cases, not_held
from tare.api.runs import Run
from tare.api.table import half_width_text


def bencher(run: Run) -> tuple[str, list[str]]:
    """By case: latency in ns with the bounds of its interval, and the instructions where they were counted."""
    document: dict[str, Any] = {}
    for case in measured_cases(run):
        latency: dict[str, Any] = {"value": case.row.gross_ns}
        if case.row.gross_low_ns is not None and case.row.gross_high_ns is not None:
            latency |= {"lower_value": case.row.gross_low_ns, "upper_value": case.row.gross_high_ns}
        document[case.row.case] = {"latency": latency}
        if case.row.instructions is not None:
            document[case.row.case]["instructions"] = {"value": case.row.instructions}
    return json.dumps(document, indent=1), not_held(run, "the gross time and its interval are kept")


def github_action(run: Run) -> tuple[str, list[str]]:
    """A list of name, unit, value, range and extra."""
    document = [
        {
            "name": case.row.case,
            "unit": "ns",
            "value": case.row.gross_ns,
            "range": half_width_text(case.row.gross_ns, case.row.gross_low_ns, case.row.gross_high_ns),
            "extra": f"{case.row.processes} processes",
        }
        for case in measured_cases(run)
    ]
    return json.dumps(document, indent=1), not_held(run, "the gross time is kept, its interval as a text")


def openmetrics(run: Run) -> tuple[str, list[str]]:
    """Gauges in seconds: gross, the bounds of its interval, net; labels: case, operation and the parameters."""
    gauges = {
        "tare_gross_seconds": ("time of one execution", "gross_ns"),
        "tare_gross_low_seconds": ("lower bound of its 95 % interval", "gross_low_ns"),
        "tare_gross_high_seconds": ("upper bound of its 95 % interval", "gross_high_ns"),
        "tare_net_seconds": ("time of the bare kernel", "net_ns"),
    }
    lines = []
    cases = list(measured_cases(run))
    for name, (what, field) in gauges.items():
        values = [(case.row, getattr(case.row, field)) for case in cases]
        if all(value is None for _, value in values):
            continue
        lines += [f"# TYPE {name} gauge", f"# UNIT {name} seconds", f"# HELP {name} {what}"]
        for row, value in values:
            if value is not None:
                labels = {"case": row.case, "operation": row.operation}
                labels |= {f"parameter_{re.sub(r'[^a-zA-Z0-9_]', '_', key)}": v for key, v in row.parameters.items()}
                text = ",".join(f'{key}="{_escaped(label)}"' for key, label in labels.items())
                lines.append(f"{name}{{{text}}} {1e-9 * value!r}")
    return "\n".join([*lines, "# EOF", ""]), not_held(run, "gross, its interval and net are kept")


def _escaped(label: str) -> str:
    return label.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n")


def benchstat(run: Run) -> tuple[str, list[str]]:
    """A line for each process: its median, so that benchstat's samples are processes."""
    context = run.record["context"]["tare"]
    lines = ["goos: linux", f"goarch: {context.get('architecture', 'unknown')}", f"cpu: {context.get('cpu_model')}"]
    for case in measured_cases(run):
        parts = [case.row.operation[:1].upper() + case.row.operation[1:]]
        parts += [f"{key}={value}" for key, value in case.row.parameters.items()]
        name = re.sub(r"\s+", "_", "/".join(parts))
        for process in case.processes:
            middle = sorted(process.samples_ns)[len(process.samples_ns) // 2]
            lines.append(f"Benchmark{name} {process.n * len(process.samples_ns)} {middle:.6g} ns/op")
    return "\n".join([*lines, ""]), not_held(run, "a median for each process is kept")
