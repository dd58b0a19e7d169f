"""Where functions begin in an ELF file, by its unwind information, and how offsets in the file become its addresses: by
binutils' readelf, which shares no code with bench. For functions that perf cannot name.
"""

import bisect
import re
import subprocess
from dataclasses import dataclass, field

FDE = re.compile(r"^[0-9a-f]+ [0-9a-f]+ [0-9a-f]+ FDE .*pc=([0-9a-f]+)\.\.([0-9a-f]+)", re.M)
LOAD = re.compile(r"^\s+LOAD\s+(0x[0-9a-f]+)\s+(0x[0-9a-f]+)\s+0x[0-9a-f]+\s+(0x[0-9a-f]+)", re.M)


@dataclass
class ElfFunctions:
    """Of one file. Addresses are those of the ELF file."""

    loads: list[tuple[int, int, int]] = field(default_factory=list)  # offset, address, size of each segment
    ranges: list[tuple[int, int]] = field(default_factory=list)  # start, past the end; by start

    def address_of(self, offset: int) -> int:
        for start, address, size in self.loads:
            if start <= offset < start + size:
                return offset - start + address
        return offset

    def start_of(self, address: int) -> int:
        """Of the function that holds the address; the address itself where none does."""
        at = bisect.bisect_right(self.ranges, (address, 1 << 64)) - 1
        return self.ranges[at][0] if at >= 0 and address < self.ranges[at][1] else address


def parse(segments: str, frames: str) -> ElfFunctions:
    loads = [(int(o, 16), int(a, 16), int(s, 16)) for o, a, s in LOAD.findall(segments)]
    return ElfFunctions(loads, sorted((int(s, 16), int(e, 16)) for s, e in FDE.findall(frames)))


def read(path: str) -> ElfFunctions:
    """Nothing is known of what is no file, such as [vdso]."""

    def said(*arguments: str) -> str:
        command = ["readelf", "--wide", *arguments, path]
        return subprocess.run(command, capture_output=True, text=True, errors="replace", check=False).stdout

    if not path.startswith("/"):
        return ElfFunctions()
    return parse(said("--program-headers"), said("--debug-dump=frames"))
