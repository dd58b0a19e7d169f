"""Runs one formatter or checker on the files it is for: tools.py clang-format|ruff-format|ruff|mypy|shellcheck.
A missing tool, one of another version, or nothing to check is a failure.
"""

import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import tree

SETTINGS = ("SHELLCHECK_OPTS", "XDG_CONFIG_HOME", "MYPYPATH", "MYPY_CACHE_DIR")  # variables that steer these tools
TOOLS = tree.ROOT / ".tools" / "bin"  # made by ci/test from ci/requirements-test.txt


@dataclass(frozen=True)
class Tool:
    command: tuple[str, ...]
    wants: Callable[[str], bool]
    version: str = ""  # what its --version must contain; the tools of .tools are pinned by their requirements file


def is_python(name: str) -> bool:
    return name.endswith(".py")


CHECKS = {
    # another version formats differently; 14 is Debian 12's
    "clang-format": Tool(("/usr/bin/clang-format", "--dry-run", "-Werror", "--style=file"), tree.is_cpp, "version 14."),
    "ruff-format": Tool((str(TOOLS / "ruff"), "format", "--check", "--diff"), is_python),
    "ruff": Tool((str(TOOLS / "ruff"), "check"), is_python),
    "mypy": Tool(
        (str(TOOLS / "mypy"), "--python-executable", str(tree.ROOT / ".venv" / "bin" / "python")),
        lambda name: is_python(name) and name.startswith(("python/tare/", "ci/lint/")),
    ),
    "shellcheck": Tool(
        ("/usr/bin/shellcheck", "--norc", "--external-sources"), lambda name: tree.is_script(tree.ROOT, name)
    ),
}


def problem_with(tool: Tool) -> str | None:
    """Why the tool cannot be used, if it cannot."""
    program = tool.command[0]
    if shutil.which(program) is None:
        return f"{program} is missing: ci/test installs it"
    if tool.version:
        said = subprocess.run([program, "--version"], check=True, capture_output=True, text=True).stdout.strip()
        if tool.version not in said:
            return f"{program} says '{said}'; wanted '{tool.version}'"
    return None


def run(tool: Tool, root: Path, names: list[str]) -> int:
    """The tool's exit status on those files that it wants; 2 where it cannot run or has nothing to check."""
    if problem := problem_with(tool):
        print(problem)
        return 2
    wanted = [name for name in names if tool.wants(name)]
    print(f"{tool.command[0]}: {len(wanted)} files", flush=True)
    if not wanted:
        return 2
    with tempfile.TemporaryDirectory() as home:  # the user's has settings of theirs
        environment = {**os.environ, "HOME": home}
        for name in SETTINGS:
            environment.pop(name, None)
        return subprocess.run([*tool.command, *wanted], cwd=root, env=environment, check=False).returncode


if __name__ == "__main__":
    sys.exit(run(CHECKS[sys.argv[1]], tree.ROOT, tree.files()))
