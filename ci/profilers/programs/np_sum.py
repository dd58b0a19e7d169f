# np.sum of a small and of a large array: Python code of NumPy's own above its reduction. Argument: seconds of CPU
# time, asked for a few times a second.
import sys
import time

import numpy as np

small = np.ones(8)
large = np.ones(20_000)


def total_of_small():
    for _ in range(200):
        np.sum(small)


def total_of_large():
    for _ in range(40):
        np.sum(large)


end = float(sys.argv[1])
while time.thread_time() < end:
    for _ in range(250):
        total_of_small()
        total_of_large()
