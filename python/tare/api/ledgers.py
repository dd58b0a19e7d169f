# tare.explain and its result: where the instructions of one execution go, exactly, by layer and function.
from __future__ import annotations

import base64
import html
import tempfile
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

from tare.api import program
from tare.api.code import Carrier, What
from tare.api.picture import bar_plot
from tare.api.runs import options_of, refuse_set_ups
from tare.api.table import Result, html_table, text_table


@dataclass(frozen=True)
class Layer:
    """Instructions of one execution in a layer: in the memory layout with the fewest in all, the fewest, the most."""

    case: str
    layer: str
    instructions: float
    lowest: float
    highest: float
    share_ratio: float


@dataclass(frozen=True)
class Function:
    """Likewise of a function, with the file that holds it."""

    case: str
    function: str
    module: str
    instructions: float
    lowest: float
    highest: float


class Explanation(Result):
    """Ledgers. `text` is what `bench explain --format json` writes; `flame_graph` an SVG, where there is one case."""

    def __init__(self, text: str, flame_graph: str = ""):
        super().__init__(text)
        self.flame_graph = flame_graph

    @cached_property
    def rows(self) -> list[Layer]:
        """A row for each layer of each case, the largest first."""
        return [
            Layer(
                ledger["case"],
                layer["name"],
                layer["self"]["value"],
                layer["self"]["lowest"],
                layer["self"]["highest"],
                layer["self"]["value"] / ledger["total"]["value"] if ledger["total"]["value"] else 0.0,
            )
            for ledger in self.record["ledgers"]
            for layer in ledger["layers"]
        ]

    @cached_property
    def functions(self) -> list[Function]:
        """A row for each function of each case."""
        return [
            Function(
                ledger["case"],
                function["name"],
                ledger["modules"][function["module"]]["path"],
                function["self"]["value"],
                function["self"]["lowest"],
                function["self"]["highest"],
            )
            for ledger in self.record["ledgers"]
            for function in ledger["functions"]
        ]

    @property
    def total(self) -> float:
        """Instructions of one execution, net of the loop's, of the first case."""
        return self.record["ledgers"][0]["total"]["value"]

    def _lines(self) -> tuple[list[str], list[list[str]]]:
        lines = [[row.layer, f"{row.instructions:.0f}", f"{100 * row.share_ratio:.1f} %"] for row in self.rows]
        return ["layer", "instructions", "share"], lines

    def _titles(self) -> str:
        return "\n".join(
            f"{each['case']}: {each['total']['value']:.0f} instructions" for each in self.record["ledgers"]
        )

    def __repr__(self) -> str:
        return f"{self._titles()}\n{text_table(*self._lines())}"

    def _repr_html_(self) -> str:
        bars = bar_plot([(row.layer, row.instructions) for row in self.rows], lambda value: f"{value:.0f}")
        graph = ""
        if self.flame_graph:
            data = base64.b64encode(self.flame_graph.encode()).decode()  # an image runs no script
            graph = f'<img alt="flame graph" style="width:100%" src="data:image/svg+xml;base64,{data}">'
        titles = html.escape(self._titles())
        details = f"<details><summary>as a table</summary>{html_table(*self._lines())}</details>"
        return f"<div><p>{titles}</p>{bars}{graph}{details}</div>"


def explain(
    what: What | Sequence[str],
    *,
    setup: str = "",
    setup_each: str = "",
    values: Mapping[str, Any] | None = None,
    case: bool = False,
    python: str | Path | None = None,
    suite: str | Path | Sequence[str | Path] = (),
    progress: bool | None = None,
    **options: Any,
) -> Explanation:
    """Counts every instruction of one execution, by stepping a fresh worker: no PMU is needed.

    `what`: a statement or a callable, with `setup`, `setup_each` and `values` as in tare.run; with `case=True` the name
    of a case of `suite` (default: the shipped one), or several. Options are those of `bench explain`: layouts=2,
    limit=500000, ... Errors: as tare.run; CaseFailed for what is too long to step.
    """
    for name in ("against", "diff", "tree"):
        if name in options:
            raise program.Error(f"{name} is told by the command alone: bench explain --{name}")
    if "timing" in options:
        raise program.Error(
            "timing is told by the command alone: bench explain, which times unless --no-timing says not to"
        )
    with tempfile.TemporaryDirectory(prefix="tare-") as made:
        folder = Path(made)
        carrier = Carrier(folder, python)
        if case:
            refuse_set_ups(None, setup, setup_each)
            names = [what] if isinstance(what, str) else list(what) if isinstance(what, Sequence) else [str(what)]
            suites = [suite] if isinstance(suite, (str, Path)) else list(suite)
            words = [*names, *(word for each in suites for word in ("--suite", str(each)))]
        else:
            if suite or not (isinstance(what, str) or callable(what)):
                raise program.Error("cases of a suite are explained with case=True")
            names = [""]
            words = carrier.code_of(what, setup, values, setup_each).words()
        graph = folder / "flame.svg"
        pictured = ["--flamegraph", str(graph)] if len(names) == 1 else []
        arguments = ["explain", *words, "--no-timing", *pictured, *options_of(options)]
        kept = ["--store", str(folder / "store"), "--format", "json"]
        chosen = None if python is None else str(python)
        ended = program.call([*arguments, *kept], progress=progress, python=chosen, variables=carrier.variables())
        flame_graph = graph.read_text(encoding="utf-8") if graph.exists() else ""
    if ended.code == program.INTERRUPTED:
        raise program.Interrupted(Explanation(ended.out, flame_graph) if ended.out else None)
    result = Explanation(ended.out, flame_graph)
    if not result.record["ledgers"]:
        problems = [str(each["error"]["what"]) for each in result.record["problems"]]
        raise program.CaseFailed("\n".join(problems) or ended.error(), result)
    ended.warn()
    return result
