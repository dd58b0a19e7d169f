"""What `perf script` prints, read: samples with their frames, innermost first, and how far each stack goes. perf gives
addresses as offsets into the file (pgoff added), the kernel's as they are.
"""

import re
from collections.abc import Iterable
from dataclasses import dataclass

KERNEL = "[kernel]"
# "    fdb09 PyDict_SetDefault+0x179 (/usr/bin/python3.11)"; a name may hold blanks and brackets (C++)
FRAME = re.compile(r"^\s+([0-9a-f]+) (.+) \((.*)\)$")
OFFSET = re.compile(r"\+0x([0-9a-f]+)$")
UNKNOWN = "[unknown]"
ENTRIES = ("_start", "__libc_start_main", "clone", "clone3", "start_thread")


@dataclass(frozen=True)
class Frame:
    """One frame as perf names it. `symbol` is empty where it knows none; `start` is then the address itself."""

    address: int
    symbol: str
    start: int
    file: str

    @property
    def in_kernel(self) -> bool:
        return self.file.startswith("[kernel") or (self.file.startswith("[") and self.address >= 1 << 63)


@dataclass(frozen=True)
class Sample:
    frames: tuple[Frame, ...]

    @property
    def reaches_the_entry(self) -> bool:
        return bool(self.frames) and self.frames[-1].symbol.startswith(ENTRIES)


def frame_of(line: str) -> Frame | None:
    found = FRAME.match(line.replace(" (deleted))", ")"))
    if found is None:
        return None
    address = int(found[1], 16)
    if found[2] == UNKNOWN:
        return Frame(address, "", address, found[3])
    offset = OFFSET.search(found[2])
    return Frame(address, OFFSET.sub("", found[2]), address - int(offset[1], 16) if offset else address, found[3])


def samples_of(lines: Iterable[str]) -> list[Sample]:
    """Of `perf script -F tid,ip,sym,symoff,dso --no-inline`: a head line, its frames, an empty line."""
    samples: list[Sample] = []
    frames: list[Frame] = []
    is_open = False
    for raw in lines:
        line = raw.rstrip("\n")
        if line and not line[0].isspace() or re.fullmatch(r"\s*\d+\s*", line):
            is_open, frames = True, []
        elif is_open and not line.strip():
            samples.append(Sample(tuple(frames)))
            is_open = False
        elif is_open and (frame := frame_of(line)):
            frames.append(frame)
    if is_open:
        samples.append(Sample(tuple(frames)))
    return [sample for sample in samples if sample.frames]


# Clone suffixes of compilers, and the symbol versions that perf appends.
CLONE = re.compile(
    r"(\.(constprop|isra|part|cold|lto_priv|llvm|localalias|warm|hot)(\.\d+)*)+$|@@?[A-Z][A-Za-z0-9_.]*$"
)


def base_name(symbol: str) -> str:
    """Without versions and clone suffixes, template arguments and argument list."""
    previous = None
    while previous != symbol:
        previous, symbol = symbol, CLONE.sub("", symbol)
    if symbol.endswith("@plt") or not ("<" in symbol or "(" in symbol):
        return symbol
    depth, kept = 0, []
    for character in symbol.replace("(anonymous namespace)", "{anonymous}"):
        if character == "(" and depth == 0:
            break
        depth += (character == "<") - (character == ">")
        if depth == 0 and character != ">":
            kept.append(character)
    return "".join(kept).rsplit(" ", 1)[-1]
