"""The profilers that are compared, each run once on a program: `bench profile`, `perf record`, `py-spy record`. A tool
that cannot run here says why.
"""

import json
import os
import re
import subprocess
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from native_samples import Sample, samples_of

RATE = 999
PERF_STACK = 65528  # the most that perf can copy: a Haswell kernel of OpenBLAS moves the stack by 29 KB


class Refused(Exception):
    """A tool that cannot be used here, and why."""


@dataclass
class Tools:
    bench: Path
    python: Path
    py_spy: Path
    folder: Path  # for what the tools write: perf's files are large
    lost: int = 0  # samples that perf says it lost
    commands: dict[str, str] = field(default_factory=dict)

    def environment(self) -> dict[str, str]:
        """Haswell kernels wherever the CPU can run them; one thread."""
        kept = {k: v for k, v in os.environ.items() if not k.startswith(("TARE_", "PYTHON"))}
        fixed = {"OPENBLAS_CORETYPE": "Haswell", "OPENBLAS_NUM_THREADS": "1", "XDG_CACHE_HOME": str(self.folder)}
        return kept | fixed

    def run(self, tool: str, command: list[str]) -> subprocess.CompletedProcess[str]:
        self.commands.setdefault(tool, " ".join(re.sub(r".*/(?=[^/])", "", part) for part in command))
        try:
            ran = subprocess.run(
                command, capture_output=True, text=True, errors="replace", env=self.environment(), cwd=self.folder
            )
        except OSError as error:
            raise Refused(f"{tool}: {error.strerror}: {command[0]}") from error
        if ran.returncode != 0:
            raise Refused(f"{tool} ended with status {ran.returncode}: {ran.stderr.strip()[-400:]}")
        return ran

    def program(self, script: Path, seconds: float) -> list[str]:
        return [str(script), str(seconds)]

    def tare(self, script: Path, seconds: float) -> dict[str, Any]:
        out = self.folder / "profile.json"
        command = [str(self.bench), "profile", "--python", str(self.python), "--rate", str(RATE), "--out", str(out)]
        self.run("tare", [*command, *self.program(script, seconds)])
        return json.loads(out.read_text())

    def perf(self, script: Path, seconds: float) -> list[Sample]:
        data = self.folder / "perf.data"
        record = ["perf", "record", "-e", "cpu-clock", "-F", str(RATE), "--call-graph", f"dwarf,{PERF_STACK}"]
        record += ["-m", "32M", "-o", str(data), "--", str(self.python), *self.program(script, seconds)]
        said = self.run("perf", record).stderr
        self.lost += sum(int(n) for n in re.findall(r"lost (\d+) ", said))
        command = ["perf", "script", "-i", str(data), "-F", "tid,ip,sym,symoff,dso", "--no-inline"]
        samples = samples_of(self.run("perf script", command).stdout.splitlines())
        data.unlink()
        return samples

    def folded(self, script: Path, seconds: float) -> list[str]:
        out = self.folder / "py-spy.txt"
        command = [str(self.py_spy), "record", "--rate", "1000", "--format", "raw", "--output", str(out), "--"]
        self.run("py-spy", [*command, str(self.python), *self.program(script, seconds)])
        return out.read_text().splitlines()

    def versions(self) -> list[str]:
        commands = [["perf", "--version"], [str(self.py_spy), "--version"]]
        probe = "import sys, numpy; print('CPython', sys.version.split()[0] + ', NumPy', numpy.__version__)"
        found = []
        for command in (*commands, [str(self.python), "-c", probe], ["uname", "-srm"]):
            try:
                found.append(subprocess.run(command, capture_output=True, text=True, check=False).stdout.strip())
            except OSError as error:
                found.append(f"{Path(command[0]).name}: {error.strerror}")
        return found
