"""Series with a known truth, from a seed: noise of 3 % around 100 ns, then a step or a drift. Only the standard
library, so that the same seed makes the same series for every detector and on every machine.
"""

import math
import random
from collections.abc import Callable
from dataclasses import dataclass

POINTS = 100
LEVEL_NS = 100.0
SPREAD = 0.03  # a step of two spreads is then beyond 5 %, below which asv's page is silent by default
SEED = 20_261_121

Noise = Callable[[random.Random, int], list[float]]  # of spread 1


def independent(source: random.Random, points: int) -> list[float]:
    return [source.gauss(0, 1) for _ in range(points)]


def dependent(correlation: float) -> Noise:
    """AR(1): successive values correlate by so much."""
    fresh = math.sqrt(1 - correlation * correlation)

    def noise(source: random.Random, points: int) -> list[float]:
        values = [source.gauss(0, 1)]
        while len(values) < points:
            values.append(correlation * values[-1] + fresh * source.gauss(0, 1))
        return values

    return noise


def heavy_tails(source: random.Random, points: int) -> list[float]:
    """Student's t with 3 degrees of freedom, scaled to spread 1."""

    def value() -> float:
        return source.gauss(0, 1) / math.sqrt(sum(source.gauss(0, 1) ** 2 for _ in range(3)) / 3) / math.sqrt(3)

    return [value() for _ in range(points)]


@dataclass(frozen=True)
class Scenario:
    """What the series of one row of the table are."""

    name: str
    noise: Noise
    raised: tuple[int, int] = (0, 0)  # the first point of the higher level and the first one after it
    spreads: float = 0.0  # higher by so many
    drift: float = 0.0  # from the first point to the last, in spreads

    def series(self, count: int) -> list[list[float]]:
        source = random.Random(f"{SEED} {self.name}")
        return [self._one(source) for _ in range(count)]

    def _one(self, source: random.Random) -> list[float]:
        begin, end = self.raised
        return [
            LEVEL_NS * math.exp(SPREAD * (value + self.drift * i / (POINTS - 1) + self.spreads * (begin <= i < end)))
            for i, value in enumerate(self.noise(source, POINTS))
        ]


def fresh_step(points: int) -> Scenario:
    raised = (POINTS - points, POINTS)
    return Scenario(f"step of 2 spreads, {points} points old", independent, raised, 2)


UNCHANGED = (
    Scenario("independent", independent),
    Scenario("AR(1), correlation 0.5", dependent(0.5)),
    Scenario("AR(1), correlation 0.8", dependent(0.8)),
    Scenario("Student's t, 3 degrees of freedom", heavy_tails),
    Scenario("a drift of 2 spreads", independent, drift=2),
)
CHANGED = (
    *(fresh_step(points) for points in (3, 5, 10, 50)),
    Scenario("2 spreads for 30 points, then back", independent, (35, 65), 2),
    Scenario("3 spreads for 10 points, then back", independent, (45, 55), 3),
)
