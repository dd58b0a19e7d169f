"""Runs in the subject's interpreter: measures cases of tare's suite as asv, pyperf or Google Benchmark time theirs, and
prints the samples as JSON, seconds an execution. argv[1]: an order, see peers.py. Standard library and NumPy.

All three time a statement by `timeit`, set-up variables as locals: for asv that is kinder than its own way, a method
call of 70 to 270 ns around the statement.
"""

import json
import os
import sys
import time
import timeit

ORDER = json.loads(sys.argv[1])
sys.path.insert(0, ORDER["package"])

from tare.catalogue import Catalogue  # noqa: E402

# asv_runner/benchmarks/time.py: sample_time 0.01 s, warmup_time 0.1 s, at most 10 samples, 5 where there are 2 rounds
ASV_SAMPLE_S, ASV_WARM_UP_S, ASV_SAMPLES = 0.01, 0.1, 5


def timer_of(case):
    """Operands are made in the set-up, as local variables of timeit's function."""
    operands, names = case.make()
    setup = "; ".join(f"{name} = _operands[{name!r}]" for name in operands) or "pass"
    return timeit.Timer(case.statement.text, setup, time.perf_counter, {**names, "_operands": operands})


def executed(number):
    """Side b really executes more where work is injected; its time is divided by `number` all the same."""
    return max(1, round(number * ORDER["executed_ratio"]))


def asv(timer, _):
    """TimeBenchmark.benchmark_timing: calibrates and warms up in one, in every process."""
    number, start = 1, time.perf_counter()
    while True:
        before = time.perf_counter()
        took_s = timer.timeit(number)
        now = time.perf_counter()
        took_s = max(took_s, now - before)
        if took_s >= ASV_SAMPLE_S:
            if now - start >= ASV_WARM_UP_S:
                break
        else:
            number = max(number + 1, int(number * min(10.0, max(1.1, ASV_SAMPLE_S / max(took_s, 1e-9)))))
    return number, [timer.timeit(executed(number)) / number for _ in range(ASV_SAMPLES)], []


def pyperf(timer, number):
    """pyperf/_worker.py: loops double from 1 until a value lasts --min-time; one value to warm up, then the values."""
    if number is None:
        number = 1
        while timer.timeit(number) < ORDER["value_s"]:
            number *= 2
    timer.timeit(executed(number))
    return number, [timer.timeit(executed(number)) / number for _ in range(ORDER["values"])], []


def gbench(timer, number):
    """benchmark_runner.cc: x10 until a tenth of min_time, then for 1.4 min_time; all repetitions in one process."""
    number = 1
    while True:
        before = time.process_time()
        timer.timeit(number)
        took_s = time.process_time() - before
        if took_s >= ORDER["value_s"]:
            break
        factor = 1.4 * ORDER["value_s"] / took_s if took_s > 0.1 * ORDER["value_s"] else 10.0
        number = max(number + 1, int(number * factor))
    wall_s, cpu_s = [], []
    for _ in range(ORDER["values"]):
        before = time.process_time()
        wall_s.append(timer.timeit(executed(number)) / number)
        cpu_s.append((time.process_time() - before) / number)
    return number, wall_s, cpu_s


def main():
    os.sched_setaffinity(0, {ORDER["cpu"]})
    catalogue = Catalogue()
    catalogue.add_folder(ORDER["suite"])
    answer = {}
    for name in ORDER["cases"]:
        measure = {"asv": asv, "pyperf": pyperf, "gbench": gbench}[ORDER["protocol"]]
        number, wall_s, cpu_s = measure(timer_of(catalogue.cases[name]), ORDER["numbers"].get(name))
        answer[name] = {"number": number, "wall_s": wall_s, "cpu_s": cpu_s, "executed_ratio": executed(number) / number}
    print(json.dumps(answer))


main()
