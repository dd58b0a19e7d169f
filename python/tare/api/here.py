# Measuring in this process, for what no other can have: the same loops as in a worker, timed by Python's clock. One
# process says nothing of others, so its intervals hold for itself alone, and its record says where it was made.
from __future__ import annotations

import gc
import json
import math
import os
import platform
import random
import socket
import sys
import time
import types
from collections.abc import Callable, Mapping
from datetime import datetime, timezone
from statistics import median
from typing import Any

from tare import facts, placement
from tare.api.program import Error
from tare.statement import Statement

HOST = "calling process"
BATCH_NS = 200_000
PLACEMENTS = 24
FEWEST_PLACEMENTS = 3
VISIT_NS = 200_000_000
COPIES, FEW_COPIES = 8, 2  # of the statement in a pass: what two loops differ by is the statement's alone
SLOW_NS = 20_000  # beyond, a pass holds it once: a loop costs nothing beside it
_STAY_GLOBAL = (types.ModuleType, types.FunctionType, types.BuiltinFunctionType, type)

Names = dict[str, Any]
Loop = Callable[[int], Any]  # executes that many passes


class Visit:
    """One case: a batch of each loop at every placement. `visit_ns`: about what it may take; `most`: batches."""

    def __init__(
        self,
        statement: Statement,
        operands: Names,
        module_globals: Names,
        seed: int,
        visit_ns: float = VISIT_NS,
        most: float = PLACEMENTS,
    ):
        self.statement = statement
        self.operands = operands
        self.module_globals = module_globals
        self.random = random.Random(seed)
        started_s = time.time()
        once = self._calibrated()
        self.copies = 1 if once > SLOW_NS else COPIES
        self.passes = max(1, round(BATCH_NS / max(once, 1) / self.copies))
        batch_ns = max(BATCH_NS, once)
        placements = int(min(most, max(FEWEST_PLACEMENTS, visit_ns / batch_ns / 2)))
        whole: list[float] = []  # ns of a pass
        shorter: list[float] = []
        for number in range(placements):
            loops = [(whole, self._loop(self.copies)), (shorter, self._loop(FEW_COPIES if self.copies > 1 else 0))]
            for times, loop in loops if number % 2 else reversed(loops):
                times.append(self._timed(loop, self.passes))
        self.floor_ns = self._floor(whole, shorter)
        self.samples_ns = [(each - self.floor_ns) / self.copies for each in whole]
        self.wall_s = time.time() - started_s

    def _calibrated(self) -> float:
        """About what an execution takes, after a warm-up."""
        passes = 1
        while True:
            took = self._timed(self._loop(1), passes)
            if took * passes > BATCH_NS / 4:
                return took
            passes *= 4

    def _loop(self, copies: int) -> Loop:
        made = self.statement
        inner = (
            made.loop(self.operands, self.module_globals, copies)
            if copies
            else made.floor(self.operands, self.module_globals)
        )
        dummies = self.random.randrange(placement.MAX_DUMMY_LOCALS)
        return placement.trampoline(dummies, inner, tuple(self.operands.values()))

    def _timed(self, loop: Loop, passes: int) -> float:
        """ns of a pass."""
        junk = placement.make_junk(self.random)
        loop(max(1, passes // 4))  # caches and predictors learn, and CPython specialises
        begin = time.perf_counter_ns()
        loop(passes)
        end = time.perf_counter_ns()
        del junk
        return (end - begin) / passes

    def _floor(self, whole: list[float], shorter: list[float]) -> float:
        """What a pass takes without statements: of the line through both loops, or of the empty one."""
        if self.copies == 1:
            return median(shorter)
        slopes = [(all_ns - few_ns) / (COPIES - FEW_COPIES) for all_ns, few_ns in zip(whole, shorter)]
        return median(few_ns - FEW_COPIES * slope for few_ns, slope in zip(shorter, slopes))


def median_interval(values: list[float]) -> tuple[float, float]:
    """95 % for the median of independent values, whatever their distribution: the order statistics that it lies outside
    of with probability 0.05 at most (binomial). Fewer than 6 values cannot say that much: then the whole range.

    Conover, Practical Nonparametric Statistics, 3rd ed., 3.2.
    """
    ordered = sorted(values)
    count = len(ordered)
    outside, rank = 1, 0  # of 2^count ways to lie on either side, those with at most `rank` below
    while 2 * outside <= 0.05 * 2**count and rank < count // 2:
        rank += 1
        outside += math.comb(count, rank)
    rank = max(1, rank)
    return ordered[rank - 1], ordered[count - rank]


class Record:
    """The record of what was measured in this process, case by case; `text()` is as `bench run` writes it."""

    def __init__(self, seed: int | None = None, setup: str = ""):
        drawn = random.SystemRandom().getrandbits(63) if seed is None else seed
        self.lot = random.Random(drawn)
        self.document = _document(drawn, setup)

    def measure(self, name: str, what: Any, scope: Names, **limits: float) -> dict[str, Any] | None:
        """Adds a case, with what raises as its failure, and returns its summary; `limits` are those of Visit.

        Errors: Error for what is no statement, or uses a name that `scope` lacks.
        """
        collects = gc.isenabled()
        gc.collect()
        gc.disable()  # as in a worker: a collection is charged to whoever happens to cause it
        try:
            visit = _visit(what, scope, self.lot.getrandbits(63), **limits)
        except Error:
            raise
        except Exception as error:  # whatever the statement raises
            self.fail(name, f"{type(error).__name__}: {error}".strip(": "))
            return None
        finally:
            if collects:
                gc.enable()
        return self.add(name, visit.copies, visit.passes * visit.copies, visit.floor_ns, visit.samples_ns, visit.wall_s)

    def add(
        self, name: str, copies: int, n: int, floor_ns: float, samples_ns: list[float], wall_s: float
    ) -> dict[str, Any]:
        """A case of batches of n executions, in passes of `copies`; `floor_ns` of a pass is taken off already."""
        _add(self.document, name, copies, n, floor_ns, samples_ns, wall_s)
        return self.document["tare"]["cases"][-1]

    def fail(self, name: str, what: str) -> None:
        error = {"code": "case_failed", "what": what, "hint": ""}
        self.document["tare"]["failed_cases"].append({"case": name, "rounds": [0], "error": error})

    def text(self) -> str:
        tare = self.document["context"]["tare"]
        tare["duration_s"] = time.time() - tare["started_s"]
        return json.dumps(self.document, indent=1)


def measured(cases: Mapping[str, Any], setup: str, values: Mapping[str, Any] | None, seed: int | None = None) -> str:
    """The record of statements and callables, by name. What fails is in it, too, as in a run by workers.

    Errors: Error for a name that nothing gives, or a set-up that fails; whatever else a value's code raises goes
    into the record.
    """
    scope: Names = {"__name__": "tare_here"}
    if "numpy" in sys.modules:
        scope["np"] = sys.modules["numpy"]
    scope.update(values or {})
    try:
        exec(compile(setup, "<setup>", "exec"), scope)
    except Exception as error:
        raise Error(f"the set-up failed: {type(error).__name__}: {error}") from error
    record = Record(seed, setup)
    for name, what in cases.items():
        record.measure(name, what, scope)
    return record.text()


def _visit(what: Any, scope: Names, seed: int, **limits: float) -> Visit:
    if callable(what):
        scope = {**scope, "function": what}
        what = "function()"
    if not isinstance(what, str):
        raise Error(f"{what!r} is neither a statement, as a text, nor a callable without arguments")
    try:
        statement = Statement(what)
    except SyntaxError as error:
        raise Error(f"{what!r} is no statement: {error.msg}") from None
    if statement.is_nothing():
        raise Error(f"CPython compiles {what!r} to no instruction at all: give its operands names in the set-up")
    unknown = statement.unknown_names({}, scope)
    if unknown:
        raise Error(f"{', '.join(unknown)}: neither `setup` nor `values` gives it")
    used = statement.free_names()
    operands = {n: v for n, v in scope.items() if n in used and not isinstance(v, _STAY_GLOBAL)}
    return Visit(statement, operands, {n: v for n, v in scope.items() if n not in operands}, seed, **limits)


def _document(seed: int, setup: str) -> dict[str, Any]:
    own = facts.facts() if "numpy" in sys.modules else {"python": facts.python_facts(), "numpy": None, "packages": {}}
    now = time.time()
    date = datetime.fromtimestamp(now, timezone.utc).isoformat(timespec="seconds")
    context = {
        "date": date,
        "host_name": socket.gethostname(),
        "executable": sys.executable or "",
        "num_cpus": os.cpu_count() or 1,
        "load_avg": list(os.getloadavg()),
        "library_build_type": "release",
        "json_schema_version": 1,
    }
    tare = {
        "date": date,
        "started_s": now,
        "host": HOST,
        "host_name": context["host_name"],
        "executable": context["executable"],
        "num_cpus": context["num_cpus"],
        "architecture": platform.machine(),
        "kernel_release": platform.release(),
        "process": os.getpid(),
        "environment": {},
        **own,
    }
    settings = {"rounds": 1, "seed": str(seed), "setup": setup, "unroll": 0, "threads": 1, "suites": []}
    return {
        "context": {**context, "tare": tare},
        "benchmarks": [],
        "tare": {
            "format_version": 1,
            "interrupted": False,
            "recovered": False,
            "settings": settings,
            "problems": [],
            "cases": [],
            "size_fits": [],
            "failed_cases": [],
        },
    }


_NO_OTHER_RUNG = "the calling process measures the statement alone"


def _add(
    document: dict[str, Any],
    name: str,
    copies: int,
    n: int,
    floor_ns: float,
    samples_ns: list[float],
    wall_s: float,
) -> None:
    value = median(samples_ns)
    low, high = median_interval(samples_ns)
    order = len(document["benchmarks"])
    document["benchmarks"].append(
        {
            "name": f"{name}/python",
            "run_name": f"{name}/python",
            "run_type": "iteration",
            "repetitions": 1,
            "repetition_index": 0,
            "threads": 1,
            "iterations": n * len(samples_ns),
            "real_time": value,
            "cpu_time": value,
            "time_unit": "ns",
            "tare": {
                "rung": "python",
                "round": 0,
                "process": 0,
                "unroll": copies,
                "floor_ns": floor_ns,
                "n": n,
                "samples_ns": [float(f"{sample:.5g}") for sample in samples_ns],
                "visit": {"order": order, "seed": 0, "started_s": time.time() - wall_s, "wall_s": wall_s},
            },
        }
    )
    others = ("net_ns", "tare_ns", "tare_share_ratio", "call_ns", "cpp_ns", "scalar_ratio")
    document["tare"]["cases"].append(
        {
            "case": name,
            "operation": name,
            "parameters": {},
            "processes": 1,
            "interval_basis": "within one process",
            "net_exceeds_gross": False,
            "gross_ns": value,
            "gross_low_ns": low,
            "gross_high_ns": high,
            "gross_smallest_ns": min(samples_ns),
            "floor_ns": floor_ns,
            **dict.fromkeys(others),
            "reasons": dict.fromkeys(others, _NO_OTHER_RUNG),
        }
    )
