"""load.py KIND CPU: keeps one CPU busy until its parent ends it or is gone; imported, starts and ends that process.

KIND is `arithmetic` (the core's own units, nothing in memory) or `memory` (copies far larger than any cache).
"""

import contextlib
import os
import subprocess
import sys
import time
from collections.abc import Callable, Iterator

COPIED_BYTES = 256 << 20  # larger than the last-level caches of servers
LOOK_S = 0.05  # how often it looks whether its parent is still there
READY = "busy"


@contextlib.contextmanager
def busy(kind: str, cpu: int | None) -> Iterator[None]:
    """Another CPU busy within. Errors: RuntimeError where there is none, or the process does not start."""
    if kind == "none":
        yield
        return
    if cpu is None:
        raise RuntimeError(f"load '{kind}' needs a second CPU, this machine allows one")
    command = [sys.executable, __file__, kind, str(cpu)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
        try:
            assert process.stdout is not None
            if process.stdout.readline().strip() != READY:
                raise RuntimeError(f"the load '{kind}' on CPU {cpu} did not start")
            yield
            if process.poll() is not None:
                raise RuntimeError(f"the load '{kind}' on CPU {cpu} ended before the measurement did")
        finally:
            process.kill()


def other_cpu(cpu: int) -> int | None:
    """An allowed CPU besides this one."""
    others = os.sched_getaffinity(0) - {cpu}
    return max(others) if others else None


def arithmetic() -> None:
    value = 1
    for _ in range(100_000):
        value = (value * 1103515245 + 12345) & 0x7FFFFFFF


def copier() -> Callable[[], None]:
    source, target = memoryview(bytearray(COPIED_BYTES)), memoryview(bytearray(COPIED_BYTES))

    def copy() -> None:
        target[:] = source  # one memmove

    return copy


def main(kind: str, cpu: int) -> None:
    os.sched_setaffinity(0, {cpu})
    parent = os.getppid()
    work = {"arithmetic": lambda: arithmetic, "memory": copier}[kind]()
    print(READY, flush=True)
    while os.getppid() == parent:
        until = time.monotonic() + LOOK_S
        while time.monotonic() < until:
            work()


if __name__ == "__main__":
    main(sys.argv[1], int(sys.argv[2]))
