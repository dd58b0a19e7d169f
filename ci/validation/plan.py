"""The plan of a validation: every step with its seed, fixed before the first is run. Pure.

A step is one `bench duet`, or one block of cases under one peer's protocol. Steps of the peers part come in fours and a
duet, over the same cases in random order, so that all rules see the same minutes.
"""

import hashlib
import json
import random
import re
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass, field

PARTS = ("aa", "power", "needle", "peers")
PROTOCOLS = ("asv", "pyperf", "gbench")
LOADS = ("none", "arithmetic", "memory")
SIDES = ("copies", "one")  # two separately installed environments; one environment twice

INJECTED_PERCENT = (0.5, 1.0, 2.0, 3.0, 5.0, -5.0)
NEEDLE_PERCENT = 3.0
PEER_PERCENT = (0.0, 5.0)

# A/A suites by default: sides, load. Each of the two ways to be equal under each load.
AA_SUITES = (
    ("copies", "none"),
    ("one", "none"),
    ("copies", "arithmetic"),
    ("copies", "memory"),
    ("copies", "none"),
    ("one", "arithmetic"),
    ("one", "memory"),
    ("copies", "none"),
    ("one", "none"),
    ("copies", "none"),
)


@dataclass(frozen=True)
class Step:
    """What is run, and under which name its result is kept."""

    name: str  # unique in a plan: aa-003, power-5.0-002, needle-017, peers-004-aa-asv
    part: str
    protocol: str  # "duet", or one of PROTOCOLS
    cases: tuple[str, ...]
    seed: int
    sides: str = "copies"
    load: str = "none"
    swapped: bool = False  # the second environment is side a
    injected_percent: float = 0.0
    injected_cases: tuple[str, ...] = ()  # empty where nothing is injected


@dataclass(frozen=True)
class Size:
    """How much of each part."""

    aa_suites: int = 10
    power_suites: int = 10  # of each injected size
    power_injected: int = 20  # cases of such a suite, beside as many unchanged ones
    power_unchanged: int = 20
    needle_suites: int = 50
    peer_blocks: int = 20
    peer_cases: int = 10
    injected_percent: tuple[float, ...] = INJECTED_PERCENT
    aa_cases: int | None = None  # None: all of the list

    @staticmethod
    def quick() -> "Size":
        """About three minutes; its figures only show that the machinery works."""
        return Size(1, 1, 20, 0, 0, 1, 5, (5.0,), 20)


@dataclass(frozen=True)
class Plan:
    seed: int
    steps: tuple[Step, ...] = field(default_factory=tuple)

    def digest(self) -> str:
        """Of all that the plan fixes: a run that is resumed must have the same."""
        return hashlib.sha256(json.dumps(asdict(self), sort_keys=True).encode()).hexdigest()[:16]


def make_plan(cases: Sequence[str], parts: Sequence[str], size: Size, seed: int) -> Plan:
    """Errors: ValueError for parts that do not exist, or no case at all."""
    unknown = [part for part in parts if part not in PARTS]
    if unknown:
        raise ValueError(f"no part {', '.join(unknown)}; there are: {', '.join(PARTS)}")
    if not cases:
        raise ValueError("no case is selected")
    makers = {"aa": aa_steps, "power": power_steps, "needle": needle_steps, "peers": peer_steps}
    steps = [step for part in PARTS if part in parts for step in makers[part](cases, size, seed)]
    return Plan(seed, tuple(steps))


def one_of(names: Sequence[str]) -> str:
    """A regular expression (ECMAScript) that these names match, and no other."""
    return "^(" + "|".join(re.escape(name) for name in names) + ")$"


def random_of(seed: int, *what: object) -> random.Random:
    """A generator of its own for each purpose: parts left out do not shift the others."""
    return random.Random(f"{seed}/{'/'.join(map(str, what))}")


def seed_of(seed: int, name: str) -> int:
    return random_of(seed, name).getrandbits(32)


def deal(cases: Sequence[str], count: int, hands: int, source: random.Random) -> list[tuple[str, ...]]:
    """So many hands of `count` distinct cases, each case as often as any other (to within one)."""
    count = min(count, len(cases))
    dealt: list[tuple[str, ...]] = []
    deck: list[str] = []
    for _ in range(hands):
        hand: list[str] = []
        while len(hand) < count:
            if not deck:
                deck = source.sample(list(cases), len(cases))
            # a case that this hand has already waits for the next one
            place = next((i for i, case in enumerate(deck) if case not in hand), None)
            if place is None:
                deck += source.sample(list(cases), len(cases))
                continue
            hand.append(deck.pop(place))
        dealt.append(tuple(hand))
    return dealt


def aa_steps(cases: Sequence[str], size: Size, seed: int) -> Iterator[Step]:
    chosen = deal(cases, size.aa_cases or len(cases), 1, random_of(seed, "aa"))[0]
    selected = tuple(case for case in cases if case in chosen)
    for number in range(size.aa_suites):
        sides, load = AA_SUITES[number % len(AA_SUITES)]
        name = f"aa-{number + 1:03d}"
        yield Step(name, "aa", "duet", selected, seed_of(seed, name), sides, load, swapped=number % 2 == 1)


def power_steps(cases: Sequence[str], size: Size, seed: int) -> Iterator[Step]:
    """Half of a suite is left alone: were every case changed, Benjamini-Hochberg would be lenient."""
    hands = {}
    for percent in size.injected_percent:
        source = random_of(seed, "power", percent)
        injected = deal(cases, size.power_injected, size.power_suites, source)
        hands[percent] = []
        for hand in injected:
            rest = [case for case in cases if case not in hand]
            hands[percent].append((hand, source.sample(rest, min(size.power_unchanged, len(rest)))))
    # all sizes in turn, so that an hour of noise does not fall upon one of them
    for number in range(size.power_suites):
        for percent in size.injected_percent:
            injected_cases, unchanged = hands[percent][number]
            selected = tuple(case for case in cases if case in injected_cases or case in unchanged)
            name = f"power{percent:+.1f}-{number + 1:03d}"
            swapped = number % 2 == 1
            yield Step(
                name,
                "power",
                "duet",
                selected,
                seed_of(seed, name),
                swapped=swapped,
                injected_percent=percent,
                injected_cases=injected_cases,
            )


def needle_steps(cases: Sequence[str], size: Size, seed: int) -> Iterator[Step]:
    hands = deal(cases, 1, size.needle_suites, random_of(seed, "needle"))
    for number, hand in enumerate(hands):
        name = f"needle-{number + 1:03d}"
        yield Step(
            name,
            "needle",
            "duet",
            tuple(cases),
            seed_of(seed, name),
            swapped=number % 2 == 1,
            injected_percent=NEEDLE_PERCENT,
            injected_cases=hand,
        )


def peer_steps(cases: Sequence[str], size: Size, seed: int) -> Iterator[Step]:
    source = random_of(seed, "peers")
    for number, hand in enumerate(deal(cases, size.peer_cases, size.peer_blocks, source)):
        turns = [(percent, protocol) for percent in PEER_PERCENT for protocol in (*PROTOCOLS, "duet")]
        for percent, protocol in source.sample(turns, len(turns)):
            name = f"peers-{number + 1:03d}{percent:+.1f}-{protocol}"
            injected = hand if percent else ()
            yield Step(
                name,
                "peers",
                protocol,
                hand,
                seed_of(seed, name),
                swapped=number % 2 == 1,
                injected_percent=percent,
                injected_cases=injected,
            )
