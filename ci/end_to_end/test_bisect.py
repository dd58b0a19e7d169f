# At stake: a bisection names the commit that made a statement slower, measures only what it must, and says where it
# cannot tell. The commits hold a module whose work is told; the statement of each test calls it.
import json
import os
import subprocess
import unittest

from bench_process import DEBIAN_PYTHON, BenchTest

MODULE = "def f():\n    for _ in range({work}):\n        pass\n\ndef g():\n    for _ in range({other}):\n        pass\n"
SUITE = """# f and g of the environment
from changing import f, g
from tare import operation

@operation('f()')
def first():
    return {'f': f}

@operation('g()')
def second():
    return {'f': g, 'g': g}
"""
BUILD = (  # begins in --repository
    "repository=$PWD && " + DEBIAN_PYTHON + " -m venv --without-pip {prefix} && "
    'cd {prefix}/lib/python3*/site-packages && git -C "$repository" show {commit}:changing.py > changing.py'
)
F = ("-e", "f()", "--setup", "from changing import f")


class Bisect(BenchTest):
    def repository(self, *works):
        """A commit for each (work of f, work of g); what they are called. No module where the work is None."""
        self.home = self.folder / "repository"
        self.home.mkdir()
        self.git("init", "--quiet")
        for work, other in works:
            text = MODULE.format(work=work, other=other)
            (self.home / "changing.py").write_text(text)
            if work is None:
                (self.home / "changing.py").unlink()
            self.git("add", "--all")
            self.git("commit", "--quiet", "--allow-empty", "--message", str(work))
        return self.git("rev-list", "--reverse", "HEAD").split()

    def git(self, *arguments):
        who = {f"GIT_{role}_{what}": "somebody" for role in ("AUTHOR", "COMMITTER") for what in ("NAME", "EMAIL")}
        command = ["git", "-C", str(self.home), *arguments]
        return subprocess.run(command, check=True, capture_output=True, text=True, env=os.environ | who).stdout

    def bisect(self, good, bad, *more, code=0, environment=None):
        arguments = ("--good", good, "--bad", bad, "--build", BUILD, "--repository", self.home.name)
        return self.bench("bisect", *arguments, "--python", DEBIAN_PYTHON, *more, code=code, environment=environment)

    def test_names_the_commit_that_made_it_slower(self):
        commits = self.repository((10, 10), (10, 10), (60, 10), (60, 10))
        ran = self.bisect(commits[0], commits[3], *F, "--format", "json")
        found = json.loads(ran.out)
        self.assertEqual([step["candidate"] for step in found["steps"]], [commits[3], commits[1], commits[2]])
        (case,) = found["cases"]
        self.assertEqual((case["last_before"], case["first_after"]), (commits[1], commits[2]))
        self.assertTrue(case["decided"])
        self.assertGreater(case["step_ratio"], 1.5)
        records = sorted((self.store / "records").glob("*.json"))
        self.assertEqual(len(records), 3)
        self.assert_valid(*records)
        again = self.bisect("HEAD~2", "HEAD", *F)  # the environments are there, HEAD~2 and HEAD~1 neighbours
        self.assertNotIn("making an environment", again.err)
        self.assertIn(f"slower since {commits[2][:12]}: +", again.out)
        self.assertIn(f"{commits[1][:12]} is the last fast one", again.out)
        self.assert_nobody_left()

    def test_walks_the_repository_that_is_named_also_within_a_hook_of_another(self):
        commits = self.repository((10, 10), (60, 10))
        hook = self.environment(
            GIT_DIR=str(self.folder / "another"), GIT_INDEX_FILE=str(self.folder / "another" / "index")
        )
        ran = self.bisect("HEAD~1", "HEAD", *F, environment=hook)
        self.assertIn(f"slower since {commits[1][:12]}: +", ran.out)

    def test_refuses_what_no_commit_is_called(self):
        self.repository((10, 10), (10, 10))
        ran = self.bisect("nothing-of-the-kind", "HEAD", code=2)
        self.assert_one_error(ran, "nothing-of-the-kind")
        ran = self.bisect("HEAD", "HEAD~1", code=2)
        self.assert_one_error(ran, "no commit leads from HEAD to HEAD~1")
        ran = self.bisect("HEAD~1", "HEAD", "--format", "csv", code=2)
        self.assert_one_error(ran, "'csv' is none of table, json")
        self.assertNotIn("csv", self.bench("bisect", "--help").out)

    def test_says_why_an_end_cannot_be_built(self):
        commits = self.repository((None, 0), (10, 10))
        ran = self.bisect(commits[0], commits[1], *F, code=2)
        self.assertIn(f"--build of {commits[0]} ended with exit status 128: ", ran.err)
        self.assertIn("changing.py", ran.err)  # git's own words
        self.assertIn("its output: ", ran.err)
        self.assertNotIn("comparing", ran.err)

    def test_goes_around_a_commit_in_which_the_case_fails_and_asks_it_once(self):
        commits = self.repository((10, 10), ("1 // 0", 10), (10, 10), (60, 10))
        ran = self.bisect(commits[0], commits[3], *F, "--format", "json")
        found = json.loads(ran.out)
        self.assertEqual([step["candidate"] for step in found["steps"]], [commits[3], commits[1], commits[2]])
        self.assertIn("the case failed on the newer side: ", found["steps"][1]["problem"])
        self.assertEqual(ran.err.count("comparing "), 3)
        self.assertEqual(found["cases"][0]["first_after"], commits[3])
        ran = self.bisect(commits[1], commits[3], *F, code=4)  # an end, where nothing can be compared
        self.assertIn("cannot be compared in any case", ran.err)
        self.assertIn("ZeroDivisionError", ran.err)
        self.assertNotIn("the same", ran.out)


if __name__ == "__main__":
    unittest.main()
