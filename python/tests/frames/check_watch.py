# At stake: which Python function and line an instruction is counted for, when the thread is stepped: the innermost
# frame between two instructions, as sys._getframe tells it.
import asyncio
import sys
import unittest

import probe

look = probe.with_gil.frame_probe_watch  # no Python function: the caller stays the innermost frame


class Watch(unittest.TestCase):
    def setUp(self):
        self.expected = []
        probe.watched()

    def here(self):
        """To be called on the line of a look()."""
        frame = sys._getframe(1)
        self.expected.append((probe.name_of(frame.f_code), frame.f_lineno))

    def check(self):
        told = []
        for answer in probe.watched():
            told.append(answer or told[-1])  # none: as before
        self.assertEqual(told, self.expected)

    def test_functions_that_are_called_and_come_back(self):
        def inner(depth):
            look(), self.here()
            if depth:
                inner(depth - 1)
                look(), self.here()

        inner(3)
        look(), self.here()
        self.check()

    def test_says_nothing_where_nothing_changed_and_a_line_where_one_did(self):
        def twice():
            for _ in range(3):
                look()

        twice()
        told = probe.watched()
        self.assertEqual(len(told), 3)
        self.assertEqual(told[0], (probe.name_of(twice.__code__), twice.__code__.co_firstlineno + 2))
        for each in told[1:]:
            self.assertIn(each, (None, told[0]))

    def test_generators_and_coroutines(self):
        def numbers():
            for i in range(3):
                look(), self.here()
                yield i

        def through():
            yield from numbers()
            look(), self.here()

        async def leaf():
            look(), self.here()
            await asyncio.sleep(0)
            look(), self.here()

        async def branch():
            await leaf()
            look(), self.here()

        for _ in through():
            look(), self.here()
        asyncio.run(branch())
        self.check()

    def test_classes_and_what_calls_back_from_c(self):
        class Made:
            def __init__(self, outer):
                look(), outer.here()

            def __lt__(self, other):
                return look() is None

        made = [Made(self), Made(self)]
        sorted([1, 2], key=lambda _: (look(), self.here()))
        look(), self.here()
        self.check()
        made.sort()
        self.assertEqual(probe.watched()[0][0], probe.name_of(Made.__lt__.__code__))

    def test_code_that_was_compiled_just_now(self):
        for i in range(20):
            scope = {"look": look, "here": self.here}
            exec(compile(f"def f{i}():\n look(), here()\nf{i}()", f"<made {i}>", "exec"), scope)
        self.check()


if __name__ == "__main__":
    probe.prepare()
    unittest.main(argv=sys.argv[:1])
