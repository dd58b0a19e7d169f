# --tare-against: the benchmarks of a pytest session, each against itself in another environment or at another commit.
# The workers of a duet collect the test, run its fixtures, and take what it hands to the fixture as their statement.
from __future__ import annotations

import inspect
import os
import signal
import subprocess
import sys
import tempfile
import threading
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
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
        return {{"function": function_of({root!r}, name, {words!r})}}

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

    def __init__(self, text: str, config: Any):
        self.text = text
        self.root = Path(config.rootpath)
        self.words = [f"--import-mode={config.getoption('importmode', 'prepend')}"]  # how both sides find packages

    def __str__(self) -> str:
        return self.text

    @property
    def is_environment(self) -> bool:
        path = Path(self.text)
        program_of = path if path.is_file() else path / "bin" / "python"
        return os.access(program_of, os.X_OK) and program_of.is_file()

    def check(self) -> None:
        """Errors: Error for what is neither an environment nor a commit."""
        if not self.is_environment:
            self._commit()

    def finds_on_both_sides(self, function: Callable[..., Any], test: Path) -> bool:
        """Whether its code is the project's own file, which an old environment would run as well as this one."""
        if not self.is_environment:
            return False
        try:
            file = Path(inspect.getfile(inspect.unwrap(function)))
        except TypeError:  # of C
            return False
        inside = self.root in file.parents and "site-packages" not in file.parts
        return inside and file != test and file.name != "conftest.py"

    def gate(self, names: Sequence[str], options: Mapping[str, Any]) -> Gate:
        """Compares tests by node id. Errors: Error for what is neither an environment nor a commit, and where nothing
        could be compared; Interrupted.
        """
        with _ended_by_signals():
            if self.is_environment:
                return self._duet(names, self.root, ["--a", self.text, "--b", sys.executable], options)
            with tempfile.TemporaryDirectory(prefix="tare-") as made:
                tree = Path(made) / "old"
                top = self._git("rev-parse", "--show-toplevel")
                commit = self._commit()
                try:
                    self._git("-c", "core.hooksPath=/dev/null", "worktree", "add", "--detach", str(tree), commit)
                    old = tree / self.root.resolve().relative_to(Path(top).resolve())
                    return self._duet(names, old, [], options)
                finally:
                    if tree.exists():
                        self._git("worktree", "remove", "--force", str(tree))
                    self._git("worktree", "prune")

    def _commit(self) -> str:
        return self._git("rev-parse", "--verify", "--end-of-options", f"{self.text}^{{commit}}")

    def _git(self, *words: str) -> str:
        """Without what a hook is told of a repository: an index of another commit, for instance."""
        environment = {name: text for name, text in os.environ.items() if not name.startswith("GIT_")}
        try:
            ran = subprocess.run(
                ["git", "-C", str(self.root), *words], capture_output=True, text=True, check=False, env=environment
            )
        except OSError as error:
            raise program.Error(f"it is no environment, and git cannot be started: {error.strerror}") from None
        if ran.returncode != 0:
            said = ran.stderr.strip().splitlines() or ["git failed"]
            raise program.Error(f"it is no environment, and as a commit: {said[-1]}")
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
                text = SUITE.format(root=str(root), words=self.words, names=list(known))
                (suite / "session.py").write_text(text, encoding="utf-8")
                arguments += [f"--{side}-suite", str(suite)]
                if old != self.root:  # a commit: its own sources before what is installed
                    arguments += [f"--env-{side}", f"PYTHONPATH={os.pathsep.join(_sources(root))}"]
            out = folder / "record.json"
            temporary = folder / "tmp"  # where fixtures put their files: nothing tears them down
            temporary.mkdir()
            ended = program.call([*arguments, "--out", str(out)], variables={"TMPDIR": str(temporary)})
            duet = Duet(out.read_text(encoding="utf-8")) if out.exists() else None
        if ended.code == program.INTERRUPTED:
            raise program.Interrupted(duet)
        if duet is None:
            raise program.Error(ended.error())
        if len(duet.failed) == len(duet.rows):
            reasons = "\n".join(f"{row.case}: {row.error}" for row in duet.failed[:5])
            raise program.CaseFailed(f"no benchmark could be compared\n{reasons}", duet)
        return Gate(duet, notes + [text for text in ended.warnings() if "different statements" not in text])


@contextmanager
def _ended_by_signals() -> Iterator[None]:
    """SIGTERM becomes an exception, so that what was made for the duet goes with it. In the main thread only."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return

    def end(number: int, frame: Any) -> None:
        raise SystemExit(128 + number)

    before = signal.signal(signal.SIGTERM, end)
    try:
        yield
    finally:
        signal.signal(signal.SIGTERM, before)


def _sources(root: Path) -> list[str]:
    """Where a repository keeps its packages, before what PYTHONPATH says already."""
    own = [str(root / "src")] if (root / "src").is_dir() else []
    return [*own, str(root), *filter(None, os.environ.get("PYTHONPATH", "").split(os.pathsep))]
