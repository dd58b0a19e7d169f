"""Where a validation is and how long it will take: seconds a case of each protocol, first guessed, then as measured."""

from collections.abc import Mapping, Sequence
from typing import Any

from plan import Step

# seconds a case, both sides; measured once on a 2-vCPU guest
GUESSES_S = {"duet": 0.8, "asv": 1.5, "pyperf": 2.3, "gbench": 1.6}


class Clock:
    """Seconds a case by protocol."""

    def __init__(self, lines: Sequence[Mapping[str, Any]] = ()):
        self._spent: dict[str, tuple[float, int]] = {}
        for line in lines:
            self.add(line)

    def add(self, line: Mapping[str, Any]) -> None:
        wall_s, cases = self._spent.get(line["protocol"], (0.0, 0))
        self._spent[line["protocol"]] = (wall_s + line["wall_s"], cases + len(line["cases"]))

    def expected_s(self, step: Step) -> float:
        wall_s, cases = self._spent.get(step.protocol, (0.0, 0))
        return len(step.cases) * (wall_s / cases if cases else GUESSES_S[step.protocol])


def text(place: int, left: Sequence[Step], clock: Clock) -> str:
    """One line: what runs now, and what remains."""
    remaining_s = sum(clock.expected_s(step) for step in left[place:])
    return f"[{place + 1}/{len(left)}] {left[place].name}, {len(left[place].cases)} cases; left {duration(remaining_s)}"


def duration(value_s: float) -> str:
    minutes, rest_s = divmod(round(value_s), 60)
    hours, minutes = divmod(minutes, 60)
    if hours:
        return f"{hours} h {minutes:02d} min"
    return f"{minutes} min {rest_s:02d} s" if minutes else f"{rest_s} s"
