# At stake: unchanged code is not called changed, changed code is, on the right side, and the record gives it again.
import json
import subprocess
import unittest

from bench_process import DEBIAN_PYTHON, PYTHON, numpy_of
from duet_process import DuetTest, verdicts_of, words_of

# What is not changed is called so only by chance, one time in some hundred; beyond a fifth, no chance gets it.
A_FIFTH = ("--tolerance", 20, "--bound", 30)
FEW = r"^(add|sum_)\[kind=(float|0d|array,dtype=f8,n=8)\b|^sum_\[.*dtype=f8,n=8"


class Duet(DuetTest):
    def test_of_one_environment_with_itself_ends_with_a_verdict_for_each_case(self):
        ran = self.bench("duet", "--a", PYTHON, "--filter", FEW, "--seed", 7)
        verdicts = verdicts_of(ran)
        self.assertGreaterEqual(len(verdicts), 3)
        for name, verdict in verdicts.items():
            self.assertIn(name, ran.out)
            self.assertGreaterEqual(verdict["a_pairs"], 6)
            self.assertLessEqual(verdict["low_ratio"], verdict["ratio"])
            self.assertLessEqual(verdict["ratio"], verdict["high_ratio"])
        self.assertEqual(ran.record["tare"]["kind"], "duet")
        self.assert_valid(ran.record_path)
        self.assertEqual(self.replayed(ran.record_path), verdicts)
        self.assert_nobody_left()

    def test_sees_work_that_an_environment_variable_adds_on_one_side_only(self):
        suite = self.work_suite()
        arguments = ("duet", "--a", PYTHON, "--suite", suite, "--env-a", "WORK=10", "--env-b", "WORK=30", "--gate")
        ran = self.bench(*arguments, *A_FIFTH, code=1)
        self.assertEqual(words_of(ran)["count"], "slower")
        self.assertNotIn(words_of(ran)["steady"], ("slower", "faster"))
        self.assertEqual(self.replayed(ran.record_path), verdicts_of(ran))
        self.assertEqual(
            [ran.record["tare"]["sides"][side]["environment"] for side in "ab"], [{"WORK": "10"}, {"WORK": "30"}]
        )
        swapped = self.bench(
            "duet", "--a", PYTHON, "--suite", suite, "--env-a", "WORK=30", "--env-b", "WORK=10", "--gate"
        )
        self.assertEqual(words_of(swapped)["count"], "faster")

    def test_executes_injected_work_and_says_so_in_capitals(self):
        for percent, word, code in ((50, "slower", 1), (-33, "faster", 0)):
            with self.subTest(percent):
                ran = self.bench("duet", "--a", PYTHON, "--filter", FEW, "--inject", percent, "--gate", code=code)
                self.assertEqual(set(words_of(ran).values()), {word})
                for text in (ran.out, ran.record["tare"]["notice"]):
                    self.assertIn("INJECTED", text)
                for visit in (row for row in ran.record["benchmarks"] if row["name"].endswith("/a")):
                    self.assertNotIn("error_message", visit)
                self.assert_valid(ran.record_path)

    def test_injects_only_where_it_is_asked_to(self):
        ran = self.bench(
            "duet", "--a", PYTHON, "--suite", self.work_suite(), "--inject", 100, "--inject-case", "^count$", *A_FIFTH
        )
        self.assertEqual(words_of(ran)["count"], "slower")
        self.assertNotIn(words_of(ran)["steady"], ("slower", "faster"))

    def test_of_two_suites_reports_what_one_side_lacks_and_what_fails_on_one_side(self):
        head = "# two sides\nimport os\nfrom tare import operation\n"
        both = "\n@operation('x + x')\ndef fine():\n    return {'x': 1.0}\n"
        one = "\n@operation('x - x')\ndef %s():\n    return {'x': 1.0}\n"
        crash = "\n@operation('f()')\ndef crashes():\n    return {'f': %s}\n"
        a = self.suite("a", own=head + both + one % "only_old" + crash % "dict")
        b = self.suite("b", own=head + both + one % "only_new" + crash % "lambda: os._exit(3)")
        ran = self.bench("duet", "--a", PYTHON, "--a-suite", a, "--b-suite", b, code=4)
        verdicts = verdicts_of(ran)
        self.assertGreaterEqual(verdicts["fine"]["a_pairs"], 6)
        self.assertEqual(verdicts["crashes"]["failed_side"], "b")
        self.assertIn("status 3", json.dumps(verdicts["crashes"]["error"]))
        self.assertEqual([verdicts[name]["verdict"] for name in ("only_old", "only_new")], ["only a", "only b"])
        for name in verdicts:
            self.assertIn(name, ran.out)
        self.assert_valid(ran.record_path)
        self.assertEqual(self.replayed(ran.record_path, code=4), verdicts)

    @unittest.skipUnless(numpy_of(DEBIAN_PYTHON), f"{DEBIAN_PYTHON} has no NumPy")
    def test_of_two_numpys_names_both_and_redraws_where_their_files_lie(self):
        ran = self.bench("duet", "--a", DEBIAN_PYTHON, "--b", PYTHON, "--filter", r"^add\[kind=0d")
        for python in (DEBIAN_PYTHON, PYTHON):
            code = "import numpy; print(numpy.__version__)"
            done = subprocess.run([python, "-c", code], capture_output=True, text=True, check=True)
            self.assertIn(done.stdout.strip(), ran.out)
        page_cache = ran.record["tare"]["page_cache"]
        self.assertTrue(any("_multiarray_umath" in file for file in page_cache["files"]), page_cache)
        if not page_cache["refused"]:
            self.assertEqual(page_cache["rounds_redrawn"], page_cache["rounds"])
            self.assertGreater(page_cache["rounds"], 0)

    def test_writes_a_summary_for_a_pull_request_and_annotations_for_github(self):
        summary = self.folder / "summary.md"
        environment = self.environment(GITHUB_ACTIONS="true")
        arguments = ("--suite", self.work_suite(), "--env-b", "WORK=30", "--gate", "--summary", summary)
        ran = self.bench("duet", "--a", PYTHON, *arguments, code=1, environment=environment)
        text = summary.read_text()
        self.assertRegex(text.splitlines()[0], "1 .*slower")
        for word in ("count", "<details>", "bench duet --a", "WORK=30"):
            self.assertIn(word, text)
        self.assertIn("::error title=count is slower::", ran.err)

    def test_takes_margins_of_single_cases_from_a_file(self):
        tolerances = self.folder / "tolerances"
        tolerances.write_text("# large changes of count are nobody's concern\n^count$ 90 100\n^gone 1 2\n")
        arguments = ("--suite", self.work_suite(), "--env-b", "WORK=13", "--tolerances", tolerances, "--gate")
        ran = self.bench("duet", "--a", PYTHON, *arguments)
        self.assertEqual(words_of(ran)["count"], "same")
        self.assertIn("line 3: ^gone 1 2", ran.err)


if __name__ == "__main__":
    unittest.main()
