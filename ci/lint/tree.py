"""The files that lints look at, as paths relative to the root; and how a lint reports and exits."""

import os
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]


def files(root: Path = ROOT) -> list[str]:
    """Files that git tracks or does not ignore, so that a new file is checked before its first commit."""
    # Of a checkout that belongs to somebody else, as a container's does, git lists nothing unless it is told to.
    command = ["git", "-c", "safe.directory=*", "ls-files", "-z", "--cached", "--others", "--exclude-standard"]
    # A hook of git, or `git rebase --exec`, names its own repository and index to whatever it runs.
    environment = {name: value for name, value in os.environ.items() if not name.startswith("GIT_")}
    listed = subprocess.run(command, cwd=root, env=environment, check=True, capture_output=True)
    return sorted({name for name in listed.stdout.decode().split("\0") if name and (root / name).is_file()})


def is_cpp(name: str) -> bool:
    return name.endswith((".h", ".cpp"))


def is_script(root: Path, name: str) -> bool:
    """A shell script: named so, or opening with a bash or sh shebang."""
    if name.endswith(".sh"):
        return True
    if "." in Path(name).name:
        return False
    with (root / name).open("rb") as file:
        first = file.readline()
    return first.startswith(b"#!") and first.rstrip().endswith((b"bash", b"/sh"))


def finish(looked_at: int, violations: list[str]) -> None:
    """Prints the violations and exits: 1 where there are any, 2 where the lint found nothing to look at."""
    print("\n".join(violations))
    print(f"{looked_at} files, {len(violations)} violations")
    sys.exit(2 if looked_at == 0 else 1 if violations else 0)
