# At stake: sum(g) of a generator takes 30 us once and 40 ns ever after, and a pop that raises is no pop. What is timed
# is the second kind, and nobody said so.
import sys
import unittest

from tare import _session
from tests.suite_folder import load_expression

POP = """
d = {"k": 1}
def taken():
    try:
        return d.pop("k")
    except KeyError:
        return None
"""
TWICE = """
def twice():
    for _ in range(2):
        try:
            int("x")
        except ValueError:
            pass
    return 1
"""
CACHED = """
import functools
@functools.lru_cache
def cached(x):
    try:
        return int("x")
    except ValueError:
        return 3
"""


def told(statement, setup="", each=""):
    answer = _session.load([], {"statement": statement, "setup": setup, "each": each})
    assert not answer["problems"], answer["problems"]
    return _session.repeats(answer["cases"][0]["name"])


class Repeats(unittest.TestCase):
    def test_what_is_used_up_is_told_with_both_values(self):
        for statement, setup, values in (
            ("sum(g)", "g = (i for i in range(1000))", "gives 499500, later ones 0:"),
            ("list(i)", "i = iter([1, 2])", "gives [1, 2], later ones []:"),
            ("x = next(i, None)", "i = iter([5])", "gives 5, later ones None:"),
            ("l.acquire(False)", "import threading; l = threading.Lock()", "gives True, later ones False:"),
            ("s.read()", "import io; s = io.StringIO('text')", "gives 'text', later ones '':"),
            ("x = x[100:]", "x = 'a' * 101", "gives 'a', later ones '':"),
            ("list(i)", "i = iter(range(1000))", "gives [0, 1, 2, 3, 4, 5, ...], later ones []:"),
        ):
            with self.subTest(statement):
                self.assertIn(values, told(statement, setup))

    def test_what_is_raised_and_caught_from_the_second_on_is_told_with_its_place(self):
        self.assertRegex(told("taken()", POP), r"second execution on KeyError is raised and caught, at taken \(.*:5\)")
        here = "try:\n    q.pop()\nexcept IndexError:\n    q.clear()"
        self.assertIn("IndexError is raised and caught", told(here, "q = [1]"))

    def test_of_what_does_the_same_nothing_is_told(self):
        for statement, setup in (
            ("x + 1", "x = 1"),
            ("x + x", "import numpy as np; x = np.ones(3)"),
            ("x.sum() > 9", "import numpy as np; x = np.ones(3)"),
            ("random.random()", "import random"),
            ("twice()", TWICE),
            ("cached(1)", CACHED),
            ("sum(i for i in range(9))", ""),
            ("next(i)", "import itertools; i = itertools.count()"),
            ("n += 1", "n = -1"),
            ("pass; import math", ""),
            ("a[q.pop()] = 1", "a = [0] * 9; q = list(range(9))"),
            ("10 ** 5000", ""),
        ):
            with self.subTest(statement):
                self.assertEqual(told(statement, setup), "")

    def test_of_a_statement_with_a_set_up_of_each_nothing_is_told(self):
        self.assertEqual(told("list(i)", "l = [1]", "i = iter(l)"), "")

    def test_what_raises_itself_is_the_callers_to_judge_and_a_tracer_stays(self):
        def tracer(*_):
            return None

        sys.settrace(tracer)
        try:
            with self.assertRaises(IndexError):
                told("q.pop()", "q = [1]")
            self.assertIs(sys.gettrace(), tracer)
        finally:
            sys.settrace(None)

    def test_operands_of_the_measurement_are_left_alone(self):
        answer = load_expression("q.append(1)", "q = []")
        name = answer["cases"][0]["name"]
        prepared = _session.prepare(name, 1, 1)
        _session.repeats(name)
        self.assertEqual(prepared.operands["q"], [])


if __name__ == "__main__":
    unittest.main()
