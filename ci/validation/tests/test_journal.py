"""At stake: hours of measuring. What a kill leaves can be gone on with, and a run that failed stays in the report."""

import json
import tempfile
import unittest
from pathlib import Path

import journal
import progress
from journal import Journal
from plan import Step

SETTINGS = {"plan": "1234", "seed": 1}


class AJournal(unittest.TestCase):
    def setUp(self) -> None:
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name) / "results"

    def test_goes_on_after_a_line_that_a_kill_tore(self) -> None:
        first = Journal(self.folder, SETTINGS, resume=False)
        first.add({"step": "aa-001", "wall_s": 1.0})
        with first.path.open("a") as file:
            file.write('{"step":"aa-002","wal')
        second = Journal(self.folder, SETTINGS, resume=True)
        self.assertTrue(second.is_done("aa-001"))
        self.assertFalse(second.is_done("aa-002"))
        second.add({"step": "aa-002", "wall_s": 2.0})
        self.assertEqual([line["step"] for line in journal.read(second.path)[1:]], ["aa-001", "aa-002"])

    def test_keeps_a_failed_run_and_asks_for_it_again(self) -> None:
        first = Journal(self.folder, SETTINGS, resume=False)
        first.add({"step": "aa-001", "error": "status 2"})
        second = Journal(self.folder, SETTINGS, resume=True)
        self.assertFalse(second.is_done("aa-001"))
        second.add({"step": "aa-001"})
        self.assertTrue(second.is_done("aa-001"))
        self.assertEqual(len(journal.read(second.path)), 3)

    def test_is_not_gone_on_with_under_another_plan(self) -> None:
        Journal(self.folder, SETTINGS, resume=False)
        with self.assertRaisesRegex(ValueError, "plan 1234, not 5678: resume with the same --seed"):
            Journal(self.folder, {**SETTINGS, "plan": "5678"}, resume=True)

    def test_is_not_overwritten(self) -> None:
        Journal(self.folder, SETTINGS, resume=False)
        with self.assertRaisesRegex(ValueError, "exists; go on with it by --resume"):
            Journal(self.folder, SETTINGS, resume=False)

    def test_keeps_six_digits_and_integers_whole(self) -> None:
        kept = journal.rounded({"ratio": 1.0512345678, "seed": 4294967295, "list": (0.1234567891,)})
        self.assertEqual(json.dumps(kept), '{"ratio": 1.05123, "seed": 4294967295, "list": [0.123457]}')


class TheTimeLeft(unittest.TestCase):
    def test_is_guessed_first_then_as_measured(self) -> None:
        step = Step("aa-001", "aa", "duet", ("x", "y"), 1)
        clock = progress.Clock()
        self.assertEqual(clock.expected_s(step), 2 * progress.GUESSES_S["duet"])
        clock.add({"protocol": "duet", "wall_s": 30.0, "cases": ["x"] * 10})
        self.assertEqual(clock.expected_s(step), 6.0)
        self.assertEqual(progress.text(1, [step] * 3, clock), "[2/3] aa-001, 2 cases; left 12 s")

    def test_reads_well(self) -> None:
        self.assertEqual([progress.duration(s) for s in (7.6, 62, 7260)], ["8 s", "1 min 02 s", "2 h 01 min"])


if __name__ == "__main__":
    unittest.main()
