"""The lines of all headers that the compilations of a build read: what a build costs, before anything is measured.

Fails where they are more than ci/header_lines.txt allows, or so many fewer that the number is out of date.
header_lines.py BUILD_FOLDER
"""

import subprocess
import sys
from pathlib import Path

import tree

ALLOWED = tree.ROOT / "ci" / "header_lines.txt"
SHARE = 0.03  # that a change may add or take away without saying so
SKIPPED = 77  # what CTest takes for a skipped test


def read_dependencies(text: str) -> dict[str, list[str]]:
    """Of the output of `ninja -t deps`: the files that each object was made of."""
    objects: dict[str, list[str]] = {}
    current: list[str] = []
    for line in text.splitlines():
        if line.startswith("    "):
            current.append(line.strip())
        elif ": #deps" in line:
            current = objects.setdefault(line.split(": #deps")[0], [])
    return objects


def count_lines(dependencies: dict[str, list[str]], build: Path) -> int:
    known: dict[str, int] = {}
    for file in {file for files in dependencies.values() for file in files}:
        known[file] = (build / file).read_bytes().count(b"\n")
    return sum(known[file] for files in dependencies.values() for file in files)


def read_allowed(text: str) -> int:
    return int(next(line for line in text.splitlines() if line and not line.startswith("#")).replace("_", ""))


def verdict(lines: int, allowed: int) -> str | None:
    """What is wrong with so many lines, if anything."""
    if abs(lines - allowed) <= SHARE * allowed:
        return None
    more = "more" if lines > allowed else "fewer"
    advice = (
        "include less (a forward declaration, another header), or write the new number there and say why"
        if lines > allowed
        else "write the new number there, so that it stays"
    )
    return (
        f"{lines:,} lines, {abs(lines / allowed - 1):.0%} {more} than the {allowed:,} of ci/header_lines.txt: {advice}"
    )


def objects_of(build: Path) -> list[str]:
    """What `ninja all` compiles."""
    listed = subprocess.run(
        ["ninja", "-C", str(build), "-t", "inputs", "all"], check=True, capture_output=True, text=True
    )
    return [name for name in listed.stdout.split("\n") if name.endswith(".o")]


def main() -> int:
    build = Path(sys.argv[1])
    listed = subprocess.run(["ninja", "-C", str(build), "-t", "deps"], check=True, capture_output=True, text=True)
    read = read_dependencies(listed.stdout)
    wanted = objects_of(build)
    missing = [name for name in wanted if name not in read]
    if missing:
        print(f"skipped: {len(missing)} of {len(wanted)} objects are not built, such as {missing[0]}: run ci/test")
        return SKIPPED
    problem = verdict(count_lines({name: read[name] for name in wanted}, build), read_allowed(ALLOWED.read_text()))
    print(problem or f"{len(wanted)} compilations read as many lines as they may")
    return 1 if problem else 0


if __name__ == "__main__":
    sys.exit(main())
