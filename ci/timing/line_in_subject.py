"""Runs in the subject: the time of a pass of u = 1, 2, 4, 8 copies of a statement, and of the empty loop, in the very
loops that tare generates (package `tare`, its placements redrawn), but timed here, with Python's own clock.
Arguments: one JSON map {"package", "statement", "setup", "cpu", "placements"}.
Answer on stdout: {"floor": [ns of a pass at each placement], "1": [...], "2": [...], "4": [...], "8": [...]}.
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
    pass_ns = {}
    for placement in range(order["placements"]):
        prepared = {copies: _session.prepare(case, random.getrandbits(62), copies) for copies in COPIES}
        loops = {str(copies): one.batch for copies, one in prepared.items()} | {"floor": prepared[1].floor}
        for name, loop in loops.items():
            for _ in range(WARM_UP_PASSES):
                loop(1)
            if name not in passes:
                passes[name] = passes_of_a_batch(loop)
        # as tare orders its rungs: forwards, backwards, and another one first
        shift = placement // 2 % len(loops)
        names = [*loops][shift:] + [*loops][:shift]
        for name in names if placement % 2 == 0 else reversed(names):
            loops[name](max(1, passes[name] // 4))
            pass_ns.setdefault(name, []).append(timed(loops[name], passes[name]) / passes[name])
    print(json.dumps(pass_ns))


main()
