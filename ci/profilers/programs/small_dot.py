# A 4 x 4 product with its own transpose: time is spread over the whole way from bytecode to the kernel of ssyrk.
# Argument: seconds of CPU time, asked for a few times a second.
import sys
import time

import numpy as np

C = np.ones((4, 4), np.float32)


def loop(until):
    while time.thread_time() < until:
        for _ in range(250_000):
            np.dot(C, C.T)


loop(float(sys.argv[1]))
