# tare.duet and its result: two sides measured by turns on one CPU, and a verdict for each case with a known error rate.
from __future__ import annotations

import html
import os
import tempfile
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import Any, Union

from tare.api import program
from tare.api.code import Carrier, What, suite_of
from tare.api.picture import change_plot
from tare.api.runs import options_of, refuse_set_ups
from tare.api.table import Result, html_table, number_of, text_table, time_text


@dataclass(frozen=True)
class Environment:
    """A side of a duet: an interpreter or a virtual environment, with variables of its own."""

    python: str | Path
    variables: Mapping[str, str] = field(default_factory=dict)


Side = Union[What, Mapping[str, What], Environment, Path]  # noqa: UP007, CPython 3.9 evaluates it


@dataclass(frozen=True)
class Verdict:
    """A case: `slower`, `faster`, `same` (proven to be within the bound) or `inconclusive`; `failed` with `error`.

    `ratio` is b's time over a's, with its 95 % interval. A side that lacks the case has no time.
    """

    case: str
    verdict: str
    reason: str = ""
    a_ns: float | None = None
    b_ns: float | None = None
    ratio: float | None = None
    low_ratio: float | None = None
    high_ratio: float | None = None
    a_pairs: int = 0
    b_pairs: int = 0
    tolerance_relative: float | None = None
    bound_relative: float | None = None
    error: str = ""


def _verdict_of(given: Mapping[str, Any]) -> Verdict:
    error, side = given.get("error") or {}, given.get("failed_side")
    numbers = {name: number_of(given, name) for name in ("a_ns", "b_ns", "ratio", "low_ratio", "high_ratio")}
    margins = {name: number_of(given, name) for name in ("tolerance_relative", "bound_relative")}
    return Verdict(
        given["case"],
        given["verdict"],
        given.get("reason") or "",
        a_pairs=given.get("a_pairs") or 0,
        b_pairs=given.get("b_pairs") or 0,
        error=f"{'both sides' if side == 'both' else f'side {side}'}: {error.get('what')}" if error else "",
        **numbers,
        **margins,
    )


class Duet(Result):
    """What a duet found. `text` is its record, as `bench` wrote it and its other commands read it."""

    @cached_property
    def rows(self) -> list[Verdict]:
        """A verdict for each case."""
        return [_verdict_of(each) for each in self.record["tare"]["verdicts"]]

    @property
    def slower(self) -> list[Verdict]:
        return [row for row in self.rows if row.verdict == "slower"]

    @property
    def failed(self) -> list[Verdict]:
        return [row for row in self.rows if row.error]

    @property
    def where(self) -> str:
        """What the sides are, in words."""
        sides = []
        for name, side in self.record["tare"]["sides"].items():
            numpy = (side.get("numpy") or {}).get("version")
            subject = side.get("subject") or {}
            parts = ([f"NumPy {numpy}"] if numpy else []) + [f"CPython {subject.get('version', '')}"]
            sides.append(f"{name}: {side.get('executable')}, {', '.join(parts)}")
        return "; ".join(sides)

    def _lines(self) -> tuple[list[str], list[list[str]]]:
        heads = ["case", "a", "b", "change", "95 % interval", "pairs", "verdict", "why"]
        lines = []
        for row in self.rows:
            change = f"{100 * (row.ratio - 1):+.1f} %" if row.ratio is not None else ""
            interval = ""
            if row.low_ratio is not None and row.high_ratio is not None:
                interval = f"[{100 * (row.low_ratio - 1):+.1f}, {100 * (row.high_ratio - 1):+.1f}]"
            times = [time_text(row.a_ns), time_text(row.b_ns)]
            lines.append([row.case, *times, change, interval, str(row.a_pairs or ""), row.verdict, row.reason])
        return heads, lines

    def __repr__(self) -> str:
        errors = [f"{row.case}: {row.error}" for row in self.failed]
        return "\n".join([text_table(*self._lines()), self.where, *errors])

    def _repr_html_(self) -> str:
        known = [r for r in self.rows if r.ratio is not None and r.low_ratio is not None and r.high_ratio is not None]
        changes = [(r.case, r.verdict, r.ratio or 1, r.low_ratio or 1, r.high_ratio or 1) for r in known]
        bound = max((row.bound_relative or 0.02 for row in known), default=0.02)
        picture = change_plot(changes, bound) if changes else ""
        errors = "".join(f"<p>{html.escape(f'{row.case}: {row.error}')}</p>" for row in self.failed)
        return f"<div>{html_table(*self._lines())}<p>{html.escape(self.where)}</p>{errors}{picture}</div>"


def duet(
    a: Side,
    b: Side,
    *,
    what: What | None = None,
    setup: str = "",
    setup_each: str = "",
    values: Mapping[str, Any] | None = None,
    python: str | Path | None = None,
    suite: str | Path | Sequence[str | Path] = (),
    filter: str = "",  # noqa: A002, the command's own word
    store: str | Path | None = None,
    progress: bool | None = None,
    **options: Any,
) -> Duet:
    """Measures two sides by turns: pairs of processes, a b b a, until each case is decided.

    Both sides are code, or both are environments. Code: a statement, a callable without arguments, or a dict of these
    by name (the same names on both sides), with `setup`, `setup_each` and `values` as in tare.run, in `python`.
    Environments: a Path, or Environment(path, variables); they measure `what`, a statement, or else the operations of
    `suite` (without it the shipped ones) that `filter` selects. Options are those of `bench duet`: pairs=20,
    margins="noisy", bound=5, ...

    Errors: as tare.run; CaseFailed where no case could be compared.
    """
    sides = [Environment(side) if isinstance(side, Path) else side for side in (a, b)]
    environments = [side for side in sides if isinstance(side, Environment)]
    if len(environments) == 1:
        raise program.Error("one side is an environment and the other is code: give two of either")
    with tempfile.TemporaryDirectory(prefix="tare-") as made:
        folder = Path(made)
        carrier = Carrier(folder, python if not environments else _only(environments))
        arguments = ["duet", *options_of(options)]
        if environments:
            if python is not None:
                raise program.Error("`python` is for two sides of code: each of these environments has its own")
            arguments += _of_environments(environments, what, setup, setup_each, values, suite, filter, carrier)
        else:
            if what is not None or suite or filter:
                raise program.Error("`what`, `suite` and `filter` are for two environments: these sides are code")
            arguments += _of_code(sides[0], sides[1], setup, setup_each, values, carrier, folder)
        out = folder / "record.json"
        kept = str(store) if store is not None else str(folder / "store")
        chosen = str(python) if python is not None else None
        arguments += ["--store", kept, "--out", str(out)]
        ended = program.call(arguments, progress=progress, python=chosen, variables=carrier.variables())
        result = Duet(out.read_text(encoding="utf-8")) if out.exists() else None
    if ended.code == program.INTERRUPTED:
        raise program.Interrupted(result)
    if result is None:
        raise program.Error(ended.error())
    if ended.code == program.CASES_FAILED and all(row.ratio is None for row in result.rows):
        raise program.CaseFailed("\n".join(f"{r.case}: {r.error}" for r in result.failed[:5]) or ended.error(), result)
    if environments:
        ended.warn()  # of two sides of code it says what was asked for: that their statements differ
    return result


def _only(sides: Sequence[Environment]) -> str | Path:
    """The interpreter, where both sides have one; else what is none, and gets no paths of this process."""
    return sides[0].python if len({str(side.python) for side in sides}) == 1 else os.devnull


def _of_environments(
    sides: Sequence[Environment],
    what: What | None,
    setup: str,
    setup_each: str,
    values: Mapping[str, Any] | None,
    suite: str | Path | Sequence[str | Path],
    chosen: str,
    carrier: Carrier,
) -> list[str]:
    words: list[str] = []
    for name, side in zip("ab", sides):
        words += [f"--{name}", str(side.python)]
        words += [word for key, value in side.variables.items() for word in (f"--env-{name}", f"{key}={value}")]
    if what is not None:
        if callable(what):
            raise program.Error(
                "a callable belongs to this process: two environments measure a statement and its setup"
            )
        return [*words, *carrier.code_of(what, setup, values, setup_each).words()]
    refuse_set_ups(what, setup, setup_each)
    suites = [suite] if isinstance(suite, (str, Path)) else list(suite)
    words += [word for each in suites for word in ("--suite", str(each))]
    return [*words, "--filter", chosen] if chosen else words


def _of_code(
    a: Any,
    b: Any,
    setup: str,
    setup_each: str,
    values: Mapping[str, Any] | None,
    carrier: Carrier,
    folder: Path,
) -> list[str]:
    if isinstance(a, Mapping) != isinstance(b, Mapping):
        raise program.Error("one side has names and the other has none: give two dicts, or none")
    if not isinstance(a, Mapping):
        codes = [carrier.code_of(side, setup, values, setup_each) for side in (a, b)]
        name = " vs ".join(" ".join(code.statement.split()) for code in reversed(codes))
        named = [[(name, code)] for code in codes]
    else:
        if set(a) != set(b):
            raise program.Error(f"only one side has {', '.join(sorted(map(str, set(a) ^ set(b))))}")
        named = [[(name, carrier.code_of(side[name], setup, values, setup_each)) for name in a] for side in (a, b)]
    words = []
    for side_name, cases in zip("ab", named):
        words += [f"--{side_name}-suite", str(suite_of(cases, folder / side_name))]
    return words
