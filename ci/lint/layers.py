"""Include lines against layers.toml: who may include whom, and the one place that includes each library."""

import re
from pathlib import Path
from typing import Any

import tomllib
import tree

INCLUDE = re.compile(r'^\s*#\s*include\s*([<"])([^">]+)[">]')
NOT_CODE = re.compile(r'//.*|"(?:[^"\\]|\\.)*"')


def load_rules() -> dict[str, dict[str, Any]]:
    return tomllib.loads(Path(__file__).with_name("layers.toml").read_text())


def is_within(name: str, places: list[str]) -> bool:
    return any(name == place or name.startswith(place + "/") for place in places)


def folder_of(name: str, folders: dict[str, Any]) -> str | None:
    """The deepest folder of the table that holds the file."""
    return max((folder for folder in folders if name.startswith(folder + "/")), key=len, default=None)


def include_violation(name: str, quote: str, included: str, rules: dict[str, dict[str, Any]], root: Path) -> str | None:
    """What is wrong with this include, if anything."""
    folders = rules["may_include"]
    for pattern, places in rules["sole_includer"].items():
        if re.match(pattern, included):
            return None if is_within(name, places) else f"<{included}> belongs to {', '.join(places)} alone"
    if quote == "<":
        return f"<{included}> is ours: include it in quotes" if folder_of(included, folders) else None
    if not (root / included).is_file():
        return f'"{included}" is not a path from the root of the repository'
    if included in rules["private"] and not is_within(name, rules["private"][included]):
        return f'"{included}" is for {", ".join(rules["private"][included])} alone'
    source, target = folder_of(name, folders), folder_of(included, folders)
    if target is None:
        return f'"{included}" is in no folder of layers.toml'
    if source is None or source == target or is_within(included, folders[source]):
        return None
    return f"{source} may not include {target}: it may include {', '.join(folders[source]) or 'only itself'}"


def violations(root: Path, names: list[str], rules: dict[str, dict[str, Any]]) -> list[str]:
    """One line per violation: file:line: what."""
    found = []
    for name in filter(tree.is_cpp, names):
        if folder_of(name, rules["may_include"]) is None:
            found.append(f"{name}:1: C++ outside the folders of layers.toml")
            continue
        for number, line in enumerate((root / name).read_text().splitlines(), 1):
            if match := INCLUDE.match(line):
                problem = include_violation(name, match[1], match[2], rules, root)
                if problem:
                    found.append(f"{name}:{number}: {problem}")
                continue
            code = NOT_CODE.sub("", line)
            for pattern, places in rules["sole_caller"].items():
                if re.search(pattern, code) and not is_within(name, places):
                    found.append(f"{name}:{number}: '{code.strip()}' belongs to {', '.join(places)} alone")
    return found


if __name__ == "__main__":
    tracked = tree.files()
    tree.finish(sum(map(tree.is_cpp, tracked)), violations(tree.ROOT, tracked, load_rules()))
