"""ci/soak [N] [SURROUNDINGS...] [--tests RE] [--seed SEED]: the quick tier of tests N times in each of these.

Builds once, then prints a table, test by surroundings, of what failed how often, with the log of each failure. N is 1,
the surroundings are all of ci/surroundings/list.txt; `mix` is a random few of them at once, drawn by --seed anew for
each run. --tests takes a regular expression for ctest. Each run is a line of .cache/soak/COMMIT/runs.jsonl: Ctrl-C
keeps what ran, and the same command goes on where it ended. Exits with 1 if anything failed, with 130 if it was
interrupted.
"""

import argparse
import collections
import dataclasses
import json
import os
import random
import signal
import subprocess
import sys
import time
import xml.etree.ElementTree
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
LIST = Path(__file__).with_name("list.txt")
TEST = str(ROOT / "ci" / "test")
MIX = "mix"
MIXED = 4  # surroundings in a mix: more of them contradict each other
NEIGHBOURS = {
    "compute": "while True: pass",
    "stream": "b = bytearray(1 << 28)\nwhile True: b[:] = bytes(1 << 28)",
}


@dataclasses.dataclass
class Surroundings:
    """What a run of the tests is surrounded by."""

    name: str
    changes: dict[str, str | None] = dataclasses.field(default_factory=dict)  # of variables; None takes one away
    run: list[str] = dataclasses.field(default_factory=list)
    beside: list[str] = dataclasses.field(default_factory=list)
    umask: int | None = None
    needs: list[str] = dataclasses.field(default_factory=list)

    def add(self, word: str) -> None:
        kind, colon, value = word.partition(":")
        key, equals, text = word.partition("=")
        if colon and kind == "run":
            self.run.append(value)
        elif colon and kind == "beside" and value in NEIGHBOURS:
            self.beside.append(value)
        elif colon and kind == "umask":
            self.umask = int(value, 8)
        elif colon and kind == "needs":
            self.needs.append(value)
        elif equals and key:
            self.changes[key] = text
        elif word.startswith("-") and len(word) > 1:
            self.changes[word[1:]] = None
        else:
            raise ValueError(f"'{word}' of '{self.name}' is none of KEY=VALUE, -KEY, run:, beside:, umask:, needs:")

    def environment(self) -> dict[str, str]:
        changed = {**os.environ, **self.changes}
        return {key: value for key, value in changed.items() if value is not None}


def read_surroundings(text: str) -> dict[str, Surroundings]:
    """By name, in the order of the file."""
    found = {}
    for line in text.splitlines():
        name, *words = line.partition("#")[0].split() or [""]
        if name:
            found[name] = Surroundings(name)
            for word in words:
                found[name].add(word)
    return found


def mixed(known: dict[str, Surroundings], flags: set[str], seed: str) -> Surroundings:
    """A few of those that this CPU can have at once; of two that change a variable the later one holds."""
    possible = [each for each in known.values() if flags.issuperset(each.needs)]
    drawn = random.Random(seed).sample(possible, min(MIXED, len(possible)))
    mix = Surroundings(f"{MIX} of {', '.join(each.name for each in drawn)}")
    for each in drawn:
        mix.changes |= each.changes
        mix.run += each.run
        mix.beside += each.beside
        mix.umask = each.umask if each.umask is not None else mix.umask
    return mix


def cpu_flags() -> set[str]:
    for line in Path("/proc/cpuinfo").read_text().splitlines():
        if line.startswith("flags"):
            return set(line.partition(":")[2].split())
    return set()


def read_junit(path: Path) -> dict[str, tuple[str, str]]:
    """Of each test how it ended (run, fail, notrun, disabled) and what it printed."""
    ended = {}
    for case in xml.etree.ElementTree.parse(path).getroot().iter("testcase"):
        output = case.find("system-out")
        said = output.text or "" if output is not None else ""
        ended[case.get("name", "")] = (case.get("status", ""), said)
    return ended


def run_command(command: list[str], surroundings: Surroundings, log: Path) -> int:
    """Its exit status. An interruption ends it with all that it started in its session."""
    umask = -1 if surroundings.umask is None else surroundings.umask
    with log.open("w") as file:
        process = subprocess.Popen(
            [*surroundings.run, *command],
            cwd=ROOT,
            env=surroundings.environment(),
            stdout=file,
            stderr=subprocess.STDOUT,
            umask=umask,
            start_new_session=True,
        )
        try:
            return process.wait()
        except KeyboardInterrupt:
            os.killpg(process.pid, signal.SIGTERM)
            process.wait()
            raise


def run_tests(surroundings: Surroundings, tests: list[str], folder: Path, program: str = TEST) -> dict[str, str]:
    """Runs ci/test once; what failed, with the log of each. An error of ci/test itself is a failure, too."""
    folder.mkdir(parents=True, exist_ok=True)
    junit = folder / "junit.xml"
    junit.unlink(missing_ok=True)
    neighbours = [subprocess.Popen([sys.executable, "-c", NEIGHBOURS[name]]) for name in surroundings.beside]
    try:
        code = run_command(
            [program, "--built", "--output-junit", str(junit), *tests], surroundings, folder / "ctest.log"
        )
    finally:
        for neighbour in neighbours:
            neighbour.kill()
            neighbour.wait()
    ended = read_junit(junit) if junit.is_file() else {}
    failed = {}
    for name, (status, said) in ended.items():
        if status == "fail":
            log = folder / f"{name.replace('/', '_')[:100]}.log"
            log.write_text(said)
            failed[name] = str(log)
    if code != 0 and not failed:
        failed[f"ci/test itself (exit {code})"] = str(folder / "ctest.log")
    return failed


def read_runs(path: Path) -> list[dict]:
    """Lines of earlier calls; one that was cut short by a kill is left out."""
    runs = []
    for line in path.read_text().splitlines() if path.is_file() else []:
        try:
            runs.append(json.loads(line))
        except ValueError:
            print(f"ci/soak: a line of {path} is damaged and left out", file=sys.stderr)
    return runs


def table(runs: list[dict], names: list[str]) -> list[str]:
    """Test by surroundings: failures of runs, where there was one; below it the logs."""
    times = collections.Counter(run["surroundings"] for run in runs)
    failures: dict[str, collections.Counter[str]] = collections.defaultdict(collections.Counter)
    logs = []
    for run in runs:
        for test, log in run["failed"].items():
            failures[test][run["surroundings"]] += 1
            logs.append(f"{log}  {test}, {run['what']}")
    lines = [
        f"{name:16} {times[name]:4} runs, {sum(each[name] for each in failures.values())} failures" for name in names
    ]
    for test, each in sorted(failures.items()):
        where = ", ".join(f"{name} {each[name]} of {times[name]}" for name in names if each[name])
        lines.append(f"{test}: {where}")
    return lines + logs


def commit() -> str:
    described = subprocess.run(
        ["git", "describe", "--always", "--dirty", "--abbrev=12"], cwd=ROOT, check=True, capture_output=True, text=True
    )
    return described.stdout.strip()


def parse_arguments(known: dict[str, Surroundings]) -> argparse.Namespace:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter, usage=argparse.SUPPRESS
    )
    parser.add_argument("words", nargs="*", metavar="N, SURROUNDINGS", help=f"{', '.join([*known, MIX])}")
    parser.add_argument("--tests", metavar="RE", help="which tests, as ctest's --tests-regex")
    parser.add_argument("--seed", default="1", help="of what a mix is made of")
    arguments = parser.parse_args()
    words = arguments.words
    arguments.times = int(words.pop(0)) if words and words[0].isdigit() else 1
    unknown = [word for word in words if word not in known and word != MIX]
    if unknown:
        parser.error(f"no surroundings '{unknown[0]}' in {LIST.name}; there are: {', '.join([*known, MIX])}")
    arguments.names = words or [*known, MIX]
    return arguments


def interrupt(*_: object) -> None:
    """Of SIGTERM: a signal of Ctrl-C would be none where it is ignored, as in the background of a script."""
    raise KeyboardInterrupt


def main() -> int:
    known = read_surroundings(LIST.read_text())
    arguments = parse_arguments(known)
    flags = cpu_flags()
    folder = ROOT / ".cache" / "soak" / commit()
    folder.mkdir(parents=True, exist_ok=True)
    selection = ["--tests-regex", arguments.tests] if arguments.tests else []
    subprocess.run([TEST, "--show-only"], check=True, stdout=subprocess.DEVNULL)  # builds

    possible = []
    for name in arguments.names:
        missing = [flag for flag in (known[name].needs if name in known else []) if flag not in flags]
        if missing:
            print(f"{name}: skipped, this CPU has no {', '.join(missing)}", flush=True)
        else:
            possible.append(name)
    wanted = [(name, i) for i in range(arguments.times) for name in possible]
    path = folder / "runs.jsonl"
    done = {
        (run["surroundings"], run["run"]): run for run in read_runs(path) if run["tests"] == (arguments.tests or "")
    }
    if resumed := sum(each in done for each in wanted):
        print(f"{resumed} of {len(wanted)} runs were done before: {path.relative_to(ROOT)}", flush=True)
    runs, interrupted, start, new = [], False, time.monotonic(), 0
    for place, (name, i) in enumerate(wanted):
        if (name, i) not in done:
            what = known[name] if name in known else mixed(known, flags, f"{arguments.seed} {i}")
            try:
                failed = run_tests(what, selection, folder / f"{name}-{i}-{int(time.time())}")
            except KeyboardInterrupt:
                interrupted = True
                break
            done[(name, i)] = {
                "surroundings": name,
                "what": what.name,
                "run": i,
                "tests": arguments.tests or "",
                "failed": failed,
            }
            with path.open("a") as file:
                file.write(json.dumps(done[(name, i)]) + "\n")
            new += 1
            left_s = (time.monotonic() - start) / new * sum(each not in done for each in wanted[place + 1 :])
            print(f"{what.name}, run {i + 1}: {len(failed)} failed; about {left_s / 60:.0f} min left", flush=True)
        runs.append(done[(name, i)])
    print("\n".join(table(runs, possible)))
    if interrupted:
        print("interrupted; the same command goes on", file=sys.stderr)
        return 130
    return 1 if any(run["failed"] for run in runs) else 0


if __name__ == "__main__":
    signal.signal(signal.SIGTERM, interrupt)
    sys.exit(main())
