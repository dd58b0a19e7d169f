"""The Markdown page of a validation: what was asked, what came out, and every run that did not end well. Pure."""

import time
from collections import Counter
from collections.abc import Sequence
from typing import Any

import counts
from counts import Line, Share, Tally

SIDES = {"copies": "two copies", "one": "one environment twice"}
LOADS = {"none": "idle", "arithmetic": "arithmetic", "memory": "memory traffic"}

# what a run of the full plan has to reach
MOST_FALSE_PERCENT, LEAST_SAME_PERCENT = 1.0, 90.0
LEAST_FOUND_PERCENT = {2.0: 80.0, 3.0: 93.0, 5.0: 97.0, -5.0: 97.0}
MOST_BIAS_POINTS = 0.2
LEAST_NEEDLE_PERCENT = 90.0
MOST_SECONDS_A_CASE = 1.0


def table(head: Sequence[str], rows: Sequence[Sequence[str]]) -> list[str]:
    """Markdown: the first column to the left, the others to the right."""
    ruler = ["---", *["---:"] * (len(head) - 1)]
    return ["| " + " | ".join(row) + " |" for row in [head, ruler, *rows]] + [""]


def seconds(value: float | None) -> str:
    return "" if value is None else f"{value:.2f}"


def signed(percent: float) -> str:
    return f"{percent:+g} %"


def bias(tally: Tally) -> str:
    found = tally.bias_points()
    return "" if found is None else f"{found[0]:+.3f} ± {found[1]:.3f}"


def verdict_cells(tally: Tally) -> list[str]:
    return [str(count) for count in tally.verdicts().values()]


def mean_pairs(tally: Tally) -> str:
    pairs = tally.mean_pairs()
    return "" if pairs is None else f"{pairs:.1f}"


def false_alarms(lines: Sequence[Line]) -> list[str]:
    suites = counts.of_part(lines, "aa")
    if not suites:
        return []
    rows = []
    groups = [(SIDES[sides], LOADS[load], own) for (sides, load), own in counts.by_treatment(suites).items()]
    for sides, load, own in [*groups, ("all", "", suites)]:
        tally = counts.tally(own)
        shares = [str(tally.share("slower", "faster")), str(tally.share("same"))]
        cost = seconds(counts.seconds_a_case(own))
        rows.append([sides, load, str(len(own)), *verdict_cells(tally), *shares, mean_pairs(tally), cost])
    head = ["sides", "second core", "suites", "slower", "faster", "same", "inconclusive", "failed"]
    return [
        "## Unchanged code (A/A)",
        "",
        *table([*head, "false alarms", "called same", "mean pairs", "s a case"], rows),
    ]


def power(lines: Sequence[Line]) -> list[str]:
    suites = counts.of_part(lines, "power")
    if not suites:
        return []
    rows = []
    for percent, own in counts.by_percent(suites).items():
        tally, beside = counts.tally(own, True), counts.tally(own, False)
        right = counts.right_verdict(percent)
        wrong = "faster" if right == "slower" else "slower"
        found = [str(tally.share(right)), str(tally.count(wrong)), str(tally.count("same"))]
        rest = [str(tally.count("inconclusive")), str(tally.count(counts.FAILED)), bias(tally), mean_pairs(tally)]
        rows.append([signed(percent), *found, *rest, str(beside.share("slower", "faster"))])
    head = ["injected", "found", "wrong direction", "called same", "inconclusive", "failed"]
    return [
        "## Injected work, really executed",
        "",
        *table([*head, "recovered - executed, points", "mean pairs", "false alarms beside"], rows),
    ]


def needle(lines: Sequence[Line]) -> list[str]:
    suites = counts.of_part(lines, "needle")
    if not suites:
        return []
    injected, beside = counts.tally(suites, True), counts.tally(suites, False)
    percent = suites[0]["injected_percent"]
    row = [signed(percent), str(injected.share("slower")), str(injected.count("same"))]
    row += [str(injected.count("inconclusive")), bias(injected), str(beside.share("slower", "faster"))]
    row += [seconds(counts.seconds_a_case(suites))]
    head = ["injected", "found", "called same", "inconclusive", "recovered - executed, points"]
    return [
        f"## One regression among {len(suites[0]['cases'])} cases",
        "",
        *table([*head, "false alarms among the others", "s a case"], [row]),
    ]


def peers(lines: Sequence[Line], descriptions: dict[str, str]) -> list[str]:
    rows = counts.peer_rows(lines)
    if not rows:
        return []
    rules = list(dict.fromkeys(row.rule for row in rows))
    cells = []
    for rule in rules:
        own = {row.percent: row for row in rows if row.rule == rule}
        unchanged, changed = own.get(0.0), own.get(5.0)
        alarms = Share(unchanged.slower.count + unchanged.faster.count, unchanged.slower.total) if unchanged else ""
        found = [str(changed.slower), str(changed.faster.count)] if changed else ["", ""]
        cost = sum(row.seconds_a_case for row in own.values()) / len(own)
        cells.append([rule, str(alarms), *found, seconds(cost)])
    head = ["rule", "unchanged code called changed", "+5 % found", "+5 % called faster", "s a case"]
    notes = [f"- {name}: {text}" for name, text in descriptions.items()]
    return ["## Side by side: same cases, same minutes, same CPU", "", *table(head, cells), *notes, ""]


def targets(lines: Sequence[Line]) -> list[str]:
    """Each target beside what was measured; parts that were not run are left out."""
    rows: list[list[str]] = []

    def row(what: str, target: str, measured: str, met: bool) -> None:
        rows.append([what, target, measured, "met" if met else "MISSED"])

    suites = counts.of_part(lines, "aa")
    if suites:
        tally = counts.tally(suites)
        alarms, same = tally.share("slower", "faster"), tally.share("same")
        row("false alarms", f"at most {MOST_FALSE_PERCENT:g} %", str(alarms), alarms.percent <= MOST_FALSE_PERCENT)
        row("called same", f"at least {LEAST_SAME_PERCENT:g} %", str(same), same.percent >= LEAST_SAME_PERCENT)
        quiet = [line for line in suites if line["load"] == "none"]
        cost = counts.seconds_a_case(quiet or suites) or 0.0
        row("s a case", f"at most {MOST_SECONDS_A_CASE:g}", seconds(cost), cost <= MOST_SECONDS_A_CASE)
    for percent, own in counts.by_percent(counts.of_part(lines, "power")).items():
        tally = counts.tally(own, True)
        least, found = LEAST_FOUND_PERCENT.get(percent), tally.share(counts.right_verdict(percent))
        if least is not None:
            row(f"{signed(percent)} found", f"at least {least:g} %", str(found), found.percent >= least)
        if (recovered := tally.bias_points()) is not None:
            within = f"within {MOST_BIAS_POINTS:g} points"
            row(f"{signed(percent)} recovered", within, bias(tally), abs(recovered[0]) <= MOST_BIAS_POINTS)
    if needles := counts.of_part(lines, "needle"):
        found = counts.tally(needles, True).share("slower")
        least_text = f"at least {LEAST_NEEDLE_PERCENT:g} %"
        row("one among many found", least_text, str(found), found.percent >= LEAST_NEEDLE_PERCENT)
    return ["## Against the targets", "", *table(["what", "target", "measured", ""], rows)] if rows else []


def runs(settings: dict[str, Any], lines: Sequence[Line], begun: Sequence[str]) -> list[str]:
    """How much of the plan was run, in what time, and what went wrong. `begun`: a step's name for each try."""
    done = {line["step"] for line in lines if "error" not in line}
    failed = [line for line in lines if "error" in line]
    rows = []
    for part, planned in settings["steps"].items():
        own = [line for line in lines if line["part"] == part]
        wall_s = sum(line["wall_s"] for line in own)
        finished = sum(line["step"] in done for line in own if "error" not in line)
        rows.append([part, str(planned), str(finished), str(len(own) - finished), f"{wall_s:.0f}"])
    text = ["## Runs", "", *table(["part", "planned", "finished", "failed", "wall s"], rows)]
    text += [f"- failed: {line['step']}: {line['error'].strip().splitlines()[-1]}" for line in failed]
    ended = Counter(line["step"] for line in lines)
    text += [f"- cut short: {step}, {times} times" for step, times in (Counter(begun) - ended).items()]
    odd = [line for line in lines if line.get("exit_code") not in (None, 0)]
    text += [f"- {line['step']}: bench ended with status {line['exit_code']}" for line in odd if "error" not in line]
    return [*text, ""]


def picture(lines: Sequence[Line]) -> list[str]:
    """That of plot.py, which draws one for these parts."""
    shown = any(line["part"] in ("aa", "power", "peers") and "error" not in line for line in lines)
    return ["![cases called changed against the work injected](power.svg)"] if shown else []


def page(settings: dict[str, Any], lines: Sequence[Line], begun: Sequence[str], descriptions: dict[str, str]) -> str:
    when = time.strftime("%Y-%m-%d %H:%M UTC", time.gmtime(settings["started_s"]))
    short = ["A short form: it shows that the machinery works, its shares are of few cases.", ""]
    facts = [f"- {key}: {value}" for key, value in settings["facts"].items()]
    return "\n".join(
        [
            "# Validation of tare's verdicts",
            "",
            f"Begun {when}; seed {settings['seed']}, plan {settings['plan']}. Seeds and order were fixed before the",
            "first run; every run made is in results.jsonl beside this page. Shares with Wilson's 95 % interval.",
            "",
            *(short if settings["quick"] else []),
            *facts,
            "",
            *picture(lines),
            "",
            *targets(lines),
            *false_alarms(lines),
            *power(lines),
            *needle(lines),
            *peers(lines, descriptions),
            *runs(settings, lines, begun),
            "Columns: *recovered - executed*: mean of the ratio b/a that was estimated minus that of the executions",
            "counted, ± its standard error. *false alarms beside*: among the unchanged cases of the same suites. *s a",
            "case*: wall time of the whole command, spawns included, over its cases.",
            "",
        ]
    )
