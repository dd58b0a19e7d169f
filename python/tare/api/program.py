# `bench` as a child process: where it lies, its exit status, what it said, and Ctrl-C, which it outlives to write down
# what was measured.
from __future__ import annotations

import os
import shutil
import signal
import subprocess
import sys
import tempfile
import warnings
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

PACKAGE = Path(__file__).resolve().parents[1]
DONE, SLOWER, USAGE, INCONCLUSIVE, CASES_FAILED, INTERRUPTED = 0, 1, 2, 3, 4, 130
_ERROR, _WARNING = "bench: error: ", "bench: warning: "


class Error(RuntimeError):
    """What `bench` refuses, with its way out."""


class CaseFailed(Error):
    """All that was to be measured failed. `result` is what there is: its rows hold the reasons."""

    def __init__(self, text: str, result: Any = None):
        super().__init__(text)
        self.result = result


class Interrupted(KeyboardInterrupt):
    """Ctrl-C. `result` is what was measured until then, or None."""

    def __init__(self, result: Any = None):
        super().__init__("interrupted; .result holds what was measured" if result is not None else "interrupted")
        self.result = result


class Warned(UserWarning):
    """A warning of `bench`."""


@dataclass
class Ended:
    """A finished `bench`."""

    code: int  # INTERRUPTED after Ctrl-C, however it then ended
    out: str
    err: list[str]  # its lines, without those of progress on a terminal

    def warnings(self) -> list[str]:
        return [line[len(_WARNING) :] for line in self.err if line.startswith(_WARNING)]

    def warn(self) -> None:
        """Its warnings as Python's, at the line that called a function of tare. To be called when all else is done."""
        for text in self.warnings():
            warnings.warn(text, Warned, stacklevel=3)

    def error(self) -> str:
        """What it gives as the reason of its exit status."""
        for number, line in enumerate(self.err):
            if line.startswith(_ERROR):
                return "\n".join([line[len(_ERROR) :], *self.err[number + 1 :]])
        return "\n".join(self.err[-3:]) or f"bench ended with exit status {self.code} and said nothing"


def find_program() -> str:
    """$TARE_BENCH, that of the wheel, of the installation or source tree around this package, or of $PATH.

    Errors: Error where there is none.
    """
    home = PACKAGE.parents[1]
    places = [PACKAGE / "_home" / "bin" / "bench", home / "bin" / "bench", home / "build" / "release" / "bin" / "bench"]
    named = os.environ.get("TARE_BENCH") or next((str(p) for p in places if os.access(p, os.X_OK)), None)
    found = named or shutil.which("bench")
    if found is None:
        raise Error("there is no program `bench`: install tare-bench, build it with ci/bench, or name it in TARE_BENCH")
    return found


def call(
    arguments: Sequence[str],
    *,
    progress: bool | None = None,
    python: str | None = None,
    variables: Mapping[str, str] | None = None,
) -> Ended:
    """Runs `bench ARGUMENTS` to its end.

    `progress`: whether what it says meanwhile goes to stderr (None: where stderr is a terminal). `python`: what is
    measured where the arguments do not say (None: this interpreter). `variables`: more of its environment. Errors:
    Error for exit status 2, or where it dies; KeyboardInterrupt goes on to `bench`, and a second one ends it at once.
    """
    shown = sys.stderr is not None and sys.stderr.isatty() if progress is None else progress
    environment = {**os.environ, **(variables or {}), "TARE_PYTHON": python or sys.executable}
    environment["TARE_PARENT"] = str(os.getpid())  # it does not outlive us
    with tempfile.TemporaryFile("w+", encoding="utf-8", errors="replace") as out:
        try:
            process = subprocess.Popen(
                [find_program(), *arguments],
                stdin=subprocess.DEVNULL,
                stdout=out,
                stderr=subprocess.PIPE,
                encoding="utf-8",
                errors="replace",
                env=environment,
                start_new_session=True,  # Ctrl-C reaches us, and `bench` through us, once
            )
        except OSError as error:
            raise Error(f"cannot start {find_program()}: {error.strerror}") from None
        try:
            lines, interrupted = _listen(process, shown)
        finally:
            if process.poll() is None:
                process.kill()
            process.wait()
            if process.stderr is not None:
                process.stderr.close()
        out.seek(0)
        ended = Ended(INTERRUPTED if interrupted else process.returncode, out.read(), lines)
    if ended.code == USAGE or ended.code < 0:
        raise Error(ended.error())
    return ended


def _listen(process: subprocess.Popen[str], shown: bool) -> tuple[list[str], bool]:
    """Its stderr, until it ends; and whether we were interrupted."""
    lines: list[str] = []
    interrupted = False
    assert process.stderr is not None
    while True:
        try:
            for line in process.stderr:
                lines.append(line.rstrip("\n"))
                if shown:
                    print(lines[-1], file=sys.stderr, flush=True)
            process.wait()
            return lines, interrupted
        except KeyboardInterrupt:
            if interrupted:
                raise
            interrupted = True
            process.send_signal(signal.SIGINT)
