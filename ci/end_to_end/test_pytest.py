# At stake: tests that people have already. They pass unchanged and are measured; --tare-against fails a session whose
# code became slower, says what it could not compare, and leaves the repository as it was.
import json
import os
import re
import subprocess
import unittest

from bench_process import BENCH, LIMIT_S, ROOT, TOOLS_PYTHON, BenchTest

PAGE = ROOT / "harness" / "docs" / "pytest.md"
SUITE = """
import pytest
from mine import work

@pytest.fixture
def numbers():
    return list(range(300))

def test_work(benchmark, numbers):
    assert benchmark(work, numbers) == 44850

@pytest.mark.parametrize("n", [8, 8000])
def test_sum(tare, n):
    assert tare(lambda: sum(range(n))) == sum(range(n))

@pytest.mark.benchmark(group="whole", max_time=0.05)
def test_whole():
    sum(range(100))

def test_pedantic(benchmark):
    calls = []
    returned = benchmark.pedantic(lambda: calls.append(1) or 7, rounds=5, iterations=10, warmup_rounds=2)
    benchmark.extra_info["calls"] = len(calls)
    assert returned == 7 and len(calls) in (10, 70)

def test_each_with_its_own(benchmark):
    given = []
    benchmark.pedantic(lambda x: given.append(len(x)), setup=lambda: (([1, 2],), {}), rounds=6)
    assert set(given) == {2}

def test_within_a_block(benchmark):
    with open(__file__) as file:
        benchmark(file.tell)
"""
FAST = "def work(numbers):\n    return sum(numbers)\n"
SLOW = "def work(numbers):\n    return sum(sorted(sorted(numbers, key=str)))\n"


class Pytest(BenchTest):
    def setUp(self):
        super().setUp()
        self.project = self.folder / "project"
        (self.project / "src").mkdir(parents=True)
        (self.project / "test_mine.py").write_text(SUITE)
        (self.project / "pytest.ini").write_text("[pytest]\npythonpath = src\n")
        self.write(FAST)

    def write(self, code):
        (self.project / "src" / "mine.py").write_text(code)

    def pytest(self, *arguments, code=0):
        environment = self.environment(TARE_BENCH=BENCH, PYTHONPATH=str(ROOT / "python"), PYTHONDONTWRITEBYTECODE="1")
        words = ["-m", "pytest", "-p", "tare.pytest_plugin", "-p", "no:cacheprovider", "-q", *arguments]
        ran = subprocess.run(
            [TOOLS_PYTHON, *words],
            cwd=self.project,
            env=environment,
            capture_output=True,
            text=True,
            timeout=2 * LIMIT_S,
            check=False,
        )
        self.assertEqual(ran.returncode, code, ran.stdout + ran.stderr)
        return ran.stdout + ran.stderr

    def git(self, *words):
        command = ["git", "-c", "user.name=a", "-c", "user.email=a@b", *words]
        return subprocess.run(command, cwd=self.project, check=True, capture_output=True, text=True).stdout

    def commit(self):
        self.git("init", "-q", ".")
        self.git("add", "-A")
        self.git("commit", "-qm", "old")

    def test_tests_that_exist_pass_and_are_measured(self):
        said = self.pytest("--tare-json", "run.json")
        self.assertIn("7 passed", said)
        self.assert_valid(self.project / "run.json")
        record = json.loads((self.project / "run.json").read_text())
        cases = {case["case"].partition("::")[2]: case for case in record["tare"]["cases"]}
        expected = {
            "test_work",
            "test_sum[8]",
            "test_sum[8000]",
            "test_whole",
            "test_pedantic",
            "test_each_with_its_own",
        }
        self.assertEqual(set(cases), expected | {"test_within_a_block"})
        self.assertGreater(cases["test_sum[8000]"]["gross_ns"], cases["test_sum[8]"]["gross_ns"])
        rows = {row["name"].partition("::")[2].partition("/")[0]: row for row in record["benchmarks"]}
        pedantic = rows["test_pedantic"]["tare"]
        self.assertEqual((len(pedantic["samples_ns"]), pedantic["n"]), (5, 10))
        self.assertEqual(pedantic["facts"], {"group": None, "extra_info": {"calls": 70}})
        self.assertEqual(rows["test_whole"]["tare"]["facts"]["group"], "whole")
        self.assertIn("test_work", said.partition("tare: this process")[2])

    def test_the_example_of_the_page_passes(self):
        [example] = re.findall(r"```python\n(.*?)```", PAGE.read_text(encoding="utf-8"), re.S)
        (self.project / "test_mine.py").write_text(example)
        said = self.pytest()
        self.assertIn("3 passed", said)
        self.assertIn("test_pedantic", said)

    def test_a_second_measurement_in_a_test_is_refused(self):
        (self.project / "test_mine.py").write_text(
            "def test_a(benchmark):\n    benchmark(len, [])\n    benchmark(len, ())\n"
        )
        self.assertIn("a test is one case", self.pytest(code=1))

    def test_disabled_it_calls_once(self):
        (self.project / "test_mine.py").write_text(
            "def test_a(tare):\n    c = []\n    tare(c.append, 1)\n    assert (c, tare.stats) == ([1], None)\n"
        )
        self.assertIn("1 passed, 1 warning", self.pytest("--tare-disable"))
        self.assertIn("--tare-disable", self.pytest("--tare-disable", "--tare-json", "x", code=4))

    def test_what_became_slower_since_a_commit_fails_the_session(self):
        self.commit()
        self.write(SLOW)
        said = self.pytest("--tare-against=HEAD", "--tare-pairs", "10", "--tare-json", "duet.json", code=1)
        duet = json.loads((self.project / "duet.json").read_text())
        verdicts = {each["case"].partition("::")[2]: each for each in duet["tare"]["verdicts"]}
        self.assertEqual(verdicts["test_work"]["verdict"], "slower", said)
        self.assertGreater(verdicts["test_work"]["ratio"], 2)
        self.assertIn("measures within the block of line", verdicts["test_within_a_block"]["error"]["what"])
        self.assertIn("pedantic with setup", verdicts["test_each_with_its_own"]["error"]["what"])
        self.assertIn("slower", said.partition("tare: against HEAD")[2])
        self.assert_valid(self.project / "duet.json")
        self.assertEqual(len(self.git("worktree", "list").splitlines()), 1)
        self.assertIn("?? duet.json", self.git("status", "--short"))
        self.assert_nobody_left()

    def test_what_became_faster_passes_and_what_is_new_is_named(self):
        self.write(SLOW)
        self.commit()
        self.write(FAST)
        (self.project / "test_new.py").write_text("def test_new(tare):\n    tare(len, [])\n")
        said = self.pytest("--tare-against=HEAD", "--tare-pairs", "10", "-k", "test_work or test_new")
        self.assertIn("faster", said)
        self.assertIn("not compared, new: test_new.py::test_new", said)

    def test_an_environment_is_the_other_side(self):
        prefix = os.path.dirname(os.path.dirname(TOOLS_PYTHON))
        said = self.pytest(
            f"--tare-against={prefix}", "--tare-pairs", "10", "--tare-margins", "coarse", "-k", "test_work"
        )
        self.assertIn(f"tare: against {prefix}", said)
        self.assertIn("test_work", said.partition("tare: against")[2])

    def test_a_side_that_is_none_is_an_error_before_the_tests(self):
        said = self.pytest("--tare-against=no/such", code=4)
        self.assertIn("--tare-against no/such: it is no path, and as a commit", said)
        self.assertNotIn("passed", said)


if __name__ == "__main__":
    unittest.main()
