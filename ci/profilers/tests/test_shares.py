"""At stake: an error that is too small calls equal profilers different; one that is too large says nothing."""

import math
import unittest

from shares import Side, error_of, error_over, rows, table


class Shares(unittest.TestCase):
    def test_are_of_all_runs_together_heaviest_first(self) -> None:
        found = rows(Side([{"a": 30, "b": 70}, {"a": 50, "b": 50}]), Side([{"a": 40, "b": 59, "c": 1}]), 2)
        self.assertEqual([(row.key, row.ours, row.theirs) for row in found], [("b", 0.6, 0.59), ("a", 0.4, 0.4)])

    def test_error_is_the_binomial_one_where_runs_agree(self) -> None:
        runs = [{"a": 100, "b": 900}] * 4
        (_, row) = rows(Side(runs), Side(runs), 2)
        self.assertAlmostEqual(row.error, 2 * math.sqrt(2 * 0.1 * 0.9 / 4000), places=4)

    def test_error_is_that_over_the_runs_where_they_do_not(self) -> None:
        self.assertAlmostEqual(error_over([0.1, 0.3]), 0.1)
        self.assertEqual(error_over([0.1]), 0)
        side = Side([{"a": 100, "b": 900}, {"a": 300, "b": 700}])
        self.assertAlmostEqual(side.error("a"), 0.1)

    def test_of_none_has_an_error(self) -> None:
        self.assertGreater(error_of(0, 100), 0.005)

    def test_is_out_beyond_two_points_and_the_error(self) -> None:
        ours, theirs = Side([{"a": 5000, "b": 5000}]), Side([{"a": 5300, "b": 4700}])
        self.assertTrue(all(row.agrees for row in rows(ours, theirs, 9)))  # 3 points, 2 + 1.4 allowed
        found = rows(ours, Side([{"a": 5500, "b": 4500}]), 9)
        self.assertFalse(any(row.agrees for row in found))
        self.assertTrue(table("f", ("x", "y"), found, {"a": "a", "b": "b"})[1].endswith("OUT"))

    def test_could_disagree_only_above_what_is_allowed(self) -> None:
        ours, theirs = Side([{"a": 9990, "b": 10}]), Side([{"a": 9900, "b": 100}])
        self.assertEqual([row.could_disagree for row in rows(ours, theirs, 9)], [True, False])

    def test_is_far_off_where_a_function_is_missed(self) -> None:
        ours, theirs = Side([{"a": 500, "b": 500}]), Side([{"a": 700, "b": 300}])
        self.assertFalse(any(row.is_far_off for row in rows(ours, Side([{"a": 600, "b": 400}]), 9)))
        self.assertTrue(all(row.is_far_off for row in rows(ours, theirs, 9)))

    def test_leaves_out_runs_without_samples(self) -> None:
        self.assertEqual(len(Side([{}, {"a": 1}]).runs), 1)
