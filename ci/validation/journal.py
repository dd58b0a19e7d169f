"""The raw results of a validation: JSON lines, the plan's settings first, then for each step one line when
it begins and one with its result, synced. What failed or was cut short stays, and is run again when resumed.
"""

import json
import os
from pathlib import Path
from typing import Any

NAME = "results.jsonl"
SIGNIFICANT_DIGITS = 6


class Journal:
    """Errors: ValueError for a file that belongs to another plan."""

    def __init__(self, folder: Path, settings: dict[str, Any], resume: bool):
        self.path = folder / NAME
        self.lines: list[dict[str, Any]] = []  # results
        self.begun: list[str] = []  # names of steps, each time one was begun
        folder.mkdir(parents=True, exist_ok=True)
        if resume:
            self._cut_torn_line()
            self.settings, *lines = read(self.path)
            self.lines = [line for line in lines if "begun" not in line]
            self.begun = [line["begun"] for line in lines if "begun" in line]
            if self.settings["plan"] != settings["plan"]:
                raise ValueError(
                    f"{self.path} was begun with plan {self.settings['plan']}, not {settings['plan']}: resume with the "
                    "same --seed, --parts, --cases and --quick, or begin anew with another --out"
                )
        elif self.path.exists():
            raise ValueError(f"{self.path} exists; go on with it by --resume {folder}, or give another --out")
        else:
            self.settings = settings
            self._append({"settings": settings})

    def is_done(self, step: str) -> bool:
        return any(line["step"] == step and "error" not in line for line in self.lines)

    def begin(self, step: str) -> None:
        """So that a run which never ends is known of, too."""
        self.begun.append(step)
        self._append({"begun": step})

    def add(self, line: dict[str, Any]) -> None:
        self.lines.append(line)
        self._append(line)

    def _append(self, line: dict[str, Any]) -> None:
        with self.path.open("a", encoding="utf-8") as file:
            file.write(json.dumps(rounded(line), separators=(",", ":")) + "\n")
            file.flush()
            os.fsync(file.fileno())

    def _cut_torn_line(self) -> None:
        """What a kill left of the last line."""
        if not self.path.exists():
            raise ValueError(f"{self.path} is not there: nothing to resume")
        content = self.path.read_bytes()
        whole = content[: content.rfind(b"\n") + 1]
        if whole != content:
            self.path.write_bytes(whole)


def read(path: Path) -> list[dict[str, Any]]:
    """The settings, then the steps. Errors: ValueError for another file."""
    lines = [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]
    if not lines or "settings" not in lines[0]:
        raise ValueError(f"{path} does not begin with the settings of a validation")
    return [lines[0]["settings"], *lines[1:]]


def rounded(value: Any) -> Any:
    """Floats to as many digits as carry information: keeps results/ small."""
    if isinstance(value, float):
        return float(f"{value:.{SIGNIFICANT_DIGITS}g}")
    if isinstance(value, dict):
        return {key: rounded(item) for key, item in value.items()}
    if isinstance(value, (list, tuple)):
        return [rounded(item) for item in value]
    return value
