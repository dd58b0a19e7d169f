"""What a validation was made on and with: facts for its page, and the folder that is named after them."""

import hashlib
import os
import platform
import re
import subprocess
import time
from pathlib import Path

NUMPY_FACTS = "import numpy, sys; print(numpy.__version__, numpy.__path__[0], sys.version.split()[0], sep='\\n')"
SAID_S = 60


def cpu_model(text: str) -> str:
    """From /proc/cpuinfo."""
    found = re.search(r"^model name\s*:\s*(.+)$", text, re.M)
    return found[1] if found else platform.machine()


def folder(root: Path) -> Path:
    """A new one: the date, the CPU's name, how many there are."""
    words = re.sub(r"\(.*?\)|@.*|CPU|Processor", " ", cpu_model(Path("/proc/cpuinfo").read_text()))
    name = "-".join([*re.findall(r"[a-z0-9]+", words.lower()), f"{os.cpu_count()}cpu"])
    return root / f"{time.strftime('%Y-%m-%d')}-{name}"


def said(command: list[str | Path]) -> str:
    """Its stdout. Errors: ValueError with what it said."""
    done = subprocess.run(command, capture_output=True, text=True, check=False, timeout=SAID_S)
    if done.returncode != 0:
        raise ValueError(f"{' '.join(map(str, command))}: status {done.returncode}\n{done.stderr.strip()}")
    return done.stdout.strip()


def digests(package: Path) -> dict[str, str]:
    """Of every file of an installed package; compiled bytecode holds paths and times, so not of that."""
    return {
        str(path.relative_to(package)): hashlib.sha256(path.read_bytes()).hexdigest()
        for path in sorted(package.rglob("*"))
        if path.is_file() and "__pycache__" not in path.parts
    }


def equality(packages: tuple[Path, Path]) -> str:
    """Errors: ValueError where a file differs: then it is not A against A."""
    one, other = map(digests, packages)
    different = [name for name in sorted({*one, *other}) if one.get(name) != other.get(name)]
    if different:
        listed = ", ".join(different[:5])
        raise ValueError(f"{packages[0]} and {packages[1]} differ in {len(different)} files: {listed}")
    return f"all {len(one)} files byte-identical"


def facts(bench: Path, pythons: tuple[Path, Path], cpu: int) -> dict[str, str]:
    """Errors: ValueError for an environment that does not answer, or two that are not equal."""
    answers = [said([python, "-c", NUMPY_FACTS]).splitlines() for python in pythons]
    (numpy, _, python), _ = answers
    equal = equality((Path(answers[0][1]), Path(answers[1][1])))
    virtual = "hypervisor" in Path("/proc/cpuinfo").read_text()
    return {
        "machine": f"{cpu_model(Path('/proc/cpuinfo').read_text())}, {os.cpu_count()} CPUs"
        + (", a virtual machine" if virtual else ""),
        "kernel": platform.release(),
        "subject": f"NumPy {numpy}, CPython {python}, installed twice: {equal}",
        "measured on": f"CPU {cpu}; load before: {os.getloadavg()[0]:.2f}",
        "bench": said([bench, "--version"]).splitlines()[0],
    }
