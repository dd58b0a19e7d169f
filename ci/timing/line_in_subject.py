"""Runs in the subject: the time of a pass of u = 1, 2, 4, 8 copies of a statement, and of the empty loop, in the very
loops that tare generates (package `tare`, its placements redrawn), but timed here, with Python's own clock.
Arguments: one JSON map {"package", "statement", "setup", "cpu", "placements"}.
Answer on stdout: {"1": [[ns of a pass, ns of an empty pass] at each placement], "2": [...], "4": [...], "8": [...]}.
"""

import gc
import json
import os
import random
import sys
import time

COPIES = (1, 2, 4, 8)
BATCH_NS = 200_000  # as tare's own batches
WARM_UP_PASSES = 20  # CPython 3.11 specialises within 16


def timed(loop, passes):
    before_ns = time.perf_counter_ns()
    loop(passes)
    return time.perf_counter_ns() - before_ns


def passes_of_a_batch(loop):
    passes = 1
    while (took_ns := timed(loop, passes)) < BATCH_NS / 4:
        passes *= 2
    return max(1, round(passes * BATCH_NS / took_ns))


def main():
    order = json.loads(sys.argv[1])
    os.sched_setaffinity(0, {order["cpu"]})
    sys.path.insert(0, order["package"])
    from tare import _session

    gc.disable()
    loaded = _session.load([], {"statement": order["statement"], "setup": order["setup"]})
    if loaded["problems"]:
        sys.exit(str(loaded["problems"]))
    case = loaded["cases"][0]["name"]
    passes = {}
    answer = {copies: [] for copies in COPIES}
    for placement in range(order["placements"]):
        for copies in COPIES if placement % 2 == 0 else reversed(COPIES):
            # one at a time, as in a worker, where the old placement is dropped once the new one is made
            prepared = _session.prepare(case, random.getrandbits(62), copies)
            loops = {copies: prepared.batch, 0: prepared.floor}
            for name, loop in loops.items():
                for _ in range(WARM_UP_PASSES):
                    loop(1)
                if name not in passes:
                    passes[name] = passes_of_a_batch(loop)
            pass_ns = {}
            for name in loops if placement // 2 % 2 == 0 else reversed(loops):
                loops[name](max(1, passes[name] // 4))
                pass_ns[name] = timed(loops[name], passes[name]) / passes[name]
            answer[copies].append([pass_ns[copies], pass_ns[0]])
    print(json.dumps(answer))


main()
