"""At stake: a verdict or an executed size that is misread makes every figure of a validation wrong without a sign."""

import json
import unittest
from pathlib import Path

import duet


def record(verdicts: list[dict[str, object]], rows: list[dict[str, object]]) -> str:
    return json.dumps({"context": {}, "benchmarks": rows, "tare": {"verdicts": verdicts}})


VERDICT = {"case": "add", "verdict": "slower", "reason": "", "a_pairs": 6, "ratio": 1.05}
VERDICT |= {"low_ratio": 1.04, "high_ratio": 1.06}


def row(side: str, iterations: int, **more: object) -> dict[str, object]:
    return {"name": f"add/python/{side}", "iterations": iterations, **more}


class ReadingADuet(unittest.TestCase):
    def test_gives_each_verdict_with_its_interval(self) -> None:
        (one,) = duet.read_duet(record([VERDICT], []))
        self.assertEqual((one.case, one.verdict, one.pairs), ("add", "slower", 6))
        self.assertEqual((one.ratio, one.low_ratio, one.high_ratio), (1.05, 1.04, 1.06))
        self.assertIsNone(one.executed_ratio)

    def test_counts_what_both_sides_executed_over_all_pairs(self) -> None:
        rows = [row("a", 1000), row("b", 1048), row("a", 3000), row("b", 3152)]
        (one,) = duet.read_duet(record([VERDICT], rows))
        self.assertEqual(one.executed_ratio, 1.05)

    def test_leaves_failed_visits_out_of_the_executions(self) -> None:
        rows = [row("a", 1000), row("b", 1050), {"name": "add", "error_occurred": True, "iterations": 0}]
        self.assertEqual(duet.executed_ratios(rows), {"add": 1.05})

    def test_takes_a_word_that_is_no_verdict_for_a_failed_case(self) -> None:
        (one,) = duet.read_duet(record([{**VERDICT, "verdict": "only in a", "ratio": None}], []))
        self.assertEqual((one.verdict, one.reason), ("failed", "only in a"))

    def test_refuses_another_record(self) -> None:
        with self.assertRaisesRegex(ValueError, "not the record of a duet.*verdicts"):
            duet.read_duet(json.dumps({"tare": {"cases": []}}))

    def test_survives_the_journal(self) -> None:
        (one,) = duet.read_duet(record([VERDICT], [row("a", 1), row("b", 1)]))
        self.assertEqual(duet.comparison_of(json.loads(json.dumps(one.as_row()))), one)


class TheCommandLine(unittest.TestCase):
    def test_injects_only_where_asked(self) -> None:
        out = Path("/o/record.json")
        plain = duet.arguments(Path("/a"), Path("/b"), "^x$", 7, 1, 0.0, None, out)
        self.assertNotIn("--inject", plain)
        injected = duet.arguments(Path("/a"), Path("/b"), "^x$", 7, 1, -5.0, "^(x)$", out)
        self.assertEqual(injected[injected.index("--inject") + 1], "-5")
        self.assertEqual(injected[injected.index("--inject-case") + 1], "^(x)$")
        self.assertEqual(plain[plain.index("--seed") + 1], "7")


if __name__ == "__main__":
    unittest.main()
