# --tare-against: the benchmarks of a pytest session, each against itself in another environment or at another commit.
# The workers of a duet collect the test, run its fixtures, and take what it hands to the fixture as their statement.
from __future__ import annotations

import os
import subprocess
import tempfile
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from tare.api import program
from tare.api.duets import Duet
from tare.api.runs import options_of

SUITE = """# Made by pytest --tare-against; lives as long as the session.
from tare import operation
from tare.api.captured import function_of


def _declare(name):
    def make():
        return {{"function": function_of({root!r}, name)}}

    make.__name__ = name
    operation("function()")(make)


for _name in {names!r}:
    _declare(_name)
"""


@dataclass
class Gate:
    """The verdicts, and what could not be compared."""

    duet: Duet
    notes: list[str] = field(default_factory=list)

    @property
    def failed(self) -> bool:
        """Whether the session is not to pass."""
        return bool(self.duet.slower)


class Against:
    """The old side: an interpreter or environment, or a commit of the repository that holds the tests."""

    def __init__(self, text: str, root: Path):
        self.text = text
        self.root = root

    def check(self) -> None:
        """Errors: Error for what is neither an environment nor a commit."""
        if not Path(self.text).exists():
            self._commit()

    def _commit(self) -> str:
        return self._git("rev-parse", "--verify", "--end-of-options", f"{self.text}^{{commit}}")

    def gate(self, names: Sequence[str], options: Mapping[str, Any]) -> Gate:
        """Compares tests by node id. Errors: Error for what is neither an environment nor a commit."""
        if Path(self.text).exists():
            return self._duet(names, self.root, ["--a", self.text], options)
        with tempfile.TemporaryDirectory(prefix="tare-") as made:
            tree = Path(made) / "old"
            top = self._git("rev-parse", "--show-toplevel")
            self._git("worktree", "add", "--detach", str(tree), self._commit())
            try:
                old = tree / self.root.resolve().relative_to(Path(top).resolve())
                return self._duet(names, old, [], options)
            finally:
                self._git("worktree", "remove", "--force", str(tree))

    def _git(self, *words: str) -> str:
        ran = subprocess.run(["git", "-C", str(self.root), *words], capture_output=True, text=True, check=False)
        if ran.returncode != 0:
            said = ran.stderr.strip().splitlines() or ["git failed"]
            raise program.Error(f"it is no path, and as a commit: {said[-1]}")
        return ran.stdout.strip()

    def _duet(self, names: Sequence[str], old: Path, sides: list[str], options: Mapping[str, Any]) -> Gate:
        known = [name for name in names if (old / name.partition("::")[0]).exists()]
        notes = [f"not compared, new: {name}" for name in names if name not in known]
        if not known:
            raise program.Error("none of the benchmarks' files exists there")
        with tempfile.TemporaryDirectory(prefix="tare-") as made:
            folder = Path(made)
            arguments = ["duet", *sides, *options_of(options), "--gate", "--store", str(folder / "store")]
            for side, root in (("a", old), ("b", self.root)):
                suite = folder / side
                suite.mkdir()
                (suite / "session.py").write_text(SUITE.format(root=str(root), names=list(known)), encoding="utf-8")
                arguments += [f"--{side}-suite", str(suite)]
                if old != self.root:  # a commit: its own sources before what is installed
                    arguments += [f"--env-{side}", f"PYTHONPATH={os.pathsep.join(_sources(root))}"]
            out = folder / "record.json"
            ended = program.call([*arguments, "--out", str(out)], expected="suite")
            if not out.exists():
                raise program.Error(ended.error())
            duet = Duet(out.read_text(encoding="utf-8"))
        if ended.code == program.INTERRUPTED:
            raise program.Interrupted(duet)
        if len(duet.failed) == len(duet.rows):
            reasons = "\n".join(f"{row.case}: {row.error}" for row in duet.failed[:5])
            raise program.CaseFailed(f"no benchmark could be compared\n{reasons}", duet)
        return Gate(duet, notes)


def _sources(root: Path) -> list[str]:
    """Where a repository keeps its packages, before what PYTHONPATH says already."""
    own = [str(root / "src")] if (root / "src").is_dir() else []
    return [*own, str(root), *filter(None, os.environ.get("PYTHONPATH", "").split(os.pathsep))]
