"""At stake: 600 unchanged comparisons, 200 of each injected size, 50 needles, every seed fixed before the first run."""

import re
import unittest

import plan
from plan import Size, make_plan

CASES = [f"case_{number}[kind=array,dtype=f8,n={number}]" for number in range(60)]


def full(seed: int = 1) -> plan.Plan:
    return make_plan(CASES, plan.PARTS, Size(), seed)


class APlan(unittest.TestCase):
    def test_holds_600_unchanged_comparisons_some_with_each_load(self) -> None:
        suites = [step for step in full().steps if step.part == "aa"]
        self.assertEqual(sum(len(step.cases) for step in suites), 600)
        self.assertEqual({step.load for step in suites}, set(plan.LOADS))
        self.assertEqual({step.sides for step in suites}, set(plan.SIDES))
        self.assertFalse(any(step.injected_percent or step.injected_cases for step in suites))

    def test_injects_each_size_200_times_beside_unchanged_cases(self) -> None:
        for percent in plan.INJECTED_PERCENT:
            suites = [s for s in full().steps if s.part == "power" and s.injected_percent == percent]
            self.assertEqual(sum(len(step.injected_cases) for step in suites), 200)
            for step in suites:
                self.assertEqual(len(step.cases), 40)
                self.assertLessEqual(set(step.injected_cases), set(step.cases))

    def test_injects_into_every_case_about_equally_often(self) -> None:
        counted = dict.fromkeys(CASES, 0)
        for step in full().steps:
            if step.part == "power" and step.injected_percent == 5.0:
                for case in step.injected_cases:
                    counted[case] += 1
        self.assertEqual(set(counted.values()), {3, 4})  # 200 in 60

    def test_has_one_needle_in_each_of_50_suites_of_60(self) -> None:
        suites = [step for step in full().steps if step.part == "needle"]
        self.assertEqual([(len(s.cases), len(s.injected_cases)) for s in suites], [(60, 1)] * 50)
        self.assertEqual(len({step.injected_cases for step in suites}), 50)

    def test_puts_every_rule_on_the_same_cases_and_side_by_side(self) -> None:
        steps = [step for step in full().steps if step.part == "peers"]
        for block in range(20):
            own = steps[8 * block : 8 * block + 8]
            self.assertEqual({step.cases for step in own}, {own[0].cases})
            expected = {(p, percent) for p in (*plan.PROTOCOLS, "duet") for percent in plan.PEER_PERCENT}
            self.assertEqual({(step.protocol, step.injected_percent) for step in own}, expected)

    def test_is_the_same_for_the_same_seed_and_another_for_another(self) -> None:
        self.assertEqual(full(1), full(1))
        self.assertNotEqual(full(1).digest(), full(2).digest())
        self.assertFalse({step.seed for step in full(1).steps} & {step.seed for step in full(2).steps})

    def test_keeps_a_parts_seeds_where_other_parts_are_left_out(self) -> None:
        alone = make_plan(CASES, ["needle"], Size(), 1).steps
        self.assertEqual(alone, tuple(step for step in full().steps if step.part == "needle"))

    def test_gives_every_step_a_name_and_a_seed_of_its_own(self) -> None:
        steps = full().steps
        self.assertEqual(len({step.name for step in steps}), len(steps))
        self.assertEqual(len({step.seed for step in steps}), len(steps))

    def test_deals_fewer_cases_than_a_hand_holds_without_repeating_one(self) -> None:
        steps = make_plan(CASES[:3], ["power"], Size(), 1).steps
        self.assertTrue(all(len(set(step.injected_cases)) == len(step.injected_cases) == 3 for step in steps))

    def test_refuses_an_unknown_part(self) -> None:
        with self.assertRaisesRegex(ValueError, "no part pwoer; there are: aa"):
            make_plan(CASES, ["pwoer"], Size(), 1)

    def test_selects_by_an_expression_that_matches_these_names_only(self) -> None:
        expression = plan.one_of(["add[kind=array,n=1]"])
        self.assertTrue(re.search(expression, "add[kind=array,n=1]"))
        self.assertIsNone(re.search(expression, "add[kind=array,n=16]"))
        self.assertIsNone(re.search(expression, "np_add[kind=array,n=1]"))


if __name__ == "__main__":
    unittest.main()
