# At stake: a disk that fills up in mid-run costs no visit that was journalled, and its file is named.
import re
import subprocess
import unittest

from bench_process import SHORT, BenchTest

MANY = r"^(add|subtract|multiply)\["


class FullDisk(BenchTest):
    def setUp(self):
        super().setUp()
        self.small_store()

    def test_is_an_error_that_names_the_file_and_keeps_what_was_written(self):
        ran = self.bench("run", "--filter", MANY, "--rounds", 3, *SHORT, code=2)
        self.assertRegex(
            ran.err,
            rf"bench: error: cannot write.*{re.escape(str(self.store))}/journal/.*\.jsonl.*No space left on device",
        )
        self.assertIn("--store", ran.err)
        self.assertIn("gross", ran.out, "what was measured is shown, even if it cannot be kept")
        (journal,) = self.store.glob("journal/*.jsonl")
        visits = journal.read_bytes().count(b'\n{"visit":')
        self.assertGreater(visits, 0)
        self.assertTrue(journal.read_bytes().endswith(b"\n"), "a torn line")
        self.assertEqual(list(self.store.glob("records/*")), [], "a record cut short")
        self.assert_nobody_left()

        subprocess.run(["mount", "-o", "remount,size=4m", str(self.store)], check=True)
        listed = self.bench("list", "--filter", "^dot")
        self.assertIn(f"its {visits} visits are kept in", listed.err)
        (path,) = self.store.glob("records/*.json")
        self.assert_valid(path)

    def test_that_stays_full_is_told_again_and_loses_nothing(self):
        self.bench("run", "--filter", MANY, "--rounds", 3, *SHORT, code=2)
        listed = self.bench("list", "--filter", "^dot")
        self.assertIn("No space left on device", listed.err)
        self.assertEqual(len(list(self.store.glob("journal/*.jsonl"))), 1)


if __name__ == "__main__":
    unittest.main()
