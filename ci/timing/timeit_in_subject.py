"""Runs in the subject: a statement's time by the standard library's timeit, unrolled, and that of an empty loop.
Arguments: one JSON map {"statement", "setup", "cpu", "placements", "copies"}.
Answer on stdout: {"statement": [[ns of one execution, ns of an empty pass] at each placement]}.

What timeit.Timer measures, from its template (Lib/timeit.py): `def inner(_it, _timer)` runs the set-up, reads the
clock, runs `for _i in _it: STATEMENT`, reads the clock. So names bound by the set-up are fast locals, as in tare's
loop; names given by `globals=` would be looked up in a dictionary, which is another statement. The collector is off.
Not subtracted: a pass of the for loop (about 5 ns), here spread over `copies` executions, and two readings of the clock
(about 100 ns) a batch. The empty loop is timed by hand: in timeit's, `pass` stands on a line of its own, where CPython
leaves an instruction (NOP) for debuggers, and costs a fifth more.
"""

import itertools
import json
import os
import sys
import time
import timeit

BATCH_S = 200e-6  # as tare's own batches
WARM_UP_PASSES = 20  # every copy is an instruction of its own, which CPython 3.11 specialises within 16 executions
EMPTY = "def empty(passes):\n    for _ in passes: pass\n"


def empty_loop():
    """A fresh one, as a function of the number of passes that returns seconds."""
    made = {}
    exec(compile(EMPTY, "<empty>", "exec"), made)

    def timed_s(passes):
        before_s = time.perf_counter()
        made["empty"](itertools.repeat(None, passes))
        return time.perf_counter() - before_s

    return timed_s


def time_ns(timed_s):
    """Of one pass."""
    for _ in range(WARM_UP_PASSES):
        timed_s(1)
    passes = 1
    while (took_s := timed_s(passes)) < BATCH_S / 4:
        passes *= 2
    passes = max(1, round(passes * BATCH_S / took_s))
    timed_s(max(1, passes // 4))
    return timed_s(passes) * 1e9 / passes


def main():
    order = json.loads(sys.argv[1])
    os.sched_setaffinity(0, {order["cpu"]})
    copies = order["copies"]
    statement = "\n".join([order["statement"]] * copies)
    pairs = []
    for placement in range(order["placements"]):
        timer = timeit.Timer(statement, order["setup"])  # compiled anew, operands made anew
        ways = {"statement": timer.timeit, "floor": empty_loop()}
        pass_ns = {name: time_ns(ways[name]) for name in (ways if placement % 2 == 0 else reversed(ways))}
        pairs.append([pass_ns["statement"] / copies, pass_ns["floor"]])
    print(json.dumps({"statement": pairs}))


main()
