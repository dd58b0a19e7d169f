"""At stake: peers judged by rules that are not theirs. What their documents say, on samples made for that."""

import importlib.util
import random
import unittest

import rules


def side(values: list[float], number: int = 1000) -> dict[str, object]:
    return {"number": number, "wall_s": values, "cpu_s": values}


def spread(middle: float, count: int, seed: int, relative: float = 0.001) -> dict[str, object]:
    source = random.Random(seed)
    return side([middle * (1 + relative * source.gauss(0, 1)) for _ in range(count)])


def has(module: str) -> bool:
    return importlib.util.find_spec(module) is not None


@unittest.skipUnless(has("asv"), "asv is not installed here; ci/full runs this with the tools of ci/validate")
class Asv(unittest.TestCase):
    def test_calls_a_clear_difference_beyond_its_factor(self) -> None:
        a, b = spread(1e-6, 10, 1), spread(1.2e-6, 10, 2)
        self.assertEqual([rules.asv(1.1)(a, b), rules.asv(1.1)(b, a)], ["slower", "faster"])

    def test_sees_5_percent_with_neither_factor(self) -> None:
        # 1.05 < 1.05 is false, and 1.049 even more so
        self.assertEqual(rules.asv(1.1)(spread(1e-6, 10, 1), spread(1.05e-6, 10, 2)), "same")
        self.assertEqual(rules.asv(1.05)(spread(1e-6, 10, 1), spread(1.045e-6, 10, 2)), "same")
        self.assertEqual(rules.asv(1.05)(spread(1e-6, 10, 1), spread(1.06e-6, 10, 2)), "slower")

    def test_wants_the_u_test_besides_the_factor(self) -> None:
        a = side([1.0, 3.0] * 5)
        b = side([1.3, 2.9, 1.4, 3.3, 2.6] * 2)
        self.assertEqual([rules.asv(1.1)(a, b), rules.asv(1.1)(b, a)], ["same", "same"])


@unittest.skipUnless(has("pyperf"), "pyperf is not installed here; ci/full runs this with the tools of ci/validate")
class Pyperf(unittest.TestCase):
    def test_calls_whatever_its_t_test_calls(self) -> None:
        a, b = spread(1e-6, 60, 1), spread(1.01e-6, 60, 2)
        self.assertEqual([rules.pyperf()(a, b), rules.pyperf()(b, a)], ["slower", "faster"])
        self.assertEqual(rules.pyperf()(a, a), "same")


@unittest.skipUnless((rules.GBENCH_TOOLS / "gbench").exists(), f"{rules.GBENCH_TOOLS}/gbench: libbenchmark-tools")
class GoogleBenchmark(unittest.TestCase):
    def test_decides_by_the_real_times(self) -> None:
        rule = rules.gbench()
        a, b = spread(1e-6, 10, 1), spread(1.01e-6, 10, 2)
        self.assertEqual([rule(a, b), rule(b, a), rule(a, a)], ["slower", "faster", "same"])


class TheUTest(unittest.TestCase):
    def test_is_exact_and_two_sided_at_5_percent(self) -> None:
        # of 4 and 4, complete separation has p = 2 / 70 = 0.0286; of 3 and 3, 2 / 20 = 0.1
        self.assertEqual(rules.u_test(side([1.0, 2, 3, 4]), side([5.0, 6, 7, 8])), "slower")
        self.assertEqual(rules.u_test(side([5.0, 6, 7, 8]), side([1.0, 2, 3, 4])), "faster")
        self.assertEqual(rules.u_test(side([1.0, 2, 3]), side([5.0, 6, 7])), "same")
        # of 2 and 8, 2 / 45 = 0.044, where the normal approximation says 0.0502
        self.assertEqual(rules.u_test(side([1.0, 2]), side([3.0, 4, 5, 6, 7, 8, 9, 10])), "slower")

    def test_lives_with_ties(self) -> None:
        self.assertEqual(rules.u_test(side([1.0] * 10), side([1.0] * 10)), "same")


class Deciding(unittest.TestCase):
    def test_keeps_rules_and_cases_in_order(self) -> None:
        samples = {"x": {"a": side([1.0] * 6), "b": side([2.0] * 6)}, "y": {"a": side([2.0] * 6), "b": side([1.0] * 6)}}
        self.assertEqual(rules.decide({"U": rules.u_test}, samples), {"U": ["slower", "faster"]})


if __name__ == "__main__":
    unittest.main()
