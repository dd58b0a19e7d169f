# At stake: what asv and pyperf of today write, not what their formats were believed to be. Both are run here, on a
# project of three benchmarks. Needs the environment that ci/validate makes (or TARE_PEERS_PYTHON, with both in it).
import json
import os
import subprocess
import unittest
from pathlib import Path

from bench_process import ROOT, BenchTest

PEERS_PYTHON = os.environ.get("TARE_PEERS_PYTHON", str(ROOT / ".cache" / "validation" / "tools" / "bin" / "python"))
MODULE = """
class Suite:
    params = [[1, 2], ["a", "b,c"]]
    param_names = ["n", "kind"]

    def setup(self, n, kind):
        if n == 2 and kind == "a":
            raise NotImplementedError

    def time_sum(self, n, kind):
        if n == 2:
            raise ValueError("broken")
        sum(range(1000))

    def track_size(self, n, kind):
        return n


def time_alone():
    sorted([3, 1, 2])
"""


class ImportPeers(BenchTest):
    def setUp(self):
        super().setUp()
        command = [PEERS_PYTHON, "-c", "import asv, pyperf"]
        if not Path(PEERS_PYTHON).exists() or subprocess.run(command, capture_output=True, check=False).returncode != 0:
            self.skipTest(f"{PEERS_PYTHON} has no asv and pyperf: run ci/validate --quick, or set TARE_PEERS_PYTHON")

    def peer(self, *arguments, folder=None):
        environment = dict(os.environ, HOME=str(self.folder))
        command = [PEERS_PYTHON, *(str(a) for a in arguments)]
        ran = subprocess.run(
            command,
            cwd=folder or self.folder,
            env=environment,
            capture_output=True,
            text=True,
            timeout=240,
            check=False,
        )
        return ran.returncode, ran.stdout + ran.stderr

    def asv_results(self):
        project = self.folder / "project"
        (project / "benchmarks").mkdir(parents=True)
        (project / "benchmarks" / "__init__.py").write_text("")
        (project / "benchmarks" / "bench_x.py").write_text(MODULE)
        identity = ["-c", "user.name=t", "-c", "user.email=t@example.invalid"]
        subprocess.run(["git", "init", "-q", "-b", "main"], cwd=project, check=True)
        subprocess.run(["git", "add", "."], cwd=project, check=True)
        subprocess.run(["git", *identity, "commit", "-qm", "x"], cwd=project, check=True)
        configuration = {
            "version": 1,
            "project": "numpy",
            "repo": ".",
            "branches": ["main"],
            "environment_type": "existing",
        }
        (project / "asv.conf.json").write_text(json.dumps(configuration))
        self.peer("-m", "asv", "machine", "--yes", "--machine", "desk", folder=project)
        options = ["--quick", "--python=same", "--set-commit-hash", "HEAD", "--machine", "desk", "--record-samples"]
        code, text = self.peer("-m", "asv", "run", *options, folder=project)
        self.assertTrue((project / "results" / "benchmarks.json").exists(), f"{code}\n{text}")
        return project / "results"

    def test_asv_of_today(self):
        results = self.asv_results()
        outcome = self.bench("store", "import", results)
        self.assertIn("3 cases with times; 4 are no times, 1 failed, 1 skipped", outcome.out)
        (record,) = (self.store / "records").glob("*.json")
        self.assert_valid(record)
        document = json.loads(record.read_text())
        (foreign,) = (p for p in (results / "desk").glob("*.json") if p.name != "machine.json")
        told = json.loads(foreign.read_text())
        column = told["result_columns"].index("result")
        asv_s = told["results"]["bench_x.time_alone"][column][0]
        cases = {case["case"]: case for case in document["tare"]["cases"]}
        self.assertAlmostEqual(cases["bench_x.time_alone"]["gross_ns"] / (asv_s * 1e9), 1, places=4)
        self.assertIn("bench_x.Suite.time_sum[n=1,kind=b;c]", cases)
        self.assertEqual(document["context"]["tare"]["numpy"]["git_revision"], told["commit_hash"])

    def test_pyperf_of_today(self):
        options = [
            "-p",
            "3",
            "-n",
            "4",
            "-w",
            "1",
            "-l",
            "100",
            "--name",
            "sorting",
            "-o",
            "p.json.gz",
            "sorted([3, 1, 2])",
        ]
        code, text = self.peer("-m", "pyperf", "timeit", *options)
        self.assertEqual(code, 0, text)
        self.bench("store", "import", "p.json.gz")
        (record,) = (self.store / "records").glob("*.json")
        self.assert_valid(record)
        (case,) = json.loads(record.read_text())["tare"]["cases"]
        self.assertEqual((case["case"], case["processes"], case["interval_basis"]), ("sorting", 3, "processes"))


if __name__ == "__main__":
    unittest.main()
