# At stake: several cases in one bisection, commits that cannot be built, releases from the package index, and that the
# example of the help does what it says.
import json
import os
import re
import shlex
import subprocess
import unittest

from bench_process import DEBIAN_PYTHON
from test_bisect import SUITE, Bisect, F

BACKEND = """# Builds the package without anything from an index.
import zipfile

def build_wheel(folder, config_settings=None, metadata_directory=None):
    name, info = "changing-1.0-py3-none-any.whl", "changing-1.0.dist-info/"
    with zipfile.ZipFile(folder + "/" + name, "w") as wheel:
        wheel.write("changing.py")
        wheel.writestr(info + "METADATA", "Metadata-Version: 2.1\\nName: changing\\nVersion: 1.0\\n")
        wheel.writestr(info + "WHEEL", "Wheel-Version: 1.0\\nRoot-Is-Purelib: true\\nTag: py3-none-any\\n")
        wheel.writestr(info + "RECORD", "")
    return name
"""
PROJECT = '[build-system]\nrequires = []\nbuild-backend = "backend"\nbackend-path = ["tools"]\n'


class Wider(Bisect):
    def test_the_example_of_the_help_builds_commits_with_their_submodules(self):
        tools = self.folder / "tools"
        tools.mkdir()
        (tools / "backend.py").write_text(BACKEND)
        self.home = tools
        self.git("init", "--quiet")
        self.git("add", "--all")
        self.git("commit", "--quiet", "--message", "backend")
        self.home = self.folder / "numpy"
        self.home.mkdir()
        self.git("init", "--quiet", "--initial-branch", "main")
        self.git("-c", "protocol.file.allow=always", "submodule", "--quiet", "add", str(tools), "tools")
        (self.home / "pyproject.toml").write_text(PROJECT)
        for tag, work in (("v2.0.0", 10), ("v2.1.0", 60)):
            (self.home / "changing.py").write_text(f"def f():\n    for _ in range({work}):\n        pass\n")
            self.git("add", "--all")
            self.git("commit", "--quiet", "--message", tag)
            self.git("tag", tag)
        text = self.bench("bisect", "--help").out
        (example,) = re.findall(r"bench (bisect --good v2.*?submodule.*?')$", text, re.M | re.S)
        arguments = shlex.split(example.replace("\\\n", " ").replace("--filter dot", ""))
        environment = self.environment(GIT_ALLOW_PROTOCOL="file", PATH=f"/usr/bin:{os.environ['PATH']}")
        ran = self.bench(*arguments, "--python", DEBIAN_PYTHON, *F, environment=environment)
        self.assertIn("slower since ", ran.out)
        worktrees = subprocess.run(["git", "-C", self.home, "worktree", "list"], capture_output=True, text=True)
        self.assertEqual(len(worktrees.stdout.splitlines()), 3)

    def test_goes_around_a_commit_that_cannot_be_built_and_reports_the_other_cases(self):
        works = [(10, 80)] * 2 + [(10, 10)] + [(None, 0)] + [(10, 10)] + [(90, 10)] * 3
        commits = self.repository(*works)
        suite = self.suite("changing_suite", cases=SUITE)
        ran = self.bisect(commits[0], commits[7], "--suite", suite, "--format", "json")
        cases = {case["case"]: case for case in json.loads(ran.out)["cases"]}
        self.assertEqual((cases["first"]["last_before"], cases["first"]["first_after"]), (commits[4], commits[5]))
        self.assertTrue(cases["first"]["decided"])
        self.assertLess(cases["second"]["total_ratio"], 1)
        self.assertIn(cases["second"]["first_after"], commits[2:5])
        self.assertIn(f"{commits[3]} is left out", ran.err)

    def test_leaves_a_range_where_nothing_between_can_be_built(self):
        commits = self.repository((10, 10), (None, 0), (90, 10))
        ran = self.bisect(commits[0], commits[2], *F, code=3)
        self.assertIn(f"slower since one of {commits[1][:12]} to {commits[2][:12]}", ran.out)

    def test_of_unchanged_commits_says_that_there_is_nothing_to_find(self):
        commits = self.repository((40, 10), (40, 10))
        ran = self.bisect(commits[0], commits[1], *F, code=None)
        if ran.code == 0:
            self.assertIn("there is nothing to bisect", ran.out)
        else:  # a machine too busy to prove it
            self.assertEqual(ran.code, 3)
            self.assertIn("inconclusive", ran.out)

    def test_finds_the_release_in_which_add_at_became_fast(self):
        if self.bench("bisect", "--good", "0.0.1", "--bad", "0.0.2", "--python", DEBIAN_PYTHON, code=2).err.count(
            "cannot be listed"
        ):
            self.skipTest("no package index can be reached")
        ran = self.bench("bisect", "--good", "2.0.2", "--bad", "2.99.0", "--python", DEBIAN_PYTHON, code=2)
        self.assertIn("2.99.0", ran.err)
        self.assertIn("the package index lists: ", ran.err)
        self.assertNotIn("comparing", ran.err)
        statement = ("-e", "np.add.at(x, i, 1.0)", "--setup", "x = np.ones(1024); i = np.arange(1024)")
        ends = ("--good", "1.24.3", "--bad", "1.25.1", "--python", DEBIAN_PYTHON, "--faster")
        ran = self.bench("bisect", *ends, *statement)
        self.assertIn("faster since 1.25.0", ran.out)
        self.assertIn("1.24.4 is the last slow one", ran.out)


del Bisect  # its own tests run in test_bisect

if __name__ == "__main__":
    unittest.main()
