# Sorting, concatenating, indexing and a comprehension over arrays: templates of NumPy, memory moved by the C library.
# Argument: seconds of CPU time, asked for a few times a second.
import sys
import time

import numpy as np

rng = np.random.default_rng(1)
values = rng.random(20_000)
integers = rng.integers(0, 1000, 20_000)


def sort_both():
    np.sort(values)
    np.argsort(integers, kind="stable")


def join():
    return np.concatenate([values] * 8)


def pick():
    return values[integers].cumsum()


def lengths():
    return [len(str(i)) for i in range(3000)]


end = float(sys.argv[1])
while time.thread_time() < end:
    for _ in range(70):
        sort_both()
        join()
        pick()
        lengths()
