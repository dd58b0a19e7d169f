"""run.py PROBE PYTHON... [--calls N]: the checks of this folder in every interpreter of the probe's ABI, those named
and pyenv's. Status 77 where there is none that has frames we can read.
"""

import argparse
import os
import subprocess
import sys
from pathlib import Path

FOLDER = Path(__file__).resolve().parent
QUESTION = "import platform, sysconfig; print(sysconfig.get_config_var('EXT_SUFFIX'), platform.python_version())"
CHECKS = tuple(f"check_{what}.py" for what in ("chain", "generators", "lines", "watch", "handler", "preloaded"))
SKIPPED = 77
ENVIRONMENT = {"PATH": "/usr/bin:/bin", "LANG": "C.UTF-8"}  # and nothing of ours, which may steer an interpreter


def interpreters(named, suffix):
    """Path and version of each that loads libraries of this suffix, every installation once."""
    found = {}
    for python in [
        *map(Path, named),
        *sorted(Path(os.path.expanduser("~")).glob(".pyenv/versions/3.*/bin/python3")),
        Path("/usr/bin/python3"),
    ]:
        if not python.exists():
            continue
        asked = subprocess.run([python, "-c", QUESTION], env=ENVIRONMENT, capture_output=True, text=True, check=False)
        its_suffix, _, version = asked.stdout.strip().partition(" ")
        if asked.returncode == 0 and its_suffix == suffix:
            found.setdefault(python.resolve(), version)
    return found


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("probe", type=Path)
    parser.add_argument("pythons", nargs="*")
    parser.add_argument("--calls", type=int, default=30_000)
    arguments = parser.parse_args()
    abi = arguments.probe.name.split(".")[1]
    if not (39 <= int(abi.split("-")[1].rstrip("dt")) <= 314):
        print(f"skipped: frames of {abi} are not read; 3.9 to 3.14 are")
        return SKIPPED
    pythons = interpreters(arguments.pythons, f".{abi}.so")
    if not pythons:
        print(f"skipped: no interpreter of {abi} here")
        return SKIPPED
    failed = []
    for python, version in pythons.items():
        for check in CHECKS:
            print(f"--- CPython {version}, {python}: {check}", flush=True)
            command = [python, "-B", FOLDER / check, arguments.probe, str(arguments.calls)]
            if subprocess.run(command, env=ENVIRONMENT, check=False).returncode != 0:
                failed.append(f"{check} in {python}")
    print("ran in CPython " + ", ".join(pythons.values()))
    for what in failed:
        print("failed:", what)
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
