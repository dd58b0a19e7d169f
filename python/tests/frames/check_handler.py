# At stake: a chain read while it is being linked, thousands of times a second: no crash, no frame that the program did
# not have. Every call that the handler saw must be one that this file makes, every line one of the function's.
import asyncio
import functools
import json
import re
import sys
import threading
import time
import types
import unittest

import probe

RATE_HZ = 20_000


def fibonacci(n):
    return n if n < 2 else fibonacci(n - 1) + fibonacci(n - 2)


def count_up(n):
    i = 0
    while i < n:
        yield i
        i += 1


def delegate(n):
    yield from count_up(n)


def drain():
    return sum(i for i in delegate(50))


def by_key(x):
    return -x


def sort():
    return sorted(range(50), key=by_key)


def add(a, b):
    return fold(b - 5) if b > 5 and b % 7 == 0 else a + b


def fold(n):
    return functools.reduce(add, range(max(n, 1)))


class Point:
    def __init__(self, x):
        self.x = x

    def __add__(self, other):
        return Point(self.x + other.x)

    @property
    def twice(self):
        return fibonacci(2) + self.x


def points():
    total = Point(0)
    for i in range(20):
        total = total + Point(i)
    return total.twice


def fail(n):
    if n == 0:
        raise ValueError("enough")
    return fail(n - 1)


def catch():
    try:
        return fail(5)
    except ValueError:
        return fibonacci(3)


def replaced(match):
    return match.group().upper()


def replace():
    return re.sub("[a-c]", replaced, "abcdefabcdef")


async def step(n):
    await asyncio.sleep(0)
    return fibonacci(n)


async def steps():
    return await asyncio.gather(*(step(i) for i in range(5)))


def loop():
    return asyncio.run(steps())


def deep(n):
    return deep(n - 1) if n else drain()


def compile_anew():
    scope = {"fibonacci": fibonacci}
    exec(compile("def made(n):\n    return fibonacci(n)\nmade(3)", "<made>", "exec"), scope)
    return scope["made"](2)


def text():
    return json.loads(json.dumps({"a": [1, 2, {"b": None}]}, indent=1))


def receive():
    while True:
        try:
            yield
        except ValueError:
            fibonacci(6)


def hand_on():
    yield from receive()


def throw_in():
    generator = hand_on()
    next(generator)
    for _ in range(10):
        generator.throw(ValueError)
    generator.close()


def take_the_gil(ended):
    while not ended.wait(0.001):
        compile_anew()
        text()


PARTS = (drain, sort, points, catch, replace, compile_anew, text, throw_in)


def work():
    fibonacci(10)
    fold(40)
    deep(300)
    for part in PARTS:
        part()


GENEXPR, MADE = "drain.<locals>.<genexpr>", "made"
CALLS = {
    "fibonacci": {"fibonacci"},
    "delegate": {"count_up"},
    "drain": {GENEXPR, "delegate"},
    GENEXPR: {"delegate"},
    "sort": {"by_key"},
    "add": {"fold"},
    "fold": {"add"},
    "Point.__add__": {"Point.__init__"},
    "Point.twice": {"fibonacci"},
    "points": {"Point.__init__", "Point.__add__", "Point.twice"},
    "fail": {"fail"},
    "catch": {"fail", "fibonacci"},
    "step": {"fibonacci"},
    "steps": {"steps.<locals>.<genexpr>"},
    "deep": {"deep", "drain"},
    "compile_anew": {MADE, "<module>"},
    MADE: {"fibonacci"},
    "receive": {"fibonacci"},
    "hand_on": {"receive"},
    "throw_in": {"hand_on", "receive"},  # close() reaches the inner one by itself
    "take_the_gil": {"compile_anew", "text"},
    "work": {"fibonacci", "fold", "deep", *(part.__name__ for part in PARTS)},
}
OWN_FILES = (__file__, "<made>")


def as_told(name):
    return name if probe.LEAVES_ADDRESSES else name.rpartition(".")[2]


def codes_of(code):
    yield code
    for constant in code.co_consts:
        if isinstance(constant, types.CodeType):
            yield from codes_of(constant)


def lines_by_function():
    with open(__file__, encoding="utf-8") as file:
        top = compile(file.read(), __file__, "exec")
    known = {}
    for code in codes_of(top):
        lines = {line for line in probe.lines_of_units(code) if line is not None}
        known.setdefault(probe.name_of(code), set()).update(lines | {code.co_firstlineno})
    return known


class Handler(unittest.TestCase):
    def test_sees_only_what_the_program_does(self):
        work()
        ended = threading.Event()
        other = threading.Thread(target=take_the_gil, args=(ended,))
        other.start()
        start = time.monotonic()
        self.assertEqual(probe.with_gil.frame_probe_start(RATE_HZ), 0)
        while probe.with_gil.frame_probe_calls() < probe.CALLS:
            work()
            loop()
        seconds = time.monotonic() - start
        ended.set()
        other.join()
        counts, calls, places = probe.stop()
        total = counts["calls"]
        causes = set(probe.UNREADABLE)
        if not probe.LINKS_THROWN_INTO:
            causes.remove(probe.NO_LOOP)  # whatever throw_in() does is that: check_generators.py has why
        unreadable = sum(counts[f"chain{cause}"] for cause in causes)
        print(
            f"{total} calls in {seconds:.1f} s, {counts['spent_ns'] / total:.0f} ns each,"
            f" {counts['frames'] / total:.1f} frames; unreadable {unreadable} ({100 * unreadable / total:.3f} %),"
            f" cut {counts['chain2']}, none {counts['chain0']}; without the GIL {counts['without_gil']};"
            f" {counts['described']} described, {counts['refused']} refused, {len(calls)} distinct calls"
        )
        self.assertEqual((counts["undescribed"], counts["refused"], counts["lost"], counts["chain0"]), (0, 0, 0, 0))
        self.assertLess(unreadable, 0.02 * total)
        self.check_calls(calls)
        self.check_places(places)

    def check_calls(self, calls):
        allowed = {}
        for caller, callees in CALLS.items():
            allowed.setdefault(as_told(caller), set()).update(map(as_told, callees))
        wrong = set()
        for caller, caller_file, callee, callee_file in calls:
            self.assertNotIn("?", (caller, callee), "a number that does not resolve")
            self.assertNotIn("", (caller, callee))
            if caller_file == callee_file == __file__ and callee not in allowed.get(caller, {callee}):
                wrong.add((caller, callee))
        self.assertEqual(wrong, set())
        self.assertGreaterEqual(
            {(a, c) for a, _, c, _ in calls}, {("fold", "add"), ("deep", "deep"), ("drain", as_told(GENEXPR))}
        )

    def check_places(self, places):
        known = lines_by_function()
        wrong = {
            (n, line) for n, file, line in places if file == __file__ and line != -1 and line not in known.get(n, ())
        }
        self.assertEqual(wrong, set())
        self.assertGreater(len({n for n, file, _ in places if file == __file__}), 15)


if __name__ == "__main__":
    probe.prepare()
    unittest.main(argv=sys.argv[:1])
