# What a test calls to be measured: the fixture `tare`, and `benchmark` in the subset of pytest-benchmark and
# pytest-codspeed that their suites use. Times are those of this process; of benchmark.stats in seconds, as theirs.
from __future__ import annotations

import keyword
import statistics
import time
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from tare.api.here import Record
from tare.api.program import Error

CLOCK_BATCHES = 20  # of which the median is what reading the clock costs


class Captured(BaseException):
    """Instead of a measurement: what is to be measured, for a worker that measures it by itself."""

    def __init__(self, function: Callable[..., Any], args: Sequence[Any], kwargs: Mapping[str, Any]):
        super().__init__("captured for a duet")
        self.call = (function, tuple(args), dict(kwargs))


class Stats:
    """What pytest-benchmark calls so: seconds of one execution, over batches."""

    def __init__(self, samples_ns: Sequence[float], iterations: int):
        seconds = [1e-9 * sample for sample in samples_ns]
        self.data = seconds
        self.min, self.max = min(seconds), max(seconds)
        self.mean, self.median = statistics.fmean(seconds), statistics.median(seconds)
        self.stddev = statistics.stdev(seconds) if len(seconds) > 1 else 0.0
        self.rounds, self.iterations = len(seconds), iterations
        self.stats = self  # benchmark.stats.stats.mean is the older spelling

    def __getitem__(self, name: str) -> Any:
        return getattr(self, name)


class Benchmark:
    """Measures once in a test: `benchmark(f, *args, **kwargs)` returns what f returns.

    `record`: where the case goes; None: f is called once and not measured. `limits`: those of here.Visit.
    """

    def __init__(
        self, name: str, record: Record | None, limits: Mapping[str, float] | None = None, capture: bool = False
    ):
        self.name = name
        self.group: str | None = None
        self.extra_info: dict[str, Any] = {}
        self.stats: Stats | None = None
        self.function: Callable[..., Any] | None = None  # what the test handed over
        self._row: dict[str, Any] | None = None
        self._record = record
        self._limits = dict(limits or {})
        self._capture = capture

    @property
    def enabled(self) -> bool:
        return self._record is not None

    @property
    def disabled(self) -> bool:
        return not self.enabled

    def __call__(self, function: Callable[..., Any], *args: Any, **kwargs: Any) -> Any:
        """Errors: Error where the test measures a second time; whatever the function raises."""
        self._begin(function, args, kwargs)
        returned = function(*args, **kwargs)
        if self._record is not None:
            names = [f"argument_{number}" for number in range(len(args))]
            scope = {"function": function, **dict(zip(names, args))}
            if all(key.isidentifier() and not keyword.iskeyword(key) for key in kwargs):
                names += [f"{key}=keyword_{key}" for key in kwargs]
                scope |= {f"keyword_{key}": value for key, value in kwargs.items()}
            else:
                names.append("**keywords")
                scope["keywords"] = kwargs
            self._end(self._record.measure(self.name, f"function({', '.join(names)})", scope, **self._limits))
        return returned

    def pedantic(
        self,
        target: Callable[..., Any],
        args: Sequence[Any] = (),
        kwargs: Mapping[str, Any] | None = None,
        setup: Callable[[], Any] | None = None,
        teardown: Callable[..., Any] | None = None,
        rounds: int = 1,
        warmup_rounds: int = 0,
        iterations: int = 1,
    ) -> Any:
        """As often as it says: `rounds` batches of `iterations` calls. `setup` runs before each and may return (args,
        kwargs), then `iterations` is 1; `teardown` runs after each, with them. Returns the last value.
        """
        if rounds < 1 or iterations < 1 or warmup_rounds < 0:
            raise Error(f"rounds={rounds}, iterations={iterations}, warmup_rounds={warmup_rounds}: fewer than can be")
        if setup is not None and iterations != 1:
            raise Error(f"setup runs before each execution: iterations is 1, not {iterations}")
        self._begin(target, args, kwargs or {}, refused="setup" if setup else "teardown" if teardown else "")
        began = time.time()
        samples: list[float] = []
        returned = None
        for number in range(-warmup_rounds if self.enabled else 0, rounds if self.enabled else 1):
            given, named = tuple(args), dict(kwargs or {})
            made = setup() if setup is not None else None
            if made is not None:
                if args or kwargs:
                    raise Error("setup returns the arguments: there are no others beside it")
                given, named = made
            elapsed, returned = _batch(target, given, named, iterations)
            if teardown is not None:
                teardown(*given, **named)
            if number >= 0:
                samples.append(elapsed)
        if self._record is not None:
            clock = statistics.median(_batch(_nothing, (), {}, 1)[0] for _ in range(CLOCK_BATCHES))
            net = [max(sample - clock, 0.0) / iterations for sample in samples]
            self._end(self._record.add(self.name, 1, iterations, clock, net, time.time() - began))
        return returned

    def _begin(
        self, function: Callable[..., Any], args: Sequence[Any], kwargs: Mapping[str, Any], refused: str = ""
    ) -> None:
        if self.function is not None:
            raise Error(f"{self.name} measures a second time: a test is one case, parametrize makes several")
        self.function = function
        if self._capture:
            if refused:
                raise Error(f"{self.name} is pedantic with {refused}: it has no batches, and no duet can be made of it")
            raise Captured(function, args, kwargs)

    def _end(self, row: dict[str, Any] | None) -> None:
        if row is not None:
            self._row = row["tare"]
            self.stats = Stats(self._row["samples_ns"], self._row["n"])

    def finish(self) -> None:
        """When the test is over: what it said of itself goes to its case."""
        if self._row is not None and (self.group is not None or self.extra_info):
            self._row["facts"] = {"group": self.group, "extra_info": _plain(self.extra_info)}


def _nothing() -> None:
    pass


def _batch(target: Callable[..., Any], args: Any, kwargs: Any, iterations: int) -> tuple[float, Any]:
    """ns of all iterations, with what reading the clock costs; and what the last returned."""
    returned = None
    begin = time.perf_counter_ns()
    for _ in range(iterations):
        returned = target(*args, **kwargs)
    return time.perf_counter_ns() - begin, returned


def _plain(value: Any) -> Any:
    """What JSON can hold of it."""
    if isinstance(value, dict):
        return {str(key): _plain(each) for key, each in value.items()}
    if isinstance(value, (list, tuple)):
        return [_plain(each) for each in value]
    return value if isinstance(value, (str, int, float, bool)) or value is None else str(value)
