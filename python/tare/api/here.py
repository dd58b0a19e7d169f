# Measuring in this process, for what no other can have: the same loops as in a worker, timed by Python's clock. One
# process says nothing of others, so its intervals hold for itself alone, and its record says where it was made.
from __future__ import annotations

import builtins
import gc
import json
import math
import os
import platform
import random
import socket
import sys
import time
from collections.abc import Callable, Mapping
from datetime import datetime, timezone
from statistics import median
from typing import Any

from tare import facts, placement
from tare.api.code import names_in, parsed
from tare.api.program import Error
from tare.catalogue import STAYS_GLOBAL
from tare.packages import loaded_packages
from tare.statement import Statement

HOST = "calling process"
BATCH_NS = 200_000
PLACEMENTS = 24
FEWEST_PLACEMENTS = 3
VISIT_NS = 200_000_000
COPIES, FEW_COPIES = 8, 2  # of the statement in a pass: what two loops differ by is the statement's alone
SLOW_NS = 20_000  # beyond, a pass holds it once: a loop costs nothing beside it

Names = dict[str, Any]
Loop = Callable[[int], Any]  # executes that many passes


class Visit:
    """One case: a batch of each loop at every placement. `visit_ns`: about what it may take; `fewest` and `most`:
    batches, whatever that takes; `batch_ns`: what a batch takes at least.
    """

    def __init__(
        self,
        statement: Statement,
        operands: Names,
        module_globals: Names,
        seed: int,
        visit_ns: float = VISIT_NS,
        fewest: float = FEWEST_PLACEMENTS,
        most: float = PLACEMENTS,
        batch_ns: float = BATCH_NS,
    ):
        self.statement = statement
        self.operands = operands
        self.module_globals = module_globals
        self.random = random.Random(seed)
        started_s = time.time()
        once = self._calibrated()
        self.copies = 1 if once > SLOW_NS else COPIES
        self.passes = max(1, round(batch_ns / max(once, 1) / self.copies))
        placements = int(min(most, max(fewest, visit_ns / max(batch_ns, once) / 2)))
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
        self.seed = random.SystemRandom().getrandbits(63) if seed is None else seed
        self.lot = random.Random(self.seed)
        self.setup = setup
        self.started_s = time.time()
        self.rows: list[dict[str, Any]] = []  # benchmarks[] of the record
        self.cases: list[dict[str, Any]] = []
        self.failed: list[dict[str, Any]] = []

    def measure_all(self, cases: Mapping[str, Any], values: Mapping[str, Any] | None) -> None:
        """Statements and callables, by name, after the set-up. What fails is in the record, too, as in a worker's.

        Errors: Error for a name that nothing gives, or a set-up that fails.
        """
        scope: Names = {"__name__": "tare_here"}
        if "numpy" in sys.modules:
            scope["np"] = sys.modules["numpy"]
        scope.update(values or {})
        try:
            exec(compile(self.setup, "<setup>", "exec"), scope)
        except Exception as error:
            raise Error(f"the set-up failed: {type(error).__name__}: {error}") from error
        for name, what in cases.items():
            self.measure(name, what, scope)

    def measure(self, name: str, what: Any, scope: Names, **limits: float) -> dict[str, Any] | None:
        """Adds a case, with what raises as its failure, and returns its row; `limits` are those of Visit.

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
            told = {"code": "case_failed", "what": f"{type(error).__name__}: {error}".strip(": "), "hint": ""}
            self.failed.append({"case": name, "rounds": [0], "error": told})
            return None
        finally:
            if collects:
                gc.enable()
        return self.add(name, visit.copies, visit.passes * visit.copies, visit.floor_ns, visit.samples_ns, visit.wall_s)

    def add(
        self, name: str, copies: int, n: int, floor_ns: float, samples_ns: list[float], wall_s: float
    ) -> dict[str, Any]:
        """A case of batches of n executions, in passes of `copies`; `floor_ns` of a pass is taken off already."""
        value = median(samples_ns)
        low, high = median_interval(samples_ns)
        visit = {"order": len(self.rows), "seed": 0, "started_s": time.time() - wall_s, "wall_s": wall_s}
        row = {
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
                "visit": visit,
            },
        }
        others = ("net_ns", "tare_ns", "tare_share_ratio", "call_ns", "cpp_ns", "scalar_ratio")
        self.rows.append(row)
        self.cases.append(
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
                "reasons": dict.fromkeys(others, "the calling process measures the statement alone"),
            }
        )
        return row

    def text(self, interrupted: bool = False) -> str:
        settings = {"rounds": 1, "seed": str(self.seed), "setup": self.setup, "unroll": 0, "threads": 1, "suites": []}
        summary = {
            "format_version": 1,
            "interrupted": interrupted,
            "recovered": False,
            "settings": settings,
            "problems": [],
            "cases": self.cases,
            "size_fits": [],
            "failed_cases": self.failed,
        }
        return json.dumps({"context": self._context(), "benchmarks": self.rows, "tare": summary}, indent=1)

    def _context(self) -> dict[str, Any]:
        """Of the process as it is now: what it measured may have imported NumPy only then."""
        known = "numpy" in sys.modules
        own = facts.facts() if known else {"python": facts.python_facts(), "numpy": None}
        own |= loaded_packages()
        common = {
            "date": datetime.fromtimestamp(self.started_s, timezone.utc).isoformat(timespec="seconds"),
            "host_name": socket.gethostname(),
            "executable": sys.executable or "",
            "num_cpus": os.cpu_count() or 1,
            "load_avg": list(os.getloadavg()),
        }
        tare = {
            **common,
            "host": HOST,
            "architecture": platform.machine(),
            "kernel_release": platform.release(),
            "duration_s": time.time() - self.started_s,
            "environment": {},
            **own,
        }
        return {**common, "library_build_type": "release", "json_schema_version": 1, "tare": tare}


def _visit(what: Any, scope: Names, seed: int, **limits: float) -> Visit:
    if callable(what):
        scope = {**scope, "function": what}
        what = "function()"
    if not isinstance(what, str):
        raise Error(f"{what!r} is neither a statement, as a text, nor a callable without arguments")
    statement = parsed(what)
    if statement.is_nothing():
        raise Error(f"CPython compiles {what!r} to no instruction: give its operands names in the set-up")
    unknown = statement.unknown_names({}, scope)
    if unknown:
        raise Error(f"{', '.join(unknown)}: neither `setup` nor `values` gives it")
    used = names_in(what)
    operands = {n: v for n, v in scope.items() if n in used and not isinstance(v, STAYS_GLOBAL)}
    module_globals = {n: v for n, v in scope.items() if n not in operands}
    module_globals.setdefault("__builtins__", builtins)  # C code that imports looks for it in its caller's globals
    return Visit(statement, operands, module_globals, seed, **limits)
