"""What `bench profile --out` wrote, read: samples by native function and by Python line of each run, and how many
stacks are whole.
"""

from collections import Counter
from dataclasses import dataclass, field
from pathlib import PurePath
from typing import Any

from python_samples import Line, last_name

Native = tuple[str, int]  # path of the file, address in it


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
        lines: Counter[Line] = Counter()
        for function in functions:
            if function["kind"] == "python":
                continue
            module = function.get("module")
            path = profile["modules"][module]["path"] if module is not None else function["name"]
            key = (path, function.get("address", 0) if module is not None else 0)
            native[key] += function["self"]["samples"]
            self.names.setdefault(key, function["name"])
        for line in profile["lines"]:
            function = functions[line["function"]]
            place = (last_name(function["name"]), PurePath(function["file"]).name, line["line"])
            lines[place] += line["self"]["samples"]
        self.native.append(native)
        self.lines.append(lines)
        quality = profile["quality"]
        self.reach_the_entry += quality["complete"] + quality["scanned"]
        self.stacks += quality["complete"] + quality["scanned"] + quality["truncated"]
