# pytest: the fixture `tare`, the fixture `benchmark` where no other plugin gives it, and --tare-against, which gates
# a session by a duet. Loaded by pytest's entry point, or by `-p tare.pytest_plugin`; other tests pay for nothing.
from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tare.api.fixture import Benchmark, Captured
from tare.api.here import PLACEMENTS, VISIT_NS, Record
from tare.api.program import Error
from tare.api.runs import Run
from tare.api.session_duet import Against, Gate
from tare.api.table import half_width_text, text_table, time_text

OTHERS = ("benchmark", "codspeed")  # plugins with a fixture of that name, which stays theirs
_SESSION = pytest.StashKey["Session"]()


class Session:
    """What the tests of a session measured, and whether they do."""

    def __init__(self, config: pytest.Config):
        self.json: str | None = config.getoption("--tare-json")
        self.against: str | None = config.getoption("--tare-against")
        self.capture = bool(config.getoption("--tare-capture"))
        self.why_not = ""
        if config.getoption("--tare-disable"):
            self.why_not = "--tare-disable"
        elif hasattr(config, "workerinput") or config.getoption("numprocesses", None):
            self.why_not = "xdist runs tests beside each other, each would be measured beside its neighbours (-n 0)"
        self.measures = not (self.why_not or self.against or self.capture)
        self.record = Record() if self.measures else None
        self.groups: dict[str, str] = {}
        self.names: list[str] = []  # node ids of the tests that call the fixture
        self.gate: Gate | None = None
        self.warned = False
        if self.why_not and (self.json or self.against):
            raise pytest.UsageError(f"--tare-json and --tare-against need measurements: {self.why_not}")
        if self.against:
            try:
                Against(self.against, config.rootpath).check()
            except Error as error:
                raise pytest.UsageError(f"--tare-against {self.against}: {error}") from None


def pytest_addoption(parser: pytest.Parser) -> None:
    group = parser.getgroup("tare", "tare: micro-benchmarks")
    add = group.addoption
    add("--tare-json", metavar="FILE", help="write the record of all benchmarks, or of the duet, to this file")
    add(
        "--tare-against",
        metavar="PYTHON|REF",
        help="compare each benchmark with itself in another environment, or at another commit; fail where it is slower "
        "(write it with =: a path that stands alone is taken for a folder of tests)",
    )
    add("--tare-margins", metavar="WORD", default="default", help="of --tare-against: default, noisy or coarse")
    add("--tare-budget", metavar="SECONDS", help="of --tare-against: seconds of measuring (default: until decided)")
    add("--tare-pairs", metavar="N", help="of --tare-against: pairs of processes at most (default: 36)")
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
    group = named.get("group", marker.args[0] if marker is not None and marker.args else None)
    made = Benchmark(request.node.nodeid, session.record, _limits(named), session.capture)
    made.group = group
    if session.why_not and not session.warned:
        session.warned = True
        request.node.warn(pytest.PytestWarning(f"tare measures nothing: {session.why_not}"))
    yield made
    made.finish()
    if made.used:
        session.names.append(made.name)
        if made.group is not None:
            session.groups[made.name] = made.group


def _limits(named: dict[str, Any]) -> dict[str, float]:
    limits: dict[str, float] = {}
    longest = named.get("max_time") or named.get("min_time")
    if longest:
        limits["visit_ns"] = 1e9 * float(longest)
    elif named.get("min_rounds"):
        limits["visit_ns"] = VISIT_NS
    most = named.get("max_rounds") or max(PLACEMENTS, named.get("min_rounds") or 0)
    limits["most"] = float(most)
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
        marked = pyfuncitem.get_closest_marker("benchmark") is not None
        if not marked or {"benchmark", "tare"} & set(pyfuncitem.fixturenames):
            return None
        maker = _made(pyfuncitem._request)  # noqa: SLF001, what a fixture of the test would get
        made = next(maker)
        arguments = {name: pyfuncitem.funcargs[name] for name in pyfuncitem._fixtureinfo.argnames}  # noqa: SLF001
        made(pyfuncitem.obj, **arguments)
        next(maker, None)
        return True


@pytest.hookimpl(trylast=True)
def pytest_sessionfinish(session: pytest.Session, exitstatus: int) -> None:
    own = session.config.stash.get(_SESSION, None)
    if own is None or own.capture:
        return
    if own.record is not None and own.names and own.json:
        Path(own.json).write_text(own.record.text(), encoding="utf-8")
    if own.against and exitstatus in (pytest.ExitCode.OK, pytest.ExitCode.TESTS_FAILED):
        config = session.config
        if not own.names:
            others = [name for name in OTHERS if config.pluginmanager.hasplugin(name)]
            blocked = " ".join(f"-p no:{name}" for name in others)
            theirs = f": the fixture `benchmark` is another plugin's, add {blocked}" if others else ""
            raise pytest.UsageError(f"--tare-against: no test measured anything{theirs}")
        options = {
            "margins": config.getoption("--tare-margins"),
            "budget": config.getoption("--tare-budget"),
            "pairs": config.getoption("--tare-pairs"),
        }
        try:
            own.gate = Against(own.against, config.rootpath).gate(own.names, options)
        except Error as error:
            raise pytest.UsageError(f"--tare-against {own.against}: {error}") from None
        if own.json:
            own.gate.duet.to_json(own.json)
        if own.gate.failed and exitstatus == pytest.ExitCode.OK:
            session.exitstatus = pytest.ExitCode.TESTS_FAILED


def pytest_terminal_summary(terminalreporter: Any, config: pytest.Config) -> None:
    own = config.stash.get(_SESSION, None)
    if own is None or not own.names:
        return
    write = terminalreporter.write_line
    if own.record is not None:
        run = Run(own.record.text())
        terminalreporter.section("tare: this process")
        lines = [
            [
                own.groups.get(r.case, ""),
                r.case,
                time_text(r.gross_ns),
                half_width_text(r.gross_ns, r.gross_low_ns, r.gross_high_ns),
            ]
            for r in run.rows
        ]
        write(text_table(["test", "time", "±"], [line[1:] for line in sorted(lines, key=lambda line: line[0])]))
        write("±: 95 % within this process; --tare-against compares across processes")
    elif own.gate is not None:
        terminalreporter.section(f"tare: against {own.against}")
        write(repr(own.gate.duet))
        for line in own.gate.notes:
            write(line)


__all__ = ["Captured", "tare"]
