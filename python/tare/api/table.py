# Rows as users have tables: text, HTML, pandas, Arrow. The rows are frozen dataclasses of one kind; their fields are
# the columns. pandas, pyarrow and nanoarrow are the user's: none is needed to measure.
from __future__ import annotations

import dataclasses
import html
import json
import math
from collections.abc import Mapping, Sequence
from functools import cached_property
from pathlib import Path
from typing import Any

from tare.api.program import Error


class Result:
    """The base of all: `text` is the record or document as `bench` wrote it, `rows` what it says, a dataclass each."""

    def __init__(self, text: str):
        self.text = text

    @cached_property
    def record(self) -> dict[str, Any]:
        """The document; that of runs and duets is described by results/record.schema.json."""
        return json.loads(self.text)

    @property
    def rows(self) -> Sequence[Any]:
        raise NotImplementedError

    def to_dict(self) -> dict[str, Any]:
        """The document, as one's own."""
        return json.loads(self.text)

    def to_json(self, path: str | Path | None = None) -> str:
        """The document's text, which the commands of `bench` read; with `path` it is written there too."""
        if path is not None:
            Path(path).write_text(self.text, encoding="utf-8")
        return self.text

    def columns(self) -> dict[str, list[Any]]:
        """By name, a value for each row; what is a dict in a row is a column for each of its keys."""
        flat = [flattened(row) for row in self.rows]
        names = list(dict.fromkeys(name for row in flat for name in row))
        return {name: [row.get(name) for row in flat] for name in names}

    def to_pandas(self) -> Any:
        """The rows as a pandas.DataFrame."""
        import pandas

        return pandas.DataFrame(self.columns())

    def to_arrow(self) -> Any:
        """The rows as a pyarrow.Table."""
        import pyarrow

        return pyarrow.table(self.columns())

    def __arrow_c_stream__(self, requested_schema: Any = None) -> Any:
        """Arrow's PyCapsule interface: what polars, DuckDB and others read. Errors: Error without pyarrow."""
        try:
            return self.to_arrow().__arrow_c_stream__(requested_schema)
        except ImportError:
            raise Error("rows become Arrow data by pyarrow, which is not installed") from None


NOT_IN_TABLES = {"in_tables": False}  # metadata of a field


def flattened(row: Any) -> dict[str, Any]:
    flat: dict[str, Any] = {}
    for field in dataclasses.fields(row):
        value = getattr(row, field.name)
        if field.metadata.get("in_tables", True) is False:
            continue
        if isinstance(value, dict):
            flat.update({f"{field.name}.{key}": each for key, each in value.items()})
        else:
            flat[field.name] = value
    return flat


def number_of(given: Mapping[str, Any], name: str) -> float | None:
    """A finite number, or None where there is none. Errors: ValueError for anything else: records are data."""
    value = given.get(name)
    if value is None:
        return None
    if isinstance(value, bool) or not isinstance(value, (int, float)) or not math.isfinite(value):
        raise ValueError(f"{name} is {value!r}, no finite number")
    return value


def time_text(ns: float | None) -> str:
    """Three digits and a unit."""
    if ns is None:
        return ""
    for unit, size in (("s", 1e9), ("ms", 1e6), ("us", 1e3)):
        if abs(ns) >= 0.9995 * size:
            return f"{_digits(ns / size)} {unit}"
    return f"{_digits(ns)} ns"


def _digits(value: float) -> str:
    for places, limit in ((2, 9.995), (1, 99.95)):
        if abs(value) < limit:
            return f"{value:.{places}f}"
    return f"{value:.0f}"


def half_width_text(value: float | None, low: float | None, high: float | None) -> str:
    """Half of the interval in percent of the value: ±0.8 %."""
    if not value or low is None or high is None:
        return ""
    percent = 100 * (high - low) / 2 / abs(value)
    return f"±{percent:.1f} %" if percent < 9.95 else f"±{percent:.0f} %"


def text_table(heads: Sequence[str], lines: Sequence[Sequence[str]]) -> str:
    """The first column to the left, numbers to the right; columns that are empty throughout are left out."""
    used = [c for c in range(len(heads)) if c == 0 or any(line[c] for line in lines)]
    widths = [max(len(each[c]) for each in (heads, *lines)) for c in range(len(heads))]
    shown = []
    for line in (heads, *lines):
        cells = [line[c].ljust(widths[c]) if c == 0 else line[c].rjust(widths[c]) for c in used]
        shown.append("  ".join(cells).rstrip())
    return "\n".join(shown)


def html_table(heads: Sequence[str], lines: Sequence[Sequence[str]]) -> str:
    """The same as HTML, every text escaped."""
    used = [c for c in range(len(heads)) if c == 0 or any(line[c] for line in lines)]

    def row(line: Sequence[str], tag: str) -> str:
        cells = "".join(
            f'<{tag} style="text-align:{"right" if c else "left"};padding:0 .7em">{html.escape(line[c])}</{tag}>'
            for c in used
        )
        return f"<tr>{cells}</tr>"

    body = "".join(row(line, "td") for line in lines)
    return f"<table><thead>{row(heads, 'th')}</thead><tbody>{body}</tbody></table>"
