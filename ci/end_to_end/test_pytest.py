# At stake: tests that people have already. They pass unchanged and are measured; --tare-against fails a session whose
# code became slower, says what it could not compare, and leaves the repository as it was.
import json
import os
import re
import shutil
import subprocess
import unittest
from pathlib import Path
from unittest import mock

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

    def pytest(self, *arguments, code=0, python=TOOLS_PYTHON):
        environment = self.environment(TARE_BENCH=BENCH, PYTHONPATH=str(ROOT / "python"), PYTHONDONTWRITEBYTECODE="1")
        words = ["-m", "pytest", "-p", "tare.pytest_plugin", "-p", "no:cacheprovider", "-q", *arguments]
        ran = subprocess.run(
            [python, *words],
            cwd=self.project,
            env=environment,
            capture_output=True,
            text=True,
            timeout=2 * LIMIT_S,
            check=False,
        )
        if code is not None:  # None: unchanged code is called slower by chance, if seldom
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
        said = self.pytest("--tare-disable", "-W", "error")
        self.assertIn("1 passed", said)
        self.assertIn("tare measured nothing: --tare-disable", said)
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

    def environment_with(self, name, code):
        """A virtual environment that holds `mine`, beside the pytest of the tools."""
        made = self.folder / name
        subprocess.run([TOOLS_PYTHON, "-m", "venv", "--without-pip", made], check=True)
        [packages] = made.glob("lib/python3*/site-packages")
        [tools] = (Path(TOOLS_PYTHON).parents[1]).glob("lib/python3*/site-packages")
        (packages / "tools.pth").write_text(f"{tools}\n")
        (packages / "mine.py").write_text(code)
        return made

    def test_an_environment_is_the_other_side(self):
        old, new = self.environment_with("old", FAST), self.environment_with("new", SLOW)
        shutil.rmtree(self.project / "src")
        words = ("--tare-pairs", "10", "-k", "test_work")
        said = self.pytest(f"--tare-against={old}", *words, code=1, python=new / "bin" / "python")
        self.assertIn("slower", said.partition(f"tare: against {old}")[2])
        said = self.pytest(f"--tare-against={new}", *words, python=old / "bin" / "python")
        self.assertIn("faster", said.partition(f"tare: against {new}")[2])

    def test_where_both_sides_would_run_the_same_file_it_says_so(self):
        old = self.environment_with("old", SLOW)
        said = self.pytest(f"--tare-against={old}", "--tare-pairs", "10", "-k", "test_work", code=None)
        self.assertIn("both sides run the same file: test_mine.py::test_work", said)

    def test_a_hook_of_git_keeps_its_index(self):
        self.commit()
        hook = self.project / ".git" / "hooks" / "pre-commit"
        against = "--tare-against=HEAD --tare-pairs 10 --tare-margins coarse -k test_work"
        hook.write_text(
            f"#!/bin/sh\n{TOOLS_PYTHON} -m pytest -p tare.pytest_plugin -p no:cacheprovider -q {against}\nexit 0\n"
        )
        hook.chmod(0o755)
        (self.project / "other.txt").write_text("new\n")
        self.git("add", "other.txt")
        changes = {"TARE_BENCH": BENCH, "PYTHONPATH": str(ROOT / "python"), "PYTHONDONTWRITEBYTECODE": "1"}
        with mock.patch.dict(os.environ, self.environment(**changes)):
            self.git("commit", "-qm", "new")
        self.assertEqual(self.git("show", "--name-only", "--format=", "HEAD").split(), ["other.txt"])
        self.assertEqual(self.git("status", "--short"), "")

    def test_what_cannot_be_measured_says_why(self):
        (self.project / "test_mine.py").write_text(
            "import pickle, collections, pytest\n"
            "def test_imports(tare):\n    tare(pickle.loads, pickle.dumps(collections.OrderedDict(a=1)))\n"
            "def test_once(tare):\n    tare(next, iter([1]))\n"
            "def test_word(benchmark):\n    assert benchmark(dict, **{'class': 1}) == {'class': 1}\n"
            "def test_end(benchmark):\n"
            "    benchmark.pedantic(len, args=([],), setup=lambda: None, teardown=lambda x: None, rounds=3)\n"
            "@pytest.mark.benchmark(min_rounds=40, max_time=0.001)\n"
            "def test_rounds(benchmark):\n    benchmark(sum, range(20000))\n    assert benchmark.stats.rounds == 40\n"
        )
        said = self.pytest("--tare-json=run.json", "-W", "error")
        self.assertIn("test_mine.py::test_once could not be measured: StopIteration", said)
        cases = {
            c["case"].partition("::")[2] for c in json.loads((self.project / "run.json").read_text())["tare"]["cases"]
        }
        self.assertEqual(cases, {"test_imports", "test_word", "test_end", "test_rounds"})

    def test_what_is_no_measurement_is_refused(self):
        (self.project / "test_mine.py").write_text(
            "import pytest\n"
            "@pytest.mark.benchmark\nasync def test_later():\n    assert False\n"
            "@pytest.mark.benchmark(min_tyme=3)\ndef test_word(tare):\n    tare(len, [])\n"
        )
        said = self.pytest("-rA", code=1)
        self.assertNotIn("passed", said.splitlines()[-1])
        self.assertIn("no min_tyme", said)

    def test_errors_after_the_tests_leave_their_report(self):
        self.write(SLOW)
        (self.project / "test_mine.py").write_text(
            "import os\nfrom mine import work\n"
            "def test_bad():\n    assert 'told' == 'in full'\n"
            "def test_gone(tare):\n    tare(work, [1])\n    os.remove(__file__)\n"
        )
        self.commit()
        said = self.pytest(f"--tare-against={Path(TOOLS_PYTHON).parents[1]}", code=4)
        self.assertIn("'told' == 'in full'", said)
        self.assertIn("tare: error: --tare-against: none of the benchmarks' files exists there", said)
        for words in (("--tare-json=no/such/f",), ("--tare-against=README.md",), ("--tare-margins=wide",)):
            self.assertIn(words[0].partition("=")[0], self.pytest(*words, code=4))

    def test_files_of_the_workers_fixtures_do_not_stay(self):
        (self.project / "test_mine.py").write_text(
            "import os, pytest, tempfile\n"
            "@pytest.fixture\ndef made():\n    return tempfile.mkdtemp(prefix='left-')\n"
            "def test_a(tare, made, tmp_path):\n    tare(os.path.isdir, made)\n"
        )
        self.commit()
        temporary = self.folder / "temporary"
        temporary.mkdir()
        with mock.patch.dict(os.environ, TMPDIR=str(temporary)):
            self.pytest("--tare-against=HEAD", "--tare-pairs", "10", code=None)
        self.assertEqual(len(list(temporary.rglob("left-*"))), 1, "that of the session's own test")
        self.assertEqual(list(temporary.glob("tare-*")), [])

    def test_a_side_that_is_none_is_an_error_before_the_tests(self):
        said = self.pytest("--tare-against=no/such", code=4)
        self.assertIn("--tare-against no/such: it is no environment, and as a commit", said)
        self.assertNotIn("passed", said)


if __name__ == "__main__":
    unittest.main()
