"""One virtual environment a release of NumPy, made on demand by venv and the interpreter's own pip and kept."""

import os
import shutil
import subprocess
import tempfile
from pathlib import Path

MINUTES_TO_INSTALL = 10


class NoWheelError(Exception):
    """This release cannot be installed for this interpreter; the text is pip's reason."""


def environment(folder: Path, interpreter: str, version: str) -> Path:
    """The Python of an environment that holds this release and nothing else.

    It is made under a temporary name and renamed, so that one that is there is whole. Errors: NoWheelError.
    """
    abi = subprocess.run(
        [interpreter, "-c", "import sysconfig; print(sysconfig.get_config_var('SOABI'))"],
        check=True,
        capture_output=True,
        text=True,
    ).stdout.strip()
    home = folder / f"numpy-{version}-{abi}"
    if not home.exists():
        folder.mkdir(parents=True, exist_ok=True)
        made = Path(tempfile.mkdtemp(prefix=f"making-{version}-", dir=folder))
        try:
            _install(made, interpreter, version)
            try:
                os.rename(made, home)
            except OSError:
                if not home.exists():  # else another process was faster
                    raise
        finally:
            shutil.rmtree(made, ignore_errors=True)
    return home / "bin" / "python"


def _install(home: Path, interpreter: str, version: str) -> None:
    subprocess.run([interpreter, "-m", "venv", "--without-pip", str(home)], check=True)
    command = [interpreter, "-m", "pip", "--python", str(home / "bin" / "python"), "--disable-pip-version-check"]
    command += ["install", "--quiet", "--only-binary", ":all:", f"numpy=={version}"]
    done = subprocess.run(command, capture_output=True, text=True, timeout=60 * MINUTES_TO_INSTALL)
    if done.returncode != 0:
        raise NoWheelError((done.stderr.strip().splitlines() or ["pip failed without a word"])[-1])
