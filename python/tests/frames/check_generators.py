# At stake: who resumes whom: generators and coroutines that are sent to, thrown into, closed and cancelled, each with
# its names and lines, and in the C frame of its own eval loop.
import asyncio
import sys
import unittest

import probe
from looking import Looking

NOT_LINKED = "CPython 3.9 links nothing behind a generator that hands throw() on; another test has what is told of it"


class Generators(Looking):
    def test_generators(self):
        def numbers():
            yield self.look()
            yield from more()

        def more():
            yield self.look()

        for _ in numbers():
            self.assertIn("test_generators", [name for run in self.runs() for name in run])
        list(numbers())
        self.assertIn("more", self.runs()[0])

    @unittest.skipIf(probe.LINKS_THROWN_INTO, "since CPython 3.10 what is thrown into is linked")
    def test_a_generator_that_nothing_is_linked_behind_is_unreadable(self):
        def inner():
            try:
                yield
            except ValueError:
                yield probe.copy().chain

        def outer():
            yield from inner()

        generator = outer()
        next(generator)
        self.assertEqual(generator.throw(ValueError), probe.NO_LOOP)

    @unittest.skipUnless(probe.LINKS_THROWN_INTO, NOT_LINKED)
    def test_generators_that_are_thrown_into_or_closed_through_another(self):
        class Again(Exception):
            pass

        def inner():
            while True:
                try:
                    yield 1
                except Again:
                    self.look()
                finally:
                    self.look()

        def middle():
            yield from inner()

        def outer():
            yield from middle()

        def suspended(make):
            generator = make()
            next(generator)
            return generator

        for make, names in (
            (inner, ["inner"]),
            (middle, ["inner", "middle"]),
            (outer, ["inner", "middle", "outer"]),
        ):
            with self.subTest(make.__name__):
                for _ in range(3):
                    generator = suspended(make)
                    generator.throw(Again)
                    generator.throw(Again())
                    seen = [name for run in self.runs() for name in run]
                    self.assertEqual(seen[: len(names)], names)
                    if make is inner:
                        next(generator)  # sent to, not thrown into
                    generator.close()
                    self.assertEqual(self.runs()[0][0], "inner")  # close() links none of those between

    @unittest.skipUnless(probe.LINKS_THROWN_INTO, NOT_LINKED)
    def test_generators_thrown_into_from_another_eval_loop(self):
        def inner():
            try:
                yield
            except ValueError:
                sorted([1], key=self.look)
                yield 2

        def outer():
            yield from inner()

        def throw(_):
            generator = outer()
            next(generator)
            return generator.throw(ValueError)

        self.assertEqual(list(map(throw, "ab")), [2, 2])

    @unittest.skipUnless(probe.LINKS_THROWN_INTO, NOT_LINKED)
    def test_coroutines_that_are_cancelled_under_an_await(self):
        async def leaf():
            try:
                await asyncio.sleep(10)
            except asyncio.CancelledError:
                self.look()
                raise
            finally:
                self.look()

        async def branch():
            async with Context():
                await leaf()

        class Context:
            async def __aenter__(own):
                self.look()

            async def __aexit__(own, *_):
                self.look()

        async def tree():
            task = asyncio.ensure_future(branch())
            await asyncio.sleep(0)
            task.cancel()
            try:
                await task
            except asyncio.CancelledError:
                self.look()

        asyncio.run(tree())

    def test_asynchronous_generators(self):
        async def numbers():
            try:
                yield self.look()
                yield self.look()
            except ValueError:
                yield self.look()
            finally:
                self.look()

        async def all_of(numbers):
            async for _ in numbers:
                self.look()

        async def use():
            await all_of(numbers())
            for end in ("throw", "close"):
                own = numbers()
                await own.__anext__()
                if end == "throw":
                    await own.athrow(ValueError)
                await own.aclose()
            return [self.look() async for _ in numbers()]

        asyncio.run(use())

    def test_coroutines(self):
        async def inner():
            self.look()
            await asyncio.sleep(0)
            self.look()

        async def outer():
            await asyncio.gather(inner(), inner())

        asyncio.run(outer())
        self.assertEqual(self.runs()[0][0], "inner")


if __name__ == "__main__":
    probe.prepare()
    unittest.main(argv=sys.argv[:1])
