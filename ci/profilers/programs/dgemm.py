# 128 x 128 in double precision: with OpenBLAS's Haswell kernels nearly all time lies in a function without unwind
# information that moves the stack pointer by 29 KB. Argument: seconds of CPU time, asked for a few times a second.
import sys
import time

import numpy as np

a = np.ones((128, 128))
b = a.copy()


def multiply(until):
    while time.thread_time() < until:
        for _ in range(1500):
            a @ b


multiply(float(sys.argv[1]))
