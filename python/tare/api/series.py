# tare.history and its result: how the cases of a store moved, and where they changed.
from __future__ import annotations

import html
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

from tare.api import program
from tare.api.picture import step_plot
from tare.api.runs import options_of
from tare.api.table import Result, html_table, text_table, time_text


@dataclass(frozen=True)
class Point:
    """One record's value of one series. `value` is in the series' unit; `changed`: a change point lies before it."""

    case: str
    machine: str
    record: str
    date: str
    version: str
    commit: str
    value: float | None
    low: float | None
    high: float | None
    changed: bool = False


@dataclass(frozen=True)
class Change:
    """A change point of a series, proposed from the records; a duet may have confirmed or refuted it.

    `before` and `after` are levels in the series' unit; `change_ratio` is after over before.
    """

    case: str
    at: str
    since: str
    before: float | None
    after: float | None
    change_ratio: float | None
    standing: str
    confirmation: str


class History(Result):
    """Series of a store. `text` is what `bench trend --format json` writes."""

    @property
    def series(self) -> list[dict[str, Any]]:
        """As the JSON of `bench trend` has them."""
        return self.record["series"]

    @cached_property
    def rows(self) -> list[Point]:
        """A row for each point of each series, oldest first."""
        return [point for series in self.series for point in _points(series)]

    @cached_property
    def changes(self) -> list[Change]:
        return [_change(series, change) for series in self.series for change in series["changes"]]

    def _lines(self) -> tuple[list[str], list[list[str]]]:
        lines = []
        for series in self.series:
            values = [point.value for point in _points(series) if point.value is not None]
            ends = [_text_in(series["unit"])(value) for value in values[-1:]]
            changes = ", ".join(str(change["at"]) for change in series["changes"])
            lines.append([series["case"], str(len(values)), *(ends or [""]), changes])
        return ["case", "points", "last", "changes"], lines

    def __repr__(self) -> str:
        return text_table(*self._lines())

    def _repr_html_(self) -> str:
        pictures = []
        for series in self.series[:20]:
            points = [point for point in _points(series) if point.value is not None]
            changes = [number for number, point in enumerate(points) if point.changed]
            picture = step_plot([point.value or 0.0 for point in points], changes, _text_in(series["unit"]))
            pictures.append(f"<p>{html.escape(series['case'])}</p>{picture}")
        return f"<div>{html_table(*self._lines())}{''.join(pictures)}</div>"


def _text_in(unit: str) -> Callable[[float], str]:
    return time_text if unit == "ns" else "{:.4g}".format


def _change(series: Mapping[str, Any], change: Mapping[str, Any]) -> Change:
    unit = series["unit"]
    return Change(
        series["case"],
        str(change["at"]),
        change.get("since") or "",
        change.get(f"before_{unit}"),
        change.get(f"after_{unit}"),
        change.get("change_ratio"),
        change.get("standing") or "",
        change.get("confirmation") or "",
    )


def _points(series: Mapping[str, Any]) -> list[Point]:
    metric, unit = series["metric"], series["unit"]
    changed = {change["first_point"] for change in series["changes"]}
    return [
        Point(
            series["case"],
            series.get("machine") or "",
            point.get("record") or "",
            point.get("date") or "",
            point.get("version") or "",
            point.get("commit") or "",
            point.get(f"{metric}_{unit}"),
            point.get(f"{metric}_low_{unit}"),
            point.get(f"{metric}_high_{unit}"),
            number in changed,
        )
        for number, point in enumerate(series["points"])
    ]


def history(store: str | Path | None = None, pattern: str = "", **options: Any) -> History:
    """The series of a store (default: as `bench trend`) whose cases the regular expression `pattern` finds.

    Options are those of `bench trend`: metric="net", by="version", changed=True, ... Errors: Error.
    """
    arguments = ["trend", *options_of(options), "--format", "json"]
    arguments += ["--store", str(store)] if store is not None else []
    arguments += [pattern] if pattern else []
    ended = program.call(arguments, progress=False)
    if ended.code == program.INTERRUPTED:
        raise program.Interrupted
    ended.warn()
    return History(ended.out)
