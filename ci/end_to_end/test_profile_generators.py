# At stake: who resumes whom. Where generators and coroutines are thrown into, closed or cancelled through others, half
# of the samples had no Python function at all.
import json
import os
import subprocess
import unittest

from bench_process import PYTHON, BenchTest

SECONDS = 2.0
USERS = os.environ.get("TARE_USERS_PYTHON", "")
LEAST_WHOLE = 0.99
PREPARED = """
import asyncio, contextlib, itertools, time, types
class Again(Exception): pass
def burn(n=60):
    total = 0
    for i in range(n): total += i
    return total
def numbers(n=3):
    for i in range(n):
        burn()
        yield i
def patient():
    while True:
        try:
            yield burn()
        except Again:
            burn()
def through(inner):
    yield from inner
def suspended(make):
    made = make(); next(made); return made
def walk(depth):
    burn()
    yield depth
    if depth:
        yield from walk(depth - 1)
        yield from walk(depth - 1)
async def leaf():
    await asyncio.sleep(0); return burn()
async def branch():
    return await leaf() + burn()
async def cancelled():
    async def waits():
        try:
            await asyncio.sleep(60)
        finally:
            burn()
    async def outer():
        await waits()
    task = asyncio.ensure_future(outer())
    await asyncio.sleep(0); task.cancel()
    with contextlib.suppress(asyncio.CancelledError):
        await task
class Context:
    async def __aenter__(self): burn(); return self
    async def __aexit__(self, *_): burn()
async def counting(n=3):
    for i in range(n):
        burn()
        yield i
async def caught():
    made = counting(); await made.__anext__()
    with contextlib.suppress(Again):
        await made.athrow(Again())
@contextlib.contextmanager
def managed():
    burn()
    try:
        yield
    finally:
        burn()
@types.coroutine
def bare():
    burn(); yield; burn()
async def awaits_bare(): await bare()
def sent():
    total = 0
    while True:
        total += (yield burn()) or 0
def driven(coroutine):
    with contextlib.suppress(StopIteration):
        while True: coroutine.send(None)
async def within():
    async with Context(): await leaf()
async def iterated(): return [i async for i in counting()]
"""
PROGRAMS = {
    "next": "list(numbers())",
    "expression": "sum(burn() for _ in range(4))",
    "delegation": "list(through(numbers()))",
    "delegation, three deep": "list(through(through(through(numbers()))))",
    "recursion": "list(walk(3))",
    "send": "s = suspended(sent); s.send(1); s.send(2); s.close()",
    "send through another": "s = suspended(lambda: through(sent())); s.send(1); s.send(2)",
    "throw": "p = suspended(patient); p.throw(Again()); p.throw(Again())",
    "throw through another": "p = suspended(lambda: through(patient())); p.throw(Again()); p.throw(Again())",
    "throw through three": "p = suspended(lambda: through(through(through(patient())))); p.throw(Again())",
    "close through another": "suspended(lambda: through(patient())).close()",
    "of a library in C": "list(itertools.chain(numbers(), map(burn, numbers())))",
    "side by side": "list(zip(numbers(), numbers(), through(numbers())))",
    "context": "with managed(): burn()",
    "context that is left by an exception": "with contextlib.suppress(Again), managed(): raise Again",
    "await": "loop.run_until_complete(branch())",
    "await without a loop": "driven(awaits_bare())",
    "gather": "loop.run_until_complete(asyncio.wait_for(branch(), 9))",
    "cancellation": "loop.run_until_complete(cancelled())",
    "async with": "loop.run_until_complete(within())",
    "async for": "loop.run_until_complete(iterated())",
    "athrow": "loop.run_until_complete(caught())",
}
# CPython 3.9 loses the callers of a generator while another hands throw() on to it, and links nothing in their place.
LOST_BY_39 = ("throw through another", "throw through three", "cancellation")
LOOP = """
loop = asyncio.new_event_loop()
def main():
    end = time.thread_time() + {seconds}
    while time.thread_time() < end:
        for _ in range(20):
            {statement}
main()
loop.close()
"""


SWITCHED = """
import greenlet, time
def burn():
    for _ in range(20_000): pass
def inner(_):
    while True:
        burn()
        main.switch()
main = greenlet.getcurrent()
switched = [greenlet.greenlet(inner) for _ in range(3)]
end = time.thread_time() + 1
while time.thread_time() < end:
    for each in switched:
        each.switch(None)
"""
DELEGATED = """
import time
class Again(Exception): pass
def burn():
    for _ in range(20_000): pass
def inner():
    while True:
        try:
            yield 1
        except Again:
            burn()
def outer():
    yield from inner()
end = time.thread_time() + 1
"""


def is_39(python):
    asked = [python, "-c", "import sys; print(sys.version_info < (3, 10))"]
    return subprocess.run(asked, capture_output=True, text=True, check=True).stdout.strip() == "True"


class Generators(BenchTest):
    def test_are_read_in_99_of_100_samples_however_they_are_resumed(self):
        for python in [PYTHON, *filter(None, os.environ.get("TARE_GENERATOR_PYTHONS", "").split(";"))]:
            for name, statement in PROGRAMS.items():
                with self.subTest(name, python=python):
                    program = PREPARED + LOOP.format(seconds=SECONDS, statement=statement)
                    self.bench("profile", "--python", python, "--out", "p.json", "-c", program)
                    profile = json.loads((self.folder / "p.json").read_text())
                    quality = profile["quality"]
                    chains = sum(quality[f"python_{kind}"] for kind in ("whole", "cut", "unreadable"))
                    self.assertGreater(chains, 100)
                    lost = 0
                    if name in LOST_BY_39 and is_39(python):
                        lost = quality["python_unreadable_by"]["loop"]
                        self.assertLess(lost, 0.75 * chains, "a third of the time is burnt outside of it")
                    self.assertGreaterEqual((quality["python_whole"] + lost) / chains, LEAST_WHOLE, quality)
                    self.assertLessEqual(quality["unmatched_boundaries"], 0.01 * quality["boundaries"], quality)
                    ours = {f["name"] for f in profile["functions"] if f["kind"] == "python"}
                    if not (name == "cancellation" and lost > 0):  # all that such a task burns is lost
                        self.assertIn("burn", ours)

    @unittest.skipUnless(USERS, "TARE_USERS_PYTHON, an environment with greenlet, is not set")
    def test_are_read_whole_in_greenlets(self):
        self.bench("profile", "--python", USERS, "--out", "p.json", "--folded", "f.txt", "-c", SWITCHED)
        quality = json.loads((self.folder / "p.json").read_text())["quality"]
        chains = sum(quality[f"python_{kind}"] for kind in ("whole", "cut", "unreadable"))
        self.assertGreater(chains, 100)
        self.assertGreaterEqual(quality["python_whole"] / chains, LEAST_WHOLE, quality)
        burning = [line for line in (self.folder / "f.txt").read_text().splitlines() if ";burn (" in line]
        self.assertTrue(burning and all("inner (" in line for line in burning), burning[:1])

    def test_what_runs_below_a_delegated_throw_has_its_time(self):
        shares = []
        for throw in ("outer", "inner"):
            code = (
                DELEGATED + f"g = {throw}()\nnext(g)\nwhile time.thread_time() < end:\n    burn()\n    g.throw(Again)\n"
            )
            self.bench("profile", "--folded", "f.txt", "-c", code)
            stacks = [line.rpartition(" ") for line in (self.folder / "f.txt").read_text().splitlines()]
            inside = sum(int(count) for stack, _, count in stacks if "inner (" in stack and ";burn (" in stack)
            shares.append(inside / sum(int(count) for _, _, count in stacks))
        # Half of about 1,000 samples, whose share has a standard error of 0.016: 8 of them, and the start of Python.
        self.assertAlmostEqual(shares[0], shares[1], delta=0.13)
        self.assertGreater(shares[0], 0.3)


if __name__ == "__main__":
    unittest.main()
