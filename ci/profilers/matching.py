"""Which of bench's functions a sample of perf's lies in: by the file and the address where the function begins, by its
name where the compiler moved a part of it elsewhere, by the file's unwind information where perf knows no name.
"""

from collections import Counter
from collections.abc import Callable
from pathlib import PurePath

import elf_functions
from native_samples import KERNEL, Frame, Sample, base_name
from tare_samples import Native, TareProfile

VDSO: Native = ("[vdso]", 0)
IN_KERNEL: Native = (KERNEL, 0)


class Matcher:
    """Names join the label of a function that bench had no sample of."""

    def __init__(self, ours: TareProfile, read: Callable[[str], elf_functions.ElfFunctions] = elf_functions.read):
        self.names = dict(ours.names)
        self.by_name = {(path, name): (path, address) for (path, address), name in ours.names.items()}
        self.read = read
        self.files: dict[str, elf_functions.ElfFunctions] = {}

    def key_of(self, frame: Frame) -> Native:
        if frame.in_kernel:
            return IN_KERNEL
        if frame.file == VDSO[0]:
            return VDSO
        if frame.file not in self.files:
            self.files[frame.file] = self.read(frame.file)
        elf = self.files[frame.file]
        address = elf.address_of(frame.start)
        name = base_name(frame.symbol)
        key = frame.file, address if name else elf.start_of(address)
        if key in self.names:
            return key
        key = self.by_name.get((frame.file, name), key)
        self.names.setdefault(key, name or f"{PurePath(frame.file).name}+{key[1]:#x}")
        return key

    def count(self, samples: list[Sample]) -> Counter[Native]:
        return Counter(self.key_of(sample.frames[0]) for sample in samples)


def merged_vdso(counts: Counter[Native]) -> Counter[Native]:
    """bench does not name the kernel's own library: its functions are one here."""
    merged: Counter[Native] = Counter()
    for key, count in counts.items():
        merged[VDSO if key[0] == VDSO[0] else key] += count
    return merged


def labels(names: dict[Native, str]) -> dict[Native, str]:
    """A function and, where its name does not say so, its file."""
    told = {
        key: name if name.startswith(PurePath(key[0]).name) else f"{name} ({PurePath(key[0]).name.split('.')[0]})"
        for key, name in names.items()
    }
    return told | {IN_KERNEL: KERNEL, VDSO: VDSO[0]}
