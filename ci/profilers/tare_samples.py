"""What `bench profile --out` wrote, read: samples by native function and by Python line of each run, and how many
stacks are whole.
"""

from collections import Counter
from dataclasses import dataclass, field
from pathlib import PurePath
from typing import Any

from python_samples import IMPORTING, Line, last_name

Native = tuple[str, int]  # path of the file, address in it


def innermost_lines(profile: dict[str, Any]) -> Counter[Line]:
    """Samples by the innermost Python line, of the call tree: not those of imports."""
    counts: Counter[Line] = Counter()
    innermost: list[Line | None] = []  # of each node; None: no Python, or an import
    for node in profile["nodes"]:
        function = profile["functions"][node["function"]]
        above = innermost[node["parent"]] if node["parent"] >= 0 else None
        is_import = above is not None and above[0] == IMPORTING
        if function["kind"] == "python" and not is_import:
            above = (last_name(function["name"]), PurePath(function["file"]).name, node["line"])
        innermost.append(above)
        if above is not None and above[0] != IMPORTING and node["self"]["samples"]:
            counts[above] += node["self"]["samples"]
    return counts


@dataclass
class TareProfile:
    """Runs of one program: self samples of each."""

    native: list[Counter[Native]] = field(default_factory=list)
    lines: list[Counter[Line]] = field(default_factory=list)
    names: dict[Native, str] = field(default_factory=dict)
    reach_the_entry: int = 0
    stacks: int = 0

    def add(self, profile: dict[str, Any]) -> None:
        functions = profile["functions"]
        native: Counter[Native] = Counter()
        for function in functions:
            if function["kind"] == "python":
                continue
            module = function.get("module")
            path = profile["modules"][module]["path"] if module is not None else function["name"]
            key = (path, function.get("address", 0) if module is not None else 0)
            native[key] += function["self"]["samples"]
            self.names.setdefault(key, function["name"])
        self.native.append(native)
        self.lines.append(innermost_lines(profile))
        quality = profile["quality"]
        self.reach_the_entry += quality["complete"] + quality["scanned"]
        self.stacks += quality["complete"] + quality["scanned"] + quality["truncated"]
