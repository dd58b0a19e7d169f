"""What each peer decides from its samples of one case: "slower", "faster" or "same" (no change). By the projects' own
code where it installs from PyPI (asv, pyperf) or Debian (Google Benchmark); what is emulated says so in its name.
"""

import importlib
import statistics
import sys
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

from scipy.stats import mannwhitneyu

GBENCH_TOOLS = Path("/usr/share/benchmark")  # Debian's libbenchmark-tools
ALPHA = 0.05  # gbench/report.py: utest_alpha of compare.py; benchstat -alpha
EXACT_UP_TO = 50  # golang.org/x/perf internal/stats: MannWhitneyExactLimit, where there are no ties

Side = Mapping[str, Any]  # number, wall_s, cpu_s
Rule = Callable[[Side, Side], str]


def direction(a: float, b: float) -> str:
    """Of side b against side a."""
    return "slower" if b > a else "faster" if b < a else "same"


def asv(factor: float) -> Rule:
    """asv compare: the exact Mann-Whitney U test at 0.002, and the factor between the medians; its own code."""
    compare = importlib.import_module("asv.commands.compare")
    compute_stats = importlib.import_module("asv_runner.statistics").compute_stats

    def rule(a: Side, b: Side) -> str:
        (a_s, a_stats), (b_s, b_stats) = (compute_stats(side["wall_s"], side["number"]) for side in (a, b))
        a_all, b_all = (a_stats, a["wall_s"]), (b_stats, b["wall_s"])
        if compare._is_result_better(b_s, a_s, b_all, a_all, factor):
            return "faster"
        if compare._is_result_better(a_s, b_s, a_all, b_all, factor):
            return "slower"
        return "same"

    return rule


def pyperf() -> Rule:
    """pyperf compare_to: Student's t of all values, pooled; significance by its own code on its own benchmarks."""
    module = importlib.import_module("pyperf")
    is_significant = importlib.import_module("pyperf._compare").is_significant_benchs

    def benchmark(side: Side) -> Any:
        metadata = {"name": "case", "loops": side["number"]}
        return module.Benchmark([module.Run(side["wall_s"], metadata=metadata, collect_metadata=False)])

    def rule(a: Side, b: Side) -> str:
        benchmark_a, benchmark_b = benchmark(a), benchmark(b)
        significant, _ = is_significant(benchmark_a, benchmark_b)
        return direction(benchmark_a.mean(), benchmark_b.mean()) if significant else "same"

    return rule


def gbench(tools: Path = GBENCH_TOOLS) -> Rule:
    """compare.py: two-sided Mann-Whitney U of the repetitions' real times, by its own calc_utest."""
    sys.path.insert(0, str(tools))
    try:
        calc_utest = importlib.import_module("gbench.report").calc_utest
    finally:
        sys.path.remove(str(tools))

    def rule(a: Side, b: Side) -> str:
        _, _, p = calc_utest([a["cpu_s"], b["cpu_s"]], [a["wall_s"], b["wall_s"]])
        return changed_if(p is not None and p < ALPHA, a, b)

    return rule


def u_test(a: Side, b: Side) -> str:
    """benchstat's AssumeNothing (benchmath/anone.go): Mann-Whitney U, exact up to 50 values without ties, at 0.05; also
    what stands in for compare.py where Debian's package is absent."""
    x, y = a["wall_s"], b["wall_s"]
    has_ties = len({*x, *y}) < len(x) + len(y)
    method = "asymptotic" if has_ties or max(len(x), len(y)) > EXACT_UP_TO else "exact"
    p = mannwhitneyu(x, y, alternative="two-sided", method=method).pvalue
    return changed_if(p < ALPHA, a, b)


def changed_if(significant: bool, a: Side, b: Side) -> str:
    if not significant:
        return "same"
    return direction(statistics.median(a["wall_s"]), statistics.median(b["wall_s"]))


def rules() -> dict[str, dict[str, Rule]]:
    """By protocol, then by the name that the table shows."""
    if (GBENCH_TOOLS / "gbench" / "report.py").exists():
        google = {"Google Benchmark, compare.py": gbench()}
    else:
        print(f"{GBENCH_TOOLS}/gbench is not there (libbenchmark-tools): its U test is emulated", file=sys.stderr)
        google = {"Google Benchmark (emulated U test)": u_test}
    return {
        "asv": {"asv, factor 1.1": asv(1.1), "asv, factor 1.05": asv(1.05)},
        "pyperf": {"pyperf": pyperf()},
        "gbench": {**google, "benchstat (emulated U test)": u_test},
    }


def decide(rules_of_protocol: Mapping[str, Rule], samples: Mapping[str, Mapping[str, Side]]) -> dict[str, list[str]]:
    """By rule: a decision a case, in the order of the samples."""
    sides: Sequence[tuple[Side, Side]] = [(own["a"], own["b"]) for own in samples.values()]
    return {name: [rule(a, b) for a, b in sides] for name, rule in rules_of_protocol.items()}
