# At stake: that what users have reads what tare gives: pandas, polars and Arrow the rows, Jupyter the manual
# and a picture, pytest-benchmark and pytest-codspeed the tests that tare's fixture measures. TARE_USERS_PYTHON names an
# interpreter with ci/requirements-python.txt; TARE_SCREENSHOTS a folder for the notebook as HTML.
import json
import os
import re
import shutil
import subprocess
import unittest
from pathlib import Path

from bench_process import BENCH, LIMIT_S, ROOT, BenchTest

USERS = os.environ.get("TARE_USERS_PYTHON", str(ROOT / ".cache" / "python" / "tools" / "bin" / "python"))
PEERS = os.environ.get("TARE_PEERS_PYTHON", str(ROOT / ".cache" / "validation" / "tools" / "bin" / "python"))
NOTEBOOK = ROOT / "harness" / "docs" / "notebook.md"
COMPARE = "from pytest_benchmark.cli import main; main()"
SHARED_SUITE = """
import pytest

@pytest.fixture
def numbers():
    return list(range(300))

def test_sorted(benchmark, numbers):
    assert benchmark(sorted, numbers, reverse=True)[0] == 299

@pytest.mark.parametrize("n", [8, 80])
def test_sum(benchmark, n):
    assert benchmark(lambda: sum(range(n))) == sum(range(n))

@pytest.mark.benchmark(group="whole", max_time=0.05)
def test_marked(benchmark):
    benchmark(len, [])

def test_pedantic(benchmark):
    assert benchmark.pedantic(sum, args=([1, 2],), rounds=5, iterations=10) == 3

def test_set_up(benchmark):
    benchmark.pedantic(lambda x: x.sort(), setup=lambda: (([3, 1, 2],), {}), rounds=5)
"""


@unittest.skipUnless(Path(USERS).exists(), f"no interpreter with the packages of users at {USERS}: ci/full makes it")
class Readers(BenchTest):
    def ran(self, *words, code=0, **changes):
        environment = self.environment(TARE_BENCH=BENCH, PYTHONPATH=str(ROOT / "python"), PYTHONDONTWRITEBYTECODE="1")
        ran = subprocess.run(
            [USERS, *words],
            cwd=self.folder,
            env=environment | changes,
            capture_output=True,
            text=True,
            timeout=2 * LIMIT_S,
            check=False,
        )
        self.assertEqual(ran.returncode, code, ran.stdout + ran.stderr)
        return ran.stdout + ran.stderr

    def test_frames_hold_the_rows(self):
        said = self.ran(
            "-c",
            """if True:
            import json, pandas, polars, pyarrow, tare
            run = tare.run({"a": "x + 1", "b": "x / zero"}, values={"x": 1.5}, setup="zero = 0", quick=True)
            expected = [row.gross_ns for row in run.rows]
            assert expected[0] > 0 and expected[1] is None
            frame = run.to_pandas()
            assert frame["case"].tolist() == ["a", "b"] and frame["gross_ns"][0] == expected[0]
            assert pandas.isna(frame["gross_ns"][1])
            assert polars.DataFrame(run)["gross_ns"].to_list() == expected
            assert pyarrow.table(run).column("error").to_pylist()[1].startswith("ZeroDivisionError")
            duet = tare.duet("x + 1", "x + 1", values={"x": 1.5}, pairs=10, quads=3)
            assert polars.DataFrame(duet)["ratio"].to_list() == [row.ratio for row in duet.rows]
            print("same")
            """,
        )
        self.assertIn("same", said)

    def test_a_function_of_a_script_reaches_the_workers(self):
        (self.folder / "script.py").write_text(
            "import tare\n\n\ndef deep(n):\n    return n and deep(n - 1)\n\n\n"
            "print(tare.run(lambda: deep(3), quick=True).rows[0].gross_ns > 0)\n"
        )
        self.assertIn("True", self.ran("script.py"))

    def test_every_cell_of_the_page_runs_in_jupyter_and_shows_its_picture(self):
        cells = re.findall(r"```python\n(.*?)```", NOTEBOOK.read_text(encoding="utf-8"), re.S)
        cells.append("run = %tare -q x + x\nrun.to_json('kept.json')\nrun")
        cells.append(
            "import tare\nassert tare.load('kept.json').to_json() == open('kept.json').read() == run.to_json()"
        )
        code = [
            {"cell_type": "code", "source": c, "metadata": {}, "outputs": [], "execution_count": None} for c in cells
        ]
        kernel = {"kernelspec": {"name": "python3", "display_name": "python3", "language": "python"}}
        notebook = {"nbformat": 4, "nbformat_minor": 5, "metadata": kernel, "cells": code}
        for number, cell in enumerate(code):
            cell["id"] = f"cell-{number}"
        (self.folder / "page.ipynb").write_text(json.dumps(notebook))
        self.ran("-m", "nbconvert", "--to", "notebook", "--execute", "--inplace", "page.ipynb")
        executed = json.loads((self.folder / "page.ipynb").read_text())["cells"]
        shown = [
            "".join(output["data"].get("text/html", ""))
            for cell in executed
            for output in cell["outputs"]
            if "data" in output
        ]
        self.assertGreaterEqual(sum("<svg" in text for text in shown), 4)
        self.assertTrue(any("data:image/svg+xml" in text for text in shown), "no flame graph")
        self.assertTrue(any("x + x" in text and "<table" in text for text in shown))
        self.assert_valid(self.folder / "kept.json")
        self.ran("-m", "nbconvert", "--to", "html", "page.ipynb")
        if folder := os.environ.get("TARE_SCREENSHOTS"):
            shutil.copy(self.folder / "page.html", folder)

    def test_a_magic_measures_what_was_typed(self):
        told = self.ran(
            "-c",
            """if True:
            from IPython.core.interactiveshell import InteractiveShell
            shell = InteractiveShell.instance()
            shell.run_line_magic("load_ext", "tare")
            shell.user_ns.update(x=5, a=[3])
            run = lambda *words: shell.run_line_magic("tare", " ".join(words))
            print(run("-q", "len({x})").rows[0].case)
            setup = chr(34) + "b = 'c'" + chr(34)
            print(run("-q", "-s", setup, "b.upper()").rows[0].case)
            print(run("-h", "a[0]").where)
            each = chr(34) + "d = sorted(a)" + chr(34)
            print(run("-q", "--setup-each", each, "-s", setup, "d.append(b)").rows[0].case)
            from IPython.core.error import UsageError
            for words in (("-h", "-r", "3", "x + 1"), ("-q",), ("-e", "-v", "x", "x + 1"), ("missing + 1",)):
                try:
                    run(*words)
                except UsageError as error:
                    print(error)
            """,
        )
        lines = told.splitlines()
        self.assertEqual(lines[:2], ["len({x})", "b.upper()"])
        self.assertIn("in this process", lines[2])
        self.assertEqual(lines[3], "d.append(b)")
        for line, word in zip(lines[4:], ("--here takes no --rounds", "no statement", "--explain takes no", "missing")):
            self.assertIn(word, line)

    def test_one_file_passes_under_three_plugins(self):
        (self.folder / "test_shared.py").write_text(SHARED_SUITE)
        pytest = ("-m", "pytest", "-q", "-p", "no:cacheprovider")
        theirs = self.ran(*pytest, "-p", "no:codspeed", "--benchmark-max-time=0.05", "--benchmark-min-rounds=1")
        self.assertIn("6 passed", theirs)
        self.assertIn("6 passed", self.ran(*pytest, "-p", "no:benchmark", "--codspeed", "--codspeed-max-time=0.05"))
        ours = (*pytest, "-p", "tare.pytest_plugin", "-p", "no:benchmark", "-p", "no:codspeed")
        said = self.ran(*ours, "--tare-json=run.json")
        self.assertIn("6 passed", said)
        self.assertEqual(len(json.loads((self.folder / "run.json").read_text())["tare"]["cases"]), 6)
        self.assertIn("tare measured nothing: xdist", self.ran(*ours, "-n", "2", "-W", "error"))
        beside = self.ran(*pytest, "-p", "tare.pytest_plugin", f"--tare-against={USERS}", code=4)
        self.assertIn("-p no:benchmark -p no:codspeed", beside)

    def test_exports_are_read_by_their_own_readers(self):
        made = self.bench("run", "--quick", "--filter", "^dot.*dtype=f8", "--visit-budget", "0.02")
        record = str(made.record_path)
        gross = {name: case["gross_ns"] for name, case in made.cases.items()}
        for to in ("pyperf", "pytest-benchmark", "openmetrics", "parquet", "arrow"):
            self.ran("-m", "tare.api.export", record, "--to", to, "-o", f"out.{to}")
        told = self.ran(
            "-c",
            """if True:
            import json, polars, pyarrow, pyarrow.parquet, pyperf
            from prometheus_client.openmetrics.parser import text_string_to_metric_families as families
            suite = pyperf.BenchmarkSuite.load("out.pyperf")
            metrics = [s for f in families(open("out.openmetrics").read()) for s in f.samples]
            table = pyarrow.parquet.read_table("out.parquet")
            stream = pyarrow.ipc.open_stream("out.arrow").read_all()
            rows = lambda t: dict(zip(t["case"].to_pylist(), t["gross_ns"].to_pylist()))
            print(json.dumps({
                "pyperf": {b.get_name(): 1e9 * b.median() for b in suite.get_benchmarks()},
                "openmetrics": {s.labels["case"]: 1e9 * s.value for s in metrics if s.name == "tare_gross_seconds"},
                "parquet": rows(table), "arrow": rows(stream),
                "polars": dict(zip(*polars.read_parquet("out.parquet").select("case", "gross_ns").to_dict().values())),
            }, default=list))
            """,
        )
        for reader, values in json.loads(told).items():
            self.assertEqual(set(values), set(gross), reader)
            for name, value in values.items():
                self.assertAlmostEqual(value / gross[name], 1, delta=2e-4, msg=reader)
        self.assertIn("dot[", self.ran("-c", COMPARE, "compare", "out.pytest-benchmark"))
        self.assertIn("Number of benchmarks", self.ran("-m", "pyperf", "stats", "out.pyperf"))

    @unittest.skipUnless(Path(PEERS).exists(), f"no interpreter with asv at {PEERS}: ci/validate makes it")
    def test_asv_compares_two_exports(self):
        record = str(self.bench("run", "--quick", "--filter", "^dot.*dtype=f8", "--visit-budget", "0.02").record_path)
        git = ["git", "-c", "user.name=a", "-c", "user.email=a@b"]
        commits = []
        subprocess.run(["git", "init", "-q", "-b", "main", "."], cwd=self.folder, check=True)
        for text in ("old", "new"):
            subprocess.run([*git, "commit", "-q", "--allow-empty", "-m", text], cwd=self.folder, check=True)
            head = subprocess.run(
                ["git", "rev-parse", "HEAD"], cwd=self.folder, check=True, capture_output=True, text=True
            )
            commits.append(head.stdout.strip())
            self.ran("-m", "tare.api.export", record, "--to", "asv", "-o", "results", "--commit", commits[-1])
        configuration = {"version": 1, "project": "p", "repo": ".", "branches": ["main"], "results_dir": "results"}
        (self.folder / "asv.conf.json").write_text(json.dumps(configuration))
        ran = subprocess.run(
            [PEERS, "-m", "asv", "compare", *commits, "--sort", "name"],
            cwd=self.folder,
            env=self.environment(),
            capture_output=True,
            text=True,
            check=False,
        )
        self.assertEqual(ran.returncode, 0, ran.stdout + ran.stderr)
        self.assertIn("dot", ran.stdout)
        self.assertEqual(len(re.findall(r"\|\s+1 \| dot", ran.stdout)), ran.stdout.count("| dot"), ran.stdout)

    @unittest.skipUnless(shutil.which("callgrind_annotate"), "callgrind_annotate is not installed: ci/full installs it")
    def test_callgrind_annotate_finds_the_ledgers_total(self):
        explained = self.bench(
            "explain", "dot[dtype=f8,n=8]", "--no-timing", "--layouts", "2", "--format", "json", "--callgrind", "out"
        )
        total = json.loads(explained.out)["ledgers"][0]["total"]["value"]
        command = ["callgrind_annotate", "--threshold=100", "out"]
        ran = subprocess.run(command, cwd=self.folder, capture_output=True, text=True, check=True)
        found = re.search(r"^\s*([\d,]+) \(100.0%\)\s+PROGRAM TOTALS", ran.stdout, re.M)
        self.assertIsNotNone(found, ran.stdout[:2000])
        self.assertEqual(int(found[1].replace(",", "")), total)
        self.assertIn("DOUBLE_dot", ran.stdout)


if __name__ == "__main__":
    unittest.main()
