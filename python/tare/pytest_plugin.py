# pytest: the fixture `tare`, the fixture `benchmark` where no other plugin gives it, and --tare-against, which gates
# a session by a duet. Loaded by pytest's entry point, or by `-p tare.pytest_plugin`; other tests pay for nothing.
from __future__ import annotations

import inspect
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import pytest

from tare.api.fixture import Benchmark
from tare.api.here import Record
from tare.api.program import Error, Interrupted
from tare.api.runs import Run
from tare.api.session_duet import Against, Gate
from tare.api.table import half_width_text, text_table, time_text

OTHERS = ("benchmark", "codspeed")  # plugins with a fixture of that name, which stays theirs
UNUSED = {"timer", "disable_gc", "warmup", "warmup_iterations", "calibration_precision", "cprofile"}  # of theirs
PROPERTY = "tare"  # of a test's report: what an xdist worker has to say to the controller
_SESSION = pytest.StashKey["Session"]()


class Session:
    """What the tests of a session measured, and whether they do."""

    def __init__(self, config: pytest.Config):
        self.json: str | None = config.getoption("--tare-json")
        self.capture = bool(config.getoption("--tare-capture"))
        self.why_not = ""
        if config.getoption("--tare-disable"):
            self.why_not = "--tare-disable"
        elif hasattr(config, "workerinput") or config.getoption("numprocesses", None):
            self.why_not = "xdist runs tests beside each other, each would be measured beside its neighbours (-n 0)"
        against = config.getoption("--tare-against")
        self.against = Against(against, config) if against else None
        self.record = None if self.why_not or self.against or self.capture else Record()
        self.groups: dict[str, str] = {}
        self.names: list[str] = []  # node ids of the tests that call the fixture
        self.shared: list[str] = []  # those whose function lies where both sides of --tare-against find it
        self.gate: Gate | None = None
        self.error = ""
        if self.why_not and (self.json or self.against):
            raise pytest.UsageError(f"--tare-json and --tare-against need measurements: {self.why_not}")
        if self.json and not (Path(self.json).absolute().parent.is_dir() and not Path(self.json).is_dir()):
            raise pytest.UsageError(f"--tare-json {self.json}: there is no such folder, or it is one")
        if self.against is not None:
            try:
                self.against.check()
            except Error as error:
                raise pytest.UsageError(f"--tare-against {against}: {error}") from None


def pytest_addoption(parser: pytest.Parser) -> None:
    add = parser.getgroup("tare", "tare: micro-benchmarks").addoption
    add("--tare-json", metavar="FILE", help="write the record of all benchmarks, or of the duet, to this file")
    add(
        "--tare-against",
        metavar="PYTHON|REF",
        help="compare each benchmark with itself in another environment, or at another commit; fail where it is slower "
        "(write it with =: a path that stands alone is taken for a folder of tests)",
    )
    words = ("default", "noisy", "coarse")
    add("--tare-margins", choices=words, default="default", help="of --tare-against: what counts as the same")
    add("--tare-budget", metavar="SECONDS", type=float, help="of --tare-against: seconds (default: until decided)")
    add("--tare-pairs", metavar="N", type=int, help="of --tare-against: pairs of processes at most (default: 36)")
    add("--tare-disable", action="store_true", help="call what is to be measured once, and measure nothing")
    add("--tare-capture", action="store_true", help="for tare itself: hand over what would be measured")


def pytest_configure(config: pytest.Config) -> None:
    config.addinivalue_line(
        "markers",
        "benchmark(group=None, min_time=, max_time=, min_rounds=, max_rounds=): how the test is measured; "
        "without the fixture the whole test is",
    )
    config.stash[_SESSION] = Session(config)
    manager = config.pluginmanager
    if not any(manager.hasplugin(name) for name in OTHERS):
        manager.register(Fixtures(), "tare-benchmark-fixture")


def _made(request: pytest.FixtureRequest) -> Iterator[Benchmark]:
    session = request.config.stash[_SESSION]
    marker = request.node.get_closest_marker("benchmark")
    named = dict(marker.kwargs) if marker is not None else {}
    group = named.pop("group", marker.args[0] if marker is not None and marker.args else None)
    made = Benchmark(request.node.nodeid, session.record, _limits(named), session.capture)
    made.group = group
    if session.why_not:
        request.node.user_properties.append((PROPERTY, session.why_not))
    yield made
    made.finish()
    if made.function is not None:
        session.names.append(made.name)
        if made.group is not None:
            session.groups[made.name] = made.group
        if session.against is not None and session.against.finds_on_both_sides(made.function, request.path):
            session.shared.append(made.name)


def _limits(named: Mapping[str, Any]) -> dict[str, float]:
    """Of the marker's words those of here.Visit. Errors: Error for a word that nobody knows."""
    known = {"min_time": ("batch_ns", 1e9), "max_time": ("visit_ns", 1e9)}
    known |= {"min_rounds": ("fewest", 1.0), "max_rounds": ("most", 1.0)}
    limits = {known[word][0]: known[word][1] * float(value) for word, value in named.items() if word in known and value}
    if unknown := sorted(set(named) - set(known) - UNUSED):
        raise Error(f"the marker `benchmark` has no {', '.join(unknown)}; it has group, {', '.join(known)}")
    if "fewest" in limits:
        limits.setdefault("most", max(limits["fewest"], 24.0))
    return limits


@pytest.fixture
def tare(request: pytest.FixtureRequest) -> Iterator[Benchmark]:
    """`tare(f, *args, **kwargs)` measures f(*args, **kwargs) and returns what it returns."""
    yield from _made(request)


class Fixtures:
    """`benchmark`, and tests that only carry its marker."""

    @pytest.fixture
    def benchmark(self, request: pytest.FixtureRequest) -> Iterator[Benchmark]:
        """As pytest-benchmark's and pytest-codspeed's: measures benchmark(f, *args, **kwargs), returns its value."""
        yield from _made(request)

    @pytest.hookimpl(tryfirst=True)
    def pytest_pyfunc_call(self, pyfuncitem: pytest.Function) -> bool | None:
        function = pyfuncitem.obj
        if pyfuncitem.get_closest_marker("benchmark") is None or {"benchmark", "tare"} & set(pyfuncitem.fixturenames):
            return None
        if inspect.iscoroutinefunction(function) or inspect.isasyncgenfunction(function):
            return None  # another plugin's, or pytest refuses it
        maker = _made(pyfuncitem._request)
        arguments = {name: pyfuncitem.funcargs[name] for name in pyfuncitem._fixtureinfo.argnames}
        next(maker)(function, **arguments)
        next(maker, None)
        return True


@pytest.hookimpl(trylast=True)
def pytest_sessionfinish(session: pytest.Session, exitstatus: int) -> None:
    own = session.config.stash.get(_SESSION, None)
    if own is None or own.capture or exitstatus not in (pytest.ExitCode.OK, pytest.ExitCode.TESTS_FAILED):
        return
    try:
        if own.against is not None:
            own.gate = _compared(own, session.config)
            if own.gate.failed:
                session.exitstatus = pytest.ExitCode.TESTS_FAILED
        text = own.gate.duet.text if own.gate is not None else own.record.text() if own.record and own.names else ""
        if own.json and text:
            Path(own.json).write_text(text, encoding="utf-8")
    except Interrupted as interrupted:
        own.gate = (
            Gate(interrupted.result, ["interrupted: what was measured until then"]) if interrupted.result else None
        )
        own.error = "" if own.gate else "interrupted before anything was measured"
        session.exitstatus = pytest.ExitCode.INTERRUPTED
    except Error as error:
        own.error = f"--tare-against: {error}"
        session.exitstatus = pytest.ExitCode.USAGE_ERROR
    except OSError as error:
        own.error = f"--tare-json {own.json}: {error.strerror}"
        session.exitstatus = pytest.ExitCode.USAGE_ERROR


def _compared(own: Session, config: pytest.Config) -> Gate:
    assert own.against is not None
    if not own.names:
        blocked = " ".join(f"-p no:{name}" for name in OTHERS if config.pluginmanager.hasplugin(name))
        theirs = f": the fixture `benchmark` is another plugin's, add {blocked}" if blocked else ""
        raise Error(f"no test measured anything{theirs}")
    options = {word: config.getoption(f"--tare-{word}") for word in ("margins", "budget", "pairs")}
    gate = own.against.gate(own.names, options)
    gate.notes += [f"both sides run the same file: {name}" for name in own.shared]
    return gate


def pytest_terminal_summary(terminalreporter: Any, config: pytest.Config) -> None:
    own = config.stash.get(_SESSION, None)
    if own is None:
        return
    write = terminalreporter.write_line
    reports = [report for reports in terminalreporter.stats.values() for report in reports]
    reasons = {
        value for report in reports for name, value in getattr(report, "user_properties", ()) if name == PROPERTY
    }
    for reason in sorted(reasons):
        write(f"tare measured nothing: {reason}")
    if own.record is not None and own.names:
        terminalreporter.section("tare: this process")
        _write_run(write, Run(own.record.text()), own.groups)
    if own.gate is not None:
        terminalreporter.section(f"tare: against {own.against}")
        write(repr(own.gate.duet))
        for line in own.gate.notes:
            write(line)
    if own.error:
        write(f"tare: error: {own.error}", red=True)


def _write_run(write: Any, run: Run, groups: Mapping[str, str]) -> None:
    rows = sorted(run.rows, key=lambda row: groups.get(row.case, ""))
    lines = [
        [row.case, time_text(row.gross_ns), half_width_text(row.gross_ns, row.gross_low_ns, row.gross_high_ns)]
        for row in rows
    ]
    write(text_table(["test", "time", "±"], lines))
    for row in rows:
        if row.error:
            write(f"{row.case} could not be measured: {row.error}")
    write("±: 95 % within this process; --tare-against compares across processes")
