"""Commands that documents for users show in ```sh blocks, against ci/readme_commands.txt, which says who executes each.
readme.py check: both name the same commands. readme.py run WHO: executes those of that executor, each to exit status 0.
"""

import os
import re
import subprocess
import sys
import tempfile
from pathlib import Path

import tree

EXECUTORS = {"quick", "full", "fresh", "itself"}  # explained in ci/readme_commands.txt
TIME_LIMIT_S = 400
README_LINES = 150


def is_document(name: str) -> bool:
    """A README of any folder, or a page of the manual."""
    return name.rpartition("/")[2] == "README.md" or (name.startswith("harness/docs/") and name.endswith(".md"))


def dead_links(name: str, text: str) -> list[str]:
    """Relative targets of Markdown links that lead to nothing."""
    folder = (tree.ROOT / name).parent
    targets = [target.partition("#")[0] for target in re.findall(r"\]\(([^)\s]+)\)", text)]
    return [target for target in targets if target and "://" not in target and not (folder / target).exists()]


def shown_commands(text: str) -> list[str]:
    """The commands of a Markdown text's ```sh blocks, continued lines joined, comments and blank lines left out."""
    commands, inside, pending = [], False, ""
    for line in text.splitlines():
        if line.startswith("```"):
            inside = line.strip() == "```sh"
            continue
        if not inside or (not pending and (not line.strip() or line.lstrip().startswith("#"))):
            continue
        pending += line.strip()
        if pending.endswith("\\"):
            pending = pending[:-1].rstrip() + " "
            continue
        commands.append(pending.removeprefix("$ "))
        pending = ""
    return commands


def listed_commands(text: str) -> list[tuple[str, str]]:
    """(executor, command) of each line of readme_commands.txt."""
    lines = [line for line in text.splitlines() if line and not line.startswith("#")]
    return [(line.partition(" ")[0], line.partition(" ")[2].strip()) for line in lines]


def violations(shown: dict[str, list[str]], listed: list[tuple[str, str]]) -> list[str]:
    """Commands in one place only, or with an executor that does not exist. shown: commands by file."""
    known = {command for _, command in listed}
    everything = {command for commands in shown.values() for command in commands}
    found = [
        f"{name}: nothing executes '{command}': add it to ci/readme_commands.txt"
        for name, commands in shown.items()
        for command in commands
        if command not in known
    ]
    found += [
        f"readme_commands.txt: no document shows '{command}'" for _, command in listed if command not in everything
    ]
    found += [f"readme_commands.txt: no executor '{who}': {command}" for who, command in listed if who not in EXECUTORS]
    return found


def run(commands: list[str], root: Path) -> list[str]:
    """Executes the commands in a shell at the root, records going to a store of their own; one line per failure."""
    failed = []
    with tempfile.TemporaryDirectory() as store:
        for command in commands:
            print(f"$ {command}", flush=True)
            environment = {**os.environ, "TARE_STORE": store}
            try:
                status = subprocess.run(
                    ["bash", "-c", command], cwd=root, env=environment, timeout=TIME_LIMIT_S, stdin=subprocess.DEVNULL
                ).returncode
            except subprocess.TimeoutExpired:
                failed.append(f"'{command}' took more than {TIME_LIMIT_S} s")
                continue
            if status != 0:
                failed.append(f"'{command}' exited {status}")
    return failed


def main(mode: str, executor: str = "") -> None:
    listed = listed_commands((tree.ROOT / "ci" / "readme_commands.txt").read_text())
    if mode == "run":
        commands = [command for who, command in listed if who == executor]
        tree.finish(len(commands), run(commands, tree.ROOT))
    documents = {name: (tree.ROOT / name).read_text() for name in tree.files() if is_document(name)}
    problems = violations({name: shown_commands(text) for name, text in documents.items()}, listed)
    if (lines := documents["README.md"].count("\n")) > README_LINES:
        problems.append(f"README.md: {lines} lines, more than {README_LINES}: the manual is in harness/docs")
    problems += [f"{name}: no such file: {link}" for name, text in documents.items() for link in dead_links(name, text)]
    tree.finish(len(documents), problems)


if __name__ == "__main__":
    main(*sys.argv[1:])
