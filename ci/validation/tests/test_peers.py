"""At stake: peers are measured as their documents say (how many processes, whose turn), else it is unfair."""

import unittest
from pathlib import Path
from typing import Any

import peers

SUBJECT = peers.Subject({"a": Path("/a"), "b": Path("/b")}, 1, Path("/suite"), 1.05)


class Asked:
    """Answers in place of processes, and keeps what each was asked."""

    def __init__(self) -> None:
        self.processes: list[tuple[str, dict[str, Any]]] = []

    def __call__(self, subject: peers.Subject, side: str, order: dict[str, Any]) -> dict[str, dict[str, Any]]:
        self.processes.append((side, order))
        number = 100 + len(self.processes)
        wall_s = [float(len(self.processes))] * order.get("values", 5)
        answer = {"number": number, "wall_s": wall_s, "cpu_s": [], "executed_ratio": 1.0}
        return {case: dict(answer) for case in order["cases"]}


def measured(protocol: str) -> tuple[peers.Samples, list[tuple[str, dict[str, Any]]]]:
    asked = Asked()
    return peers.measure(protocol, ["x", "y"], SUBJECT, asked), asked.processes


class Asv(unittest.TestCase):
    def test_takes_two_rounds_of_a_process_a_case_by_turns_of_the_sides(self) -> None:
        samples, processes = measured("asv")
        expected = [(side, [case]) for _ in range(2) for side in "ab" for case in "xy"]
        self.assertEqual([(side, order["cases"]) for side, order in processes], expected)
        self.assertEqual(samples["x"]["a"]["wall_s"], [1.0] * 5 + [5.0] * 5)  # both rounds, pooled as asv does


class Pyperf(unittest.TestCase):
    def test_takes_20_processes_of_one_side_then_20_of_the_other(self) -> None:
        samples, processes = measured("pyperf")
        self.assertEqual([side for side, _ in processes], ["a"] * 20 + ["b"] * 20)
        self.assertEqual(len(samples["y"]["b"]["wall_s"]), 60)

    def test_calibrates_in_the_first_process_of_a_side_alone(self) -> None:
        _, processes = measured("pyperf")
        self.assertEqual([order["numbers"] == {} for _, order in processes], ([True] + [False] * 19) * 2)
        self.assertEqual({order["numbers"]["x"] for _, order in processes[1:20]}, {101})


class GoogleBenchmark(unittest.TestCase):
    def test_takes_ten_repetitions_in_one_process_a_side(self) -> None:
        samples, processes = measured("gbench")
        self.assertEqual([side for side, _ in processes], ["a", "b"])
        self.assertEqual(len(samples["x"]["a"]["wall_s"]), 10)


class AnUnknownProtocol(unittest.TestCase):
    def test_is_refused(self) -> None:
        with self.assertRaisesRegex(ValueError, "no protocol 'hyperfine'"):
            measured("hyperfine")


if __name__ == "__main__":
    unittest.main()
