# At stake: 17 ms for a sort that takes 203. What is repeated is another statement than was meant, and nobody said so.
import unittest

from bench_process import DRIFTS, BenchTest, said_every_time

# Fewer workers and less time than by default, but enough placements.
FEW = ("--rounds", "2", "--visit-budget", "0.3")
LIST = "import random; l = [random.random() for _ in range(3000)]"


class Drift(BenchTest):
    def said_of(self, statement, setup, *how):
        ran = self.bench("run", "-e", statement, "--setup", setup, *(how or FEW))
        return " ".join(ran.out.split())

    def test_a_statement_that_changes_what_it_works_on_is_told(self):
        for statement, setup, told in (
            ("l.sort()", LIST, "its cost falls as it is repeated"),
            ("l.sort(reverse=True)", LIST, "its cost falls as it is repeated"),
            ("q.append(0); q.count(1)", "q = []", "its cost rises as it is repeated"),
            ("d.setdefault(len(d), 0); sum(d)", "d = {}", "its cost rises as it is repeated"),
            ("list(i)", "i = iter(range(30_000))", "its cost falls as it is repeated"),
            ("s.add(len(s)); frozenset(s)", "s = set()", "its cost rises as it is repeated"),
            ("b.extend(b'x' * 999); b.count(0)", "b = bytearray()", "its cost rises as it is repeated"),
        ):
            with self.subTest(statement):
                self.assertIn(f"{statement}: {told}", self.said_of(statement, setup))

    def test_of_a_copy_nothing_is_told(self):
        for statement, setup in (
            ("m = l[:]; m.sort()", LIST),
            ("sorted(l)", LIST),
            ("x + x", "import numpy as np; x = np.arange(8.0)"),
            ("a.append(1)", "a = []"),
        ):
            with self.subTest(statement):
                self.assertFalse(said_every_time(DRIFTS, lambda: self.said_of(statement, setup)))  # noqa: B023

    def test_a_statement_that_uses_up_what_its_set_up_made_is_told(self):
        told = self.said_of("sum(g)", "g = (i for i in range(1000))", "--quick")
        self.assertIn("sum(g): its first execution gives 499500, later ones 0", told)
        told = self.said_of("try: q.pop()\nexcept IndexError: pass", "q = [1]", "--quick")
        self.assertIn("from its second execution on IndexError is raised and caught", told)
        self.assertNotIn("its first execution", self.said_of("sum(l)", "l = [1, 2]", "--quick"))

    def test_a_duet_tells_which_side(self):
        ran = self.bench("duet", "-e", "l.sort()", "--setup", LIST, "--budget", "0.5", "--quads", "6")
        self.assertIn("l.sort(): side b: its cost falls as it is repeated", " ".join(ran.out.split()))
        setup = "g = (i for i in range(1000))"
        ran = self.bench("duet", "-e", "sum(g)", "--setup", setup, "--budget", "0.5", "--quads", "6")
        for side in "ab":
            told = f"sum(g): side {side}: its first execution gives 499500, later ones 0"
            self.assertIn(told, " ".join(ran.out.split()))


if __name__ == "__main__":
    unittest.main()
