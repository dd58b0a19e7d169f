"""Every source file opens with one to five comment lines that say what it owns, and stays within 400 lines."""

from pathlib import Path

import tree

MAX_LINES = 400  # past it, a second noun has moved in
MAX_OPENING_LINES = 5


def is_source(root: Path, name: str) -> bool:
    return tree.is_cpp(name) or name.endswith(".py") or tree.is_script(root, name)


def docstring_length(lines: list[str]) -> int:
    """Lines of the docstring's first paragraph, 0 where it says nothing."""
    quote = lines[0].lstrip("r")[:3]
    if lines[0].count(quote) >= 2:
        return 1 if lines[0].strip("r\"' ") else 0
    end = next((i for i, line in enumerate(lines[1:], 1) if not line.strip() or quote in line), len(lines))
    closes_with_text = end < len(lines) and lines[end].strip("\"' ") != ""
    return end + closes_with_text - (1 if lines[0].strip("r\"' ") == "" else 0)


def opening_length(name: str, text: str) -> int:
    """How many lines of comment the file opens with, after a shebang and shellcheck's directive."""
    lines = text.splitlines()
    while lines and (lines[0].startswith("#!") or lines[0].startswith("# shellcheck ")):
        lines.pop(0)
    if name.endswith(".py") and lines and lines[0].lstrip("r").startswith(('"""', "'''")):
        return docstring_length(lines)
    mark = "//" if tree.is_cpp(name) else "#"
    comment = [line.startswith(mark) and not line.startswith("#include") for line in lines] + [False]
    return comment.index(False)


def violations(root: Path, names: list[str]) -> list[str]:
    """One line per violation: file:line: what."""
    found = []
    for name in names:
        if not is_source(root, name):
            continue
        text = (root / name).read_text()
        opening, length = opening_length(name, text), text.count("\n")
        if not 1 <= opening <= MAX_OPENING_LINES:
            found.append(f"{name}:1: opens with {opening} comment lines; wanted 1 to {MAX_OPENING_LINES}")
        if length > MAX_LINES:
            found.append(f"{name}:{length}: {length} lines; at most {MAX_LINES}")
    return found


if __name__ == "__main__":
    tracked = tree.files()
    tree.finish(sum(is_source(tree.ROOT, name) for name in tracked), violations(tree.ROOT, tracked))
