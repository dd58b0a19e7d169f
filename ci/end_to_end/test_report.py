# `bench report` without a browser: the file that it writes, and what it says where there is nothing to write of.
import re
import sys
import unittest

from bench_process import ADD, QUICK, ROOT, BenchTest

sys.path.insert(0, str(ROOT / "ci" / "history"))
from make_store import Plan, make_store  # noqa: E402


class Report(BenchTest):
    def test_writes_one_file_and_says_what_is_in_it(self):
        self.bench("run", "--filter", r"^add\[kind=array,dtype=f8,n=8\]", *QUICK)
        made = self.bench("report", "-o", self.folder)
        page = self.folder / "tare-report.html"
        self.assertRegex(made.out, rf"{re.escape(str(page))}  [0-9.]+ MB\n1 case of 1 operation from 1 run")
        text = page.read_text()
        self.assertIn(ADD, text)
        self.assertIn("Where the tare is largest", text)
        make_store(self.store, Plan(records=2, cases=1))  # for times, which a run that others disturbed does not give
        self.bench("report", "-o", "other.html", "--metric", "gross", "--by", "commit")
        self.assertTrue((self.folder / "other.html").exists())
        wrong = self.bench("report", "--filter", "no such case", code=2)
        self.assertIn("matches no case", wrong.err)
        wrong = self.bench("report", "--metric", "weight", code=2)
        self.assertIn("no record of the store has it", wrong.err)
        wrong = self.bench("report", "--machine", "zzz", code=2)
        self.assertIn("no record of the store is of it", wrong.err)
        wrong = self.bench("report", "--filter", "a[", code=2)
        self.assertIn("no regular expression", wrong.err)

    def test_names_what_is_wrong_and_what_to_do(self):
        empty = self.bench("report", code=2)
        self.assertIn("there is no store", empty.err)
        self.assertIn("bench run", empty.err)
        nowhere = self.bench("report", "-o", self.folder / "no" / "x.html", code=2)
        self.assertIn("cannot write to", nowhere.err)


if __name__ == "__main__":
    unittest.main()
