# tare.run and its result. Times are nanoseconds of one execution, net of the harness; intervals are 95 %.
from __future__ import annotations

import dataclasses
import html
import tempfile
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import Any, Union

from tare.api import here as in_this_process
from tare.api import program
from tare.api.code import Carrier, What, suite_of
from tare.api.one_clock import at_clock_ghz, clock_factor
from tare.api.picture import dot_plot, strip_plot
from tare.api.table import NOT_IN_TABLES, Result, half_width_text, html_table, number_of, text_table, time_text

Cases = Union[What, Sequence[str], Mapping[str, What]]  # noqa: UP007, CPython 3.9 evaluates it


@dataclass(frozen=True)
class Row:
    """A case. What was not measured is None, and `reasons` says why; `error` where the case failed."""

    case: str
    operation: str
    parameters: dict[str, str]
    gross_ns: float | None = None
    gross_low_ns: float | None = None
    gross_high_ns: float | None = None
    net_ns: float | None = None
    net_low_ns: float | None = None
    net_high_ns: float | None = None
    tare_ns: float | None = None
    tare_low_ns: float | None = None
    tare_high_ns: float | None = None
    tare_share_ratio: float | None = None
    call_ns: float | None = None
    cpp_ns: float | None = None
    scalar_ratio: float | None = None
    gross_smallest_ns: float | None = None
    floor_ns: float | None = None
    processes: int = 0
    interval_basis: str = ""
    busy: bool = False  # too few moments were quiet: the times are those of a contended core
    instructions: float | None = None
    counters: dict[str, float | None] = field(default_factory=dict)
    error: str = ""
    reasons: dict[str, str] = field(default_factory=dict, metadata=NOT_IN_TABLES)


_NUMBERS = [f.name for f in dataclasses.fields(Row) if f.name.endswith(("_ns", "_ratio"))]


def _row_of(case: Mapping[str, Any]) -> Row:
    numbers: dict[str, Any] = {name: number_of(case, name) for name in _NUMBERS}
    counters = {name: each.get("value") for name, each in (case.get("counters") or {}).items()}
    instructions = case.get("instructions") or {}
    return Row(
        case=case["case"],
        operation=case["operation"],
        parameters=dict(case["parameters"]),
        processes=case["processes"],
        interval_basis=case["interval_basis"],
        busy=bool((case.get("quiet") or {}).get("busy")),
        instructions=instructions.get("value") if isinstance(instructions, dict) else instructions,
        counters=counters,
        reasons=dict(case.get("reasons", {})),
        **numbers,
    )


class Run(Result):
    """What a run measured. `text` is its record, as `bench` wrote it and its other commands read it."""

    @cached_property
    def rows(self) -> list[Row]:
        """A row for each case, in the order of the table; those that failed come last."""
        summary = self.record["tare"]
        rows = {case["case"]: _row_of(case) for case in summary["cases"]}
        for failed in summary["failed_cases"]:
            error = failed["error"]
            said = ": ".join(part for part in (error["what"], error["hint"]) if part)
            row = rows.get(failed["case"]) or Row(failed["case"], failed["case"].partition("[")[0], {})
            rows[failed["case"]] = dataclasses.replace(row, error=said)
        return list(rows.values())

    def __getitem__(self, case: str) -> Row:
        """The row of a case. Errors: KeyError, with the names that there are."""
        for row in self.rows:
            if row.case == case:
                return row
        raise KeyError(f"{case}; there are {', '.join(row.case for row in self.rows[:20])}")

    @property
    def where(self) -> str:
        """What ran where, in words."""
        context = self.record["context"]["tare"]
        settings = self.record["tare"]["settings"]
        python = (context.get("python") or {}).get("version", "").partition(" ")[0]
        numpy = (context.get("numpy") or {}).get("version")
        parts = [f"NumPy {numpy}"] if numpy else []
        parts.append(f"CPython {python}")
        host = context.get("host", "")
        if host == in_this_process.HOST:
            return f"{', '.join(parts)}; in this process, one only: another may differ by more than the intervals"
        rounds = settings.get("rounds", 0)
        return f"{', '.join(parts)}; in {rounds} fresh worker{'s' * (rounds != 1)} ({host})"

    def samples(self, case: str, rung: str = "python") -> list[list[float]]:
        """Times of batches as they were timed, a list for each process; rows are said at one clock."""
        rows = [row for row in self.record["benchmarks"] if row["name"] == f"{case}/{rung}"]
        return [list(row["tare"]["samples_ns"]) for row in rows if "samples_ns" in row["tare"]]

    def _samples_of_row(self, case: str) -> list[list[float]]:
        """Times of the batches of its python rung, at the clock of its row."""
        at_ghz = at_clock_ghz(self.record)
        processes = []
        for row in self.record["benchmarks"]:
            if row["name"] == f"{case}/python" and "samples_ns" in row["tare"]:
                factor = clock_factor(row["tare"].get("visit", {}).get("clock_ghz"), at_ghz, row)
                processes.append([factor * sample for sample in row["tare"]["samples_ns"]])
        return processes

    def _lines(self) -> tuple[list[str], list[list[str]]]:
        heads = ["case", "gross", "±", "net", "tare", "call", "instructions", "note"]
        lines = []
        for row in self.rows:
            half = half_width_text(row.gross_ns, row.gross_low_ns, row.gross_high_ns)
            times = [time_text(value) for value in (row.net_ns, row.tare_ns, row.call_ns)]
            counted = f"{row.instructions:.0f}" if row.instructions is not None else ""
            note = "failed" if row.error else "busy" if row.busy else ""
            lines.append([row.case, time_text(row.gross_ns), half, *times, counted, note])
        return heads, lines

    def _errors(self) -> list[str]:
        return [f"{row.case}: {row.error}" for row in self.rows if row.error]

    def __repr__(self) -> str:
        return "\n".join([text_table(*self._lines()), self.where, *self._errors()])

    def _repr_html_(self) -> str:
        timed = [row for row in self.rows if row.gross_ns is not None]
        picture = ""
        if len(timed) == 1 and (samples := self._samples_of_row(timed[0].case)):
            picture = strip_plot(samples, timed[0].gross_low_ns, timed[0].gross_high_ns)
        elif timed:
            picture = dot_plot([(r.case, r.gross_ns, r.gross_low_ns, r.gross_high_ns, r.net_ns) for r in timed])
        said = "".join(f"<p>{html.escape(line)}</p>" for line in [self.where, *self._errors()])
        return f"<div>{html_table(*self._lines())}{said}{picture}</div>"


def run(
    what: Cases | None = None,
    *,
    setup: str = "",
    setup_each: str = "",
    values: Mapping[str, Any] | None = None,
    here: bool = False,
    python: str | Path | None = None,
    suite: str | Path | Sequence[str | Path] = (),
    filter: str = "",  # noqa: A002, the command's own word
    store: str | Path | None = None,
    progress: bool | None = None,
    **options: Any,
) -> Run:
    """Measures statements, a callable, or the operations of a suite (without `what`: the shipped one).

    `what`: a statement; a callable, called without arguments; a list of statements; or a dict of these by name.
    `setup`: code whose variables they use. `setup_each`: code that runs before each execution and is not timed, for
    what changes what it works on. `values`: more variables, by name; those that are used are carried to the workers. By
    default 17 fresh workers of this interpreter measure, or of `python`, an interpreter or environment.
    With `here` it is this process: nothing is carried, but another process may differ by more than the interval says.
    `store`: a folder that keeps the record, for trends. `progress`: whether to tell stderr (None: on a terminal).
    Options are those of `bench run`: quick=True, rounds=9, counters="default", ledger=True, within=1, cpu=3, ...

    Errors: Error for what `bench` refuses; CaseFailed where nothing could be measured; Interrupted, with what was
    measured, after Ctrl-C.
    """
    if here:
        given = {"python": python, "suite": suite, "filter": filter, "store": store, "setup_each": setup_each}
        refused = ", ".join(name for name, value in given.items() if value)
        if refused or what is None:
            raise program.Error(f"here=True measures what this process gives: it takes no {refused or 'suite'}")
        if set(options) - {"seed"}:
            raise program.Error(f"here=True takes no option but seed, not {', '.join(sorted(options))}")
        record = in_this_process.Record(options.get("seed"), setup)
        try:
            record.measure_all(_named(what), values)
        except KeyboardInterrupt:
            raise program.Interrupted(Run(record.text(interrupted=True))) from None
        return Run(record.text())
    with tempfile.TemporaryDirectory(prefix="tare-") as made:
        folder = Path(made)
        carrier = Carrier(folder, python)
        arguments = ["run", *_of_cases(what, setup, setup_each, values, carrier, folder), *options_of(options)]
        suites = [suite] if isinstance(suite, (str, Path)) else list(suite)
        if what is not None and (suites or filter):
            raise program.Error("`suite` and `filter` choose among operations: they go without statements")
        refuse_set_ups(what, setup, setup_each)
        arguments += [word for each in suites for word in ("--suite", str(each))]
        arguments += ["--filter", filter] if filter else []
        out = folder / "record.json"
        kept = str(store) if store is not None else str(folder / "store")
        arguments += ["--store", kept, "--out", str(out)]
        chosen = None if python is None else str(python)
        ended = program.call(arguments, progress=progress, python=chosen, variables=carrier.variables())
        result = Run(out.read_text(encoding="utf-8")) if out.exists() else None
    if ended.code == program.INTERRUPTED:
        raise program.Interrupted(result)
    if result is None:
        raise program.Error(ended.error())
    if ended.code == program.CASES_FAILED and not any(row.gross_ns is not None for row in result.rows):
        failed = [f"{row.case}: {row.error}" for row in result.rows if row.error]
        raise program.CaseFailed("\n".join(failed[:5]) or ended.error(), result)
    ended.warn()
    return result


def refuse_set_ups(what: Any, setup: str, setup_each: str) -> None:
    """Errors: Error where they are given without a statement: an operation of a suite has its own."""
    if what is None and (setup or setup_each):
        raise program.Error("`setup` and `setup_each` are for statements: an operation of a suite has its own")


def options_of(options: Mapping[str, Any]) -> list[str]:
    """visit_budget=0.02 is --visit-budget 0.02; True is the option alone, False and None leave it out."""
    words: list[str] = []
    for name, value in options.items():
        option = f"--{name.replace('_', '-')}"
        if value is True:
            words.append(option)
        elif isinstance(value, (list, tuple)):
            words += [word for each in value for word in (option, str(each))]
        elif value is not None and value is not False:
            words += [option, str(value)]
    return words


def _named(what: Cases) -> dict[str, What]:
    if isinstance(what, Mapping):
        return dict(what)
    if isinstance(what, str):
        return {" ".join(what.split()): what}
    if callable(what):
        return {str(getattr(what, "__name__", what)): what}
    if not isinstance(what, Sequence) or not all(isinstance(each, str) for each in what):
        raise program.Error(f"{what!r} is neither a statement, as a text, nor a callable, nor several of them")
    return {" ".join(each.split()): each for each in what}


def _of_cases(
    what: Cases | None,
    setup: str,
    setup_each: str,
    values: Mapping[str, Any] | None,
    carrier: Carrier,
    folder: Path,
) -> list[str]:
    if what is None:
        return []
    if isinstance(what, str) or callable(what):
        return carrier.code_of(what, setup, values, setup_each).words()
    cases = [(name, carrier.code_of(each, setup, values, setup_each)) for name, each in _named(what).items()]
    return ["--suite", str(suite_of(cases, folder / "suite"))]
