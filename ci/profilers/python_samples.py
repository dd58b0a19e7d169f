"""What `py-spy record --format raw` writes, read: folded stacks of `function (file:line)`, outermost first, and how
many samples each had. Counted by the innermost line; not those of imports, whose part of the wall clock is another than
their part of the CPU's.
"""

import re
from collections import Counter
from collections.abc import Iterable
from pathlib import PurePath

FRAME = re.compile(r"^(.*) \((.*?)(?::(\d+))?\)$")

IMPORTING = "_find_and_load"  # on every stack of an import

Line = tuple[str, str, int]  # function, file's name, line


def line_of(text: str) -> Line | None:
    """Of one frame; None for what is no Python frame: a thread's or process's own."""
    found = FRAME.match(text)
    if found is None or text.startswith(("process ", "thread ")):
        return None
    return last_name(found[1]), PurePath(found[2]).name, int(found[3] or 0)


def last_name(qualified: str) -> str:
    """`A.f.<locals>.g` is `g`: py-spy tells names without what they are in."""
    return qualified.rsplit(".", 1)[-1]


def innermost_lines(folded: Iterable[str]) -> Counter[Line]:
    """Samples by the innermost Python line."""
    counts: Counter[Line] = Counter()
    for text in folded:
        stack, _, count = text.rstrip("\n").rpartition(" ")
        if not count.isdigit():
            continue
        lines = [line for frame in stack.split(";") if (line := line_of(frame))]
        if lines and all(function != IMPORTING for function, _, _ in lines):
            counts[lines[-1]] += int(count)
    return counts
