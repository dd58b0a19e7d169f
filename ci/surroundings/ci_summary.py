"""What a reader of a long log wants last: times of set-up and build, the slowest tests, what failed, how to repeat it.

ci_summary.py LOG, of ci/test with --repeat until-pass:N. A test that passed after it had failed is named as flaky,
which is a fault of the test or of what it tests.
"""

import collections
import re
import sys
from dataclasses import dataclass, field
from pathlib import Path

SLOWEST = 10
# Start of a line of ctest; the place among all is missing where a test is repeated.
ENDED = re.compile(
    r"^ *(?:\d+/\d+)? *Test +#\d+: (?P<name>.+?) \.+(?:\*\*\*| +)"
    r"(?P<how>Passed|Failed|Timeout|Skipped|Not Run|Exception: \w+) +(?P<seconds>[\d.]+) sec$"
)
STEP = re.compile(r"^ci: (?:installed|built) .*in \d+ s$")
PASSED = ("Passed", "Skipped")


@dataclass
class Summary:
    """Of one log."""

    steps: list[str] = field(default_factory=list)  # of set-up and build, as ci/ told them
    ended: dict[str, list[str]] = field(default_factory=lambda: collections.defaultdict(list))  # how, each time
    seconds: dict[str, float] = field(default_factory=lambda: collections.defaultdict(float))

    def flaky(self) -> list[str]:
        return [name for name, ends in self.ended.items() if ends[-1] in PASSED and set(ends) - set(PASSED)]

    def failed(self) -> list[str]:
        return [name for name, ends in self.ended.items() if ends[-1] not in PASSED]


def read(text: str) -> Summary:
    summary = Summary()
    for line in text.splitlines():
        if found := ENDED.match(line):
            summary.ended[found["name"]].append(found["how"])
            summary.seconds[found["name"]] += float(found["seconds"])
        elif STEP.match(line):
            summary.steps.append(line)
    return summary


def pattern_of(name: str) -> str:
    """A regular expression of ctest's for the test; what gtest adds of its parameter is left out."""
    return "^" + re.sub(r"[^\w/]", ".", name.partition("  #")[0])


def lines_of(summary: Summary) -> list[str]:
    lines = list(summary.steps)
    lines.append("slowest tests:")
    slowest = sorted(summary.seconds.items(), key=lambda item: -item[1])[:SLOWEST]
    lines += [f"  {seconds:7.1f} s  {name}" for name, seconds in slowest]
    for name in summary.flaky():
        lines.append(f"flaky: {name}: {', '.join(summary.ended[name])}; ci/soak 20 busy --tests '{pattern_of(name)}'")
    for name in summary.failed():
        lines.append(f"failed: {name}: {summary.ended[name][-1]}; alone: ci/test --tests-regex '{pattern_of(name)}'")
    return lines


if __name__ == "__main__":
    print("\n".join(lines_of(read(Path(sys.argv[1]).read_text(errors="replace")))))
