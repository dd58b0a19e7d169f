# At stake: `bench run --filter dot` ends with a table and a valid record, on the first try, in seconds.
import csv
import io
import json
import os
import re
import shutil
import subprocess
import unittest
from pathlib import Path

from bench_process import ADD, PYTHON, QUICK, SHORT, BenchTest, keeps_pages, needs_haswell_kernels


class Run(BenchTest):
    def test_of_a_filter_prints_a_table_and_keeps_a_valid_record(self):
        ran = self.bench("run", "--filter", "dot", *QUICK)
        header = next(line for line in ran.out.splitlines() if line.startswith("case"))
        for column in ("gross", "net", "tare", "share", "call"):
            self.assertIn(column, header)
        self.assertRegex(ran.out, r"\ndot\n +\[kind=array,dtype=f8,n=1\] .* [nµ]s")
        self.assertRegex(ran.out, r"^NumPy \d+\.\d+\.\d+, CPython 3\.\d+\.\d+ \((embedded|executable)\)")
        self.assertEqual(ran.record_path.parent, self.store / "records")
        self.assert_valid(ran.record_path)
        self.assertGreater(len(ran.cases), 20)
        for name, case in ran.cases.items():
            self.assertIn("dot", name)
            self.assertGreater(case["gross_ns"], 0, name)
        self.assertEqual(list(self.store.glob("journal/*")), [])
        self.assert_nobody_left()

    def test_of_add_shows_float_float64_0d_and_arrays_with_their_ratio(self):
        ran = self.bench("run", "--filter", r"^add\[", *QUICK)
        self.assertIn("× float", ran.out)
        for label in ("[kind=float]", "[kind=float64,dtype=f8]", "[kind=0d,dtype=f8]", "[kind=array,dtype=f8,n=1]"):
            self.assertIn(label, ran.out)
        self.assertIsNone(ran.cases["add[kind=float]"]["scalar_ratio"])
        for name in ("add[kind=float64,dtype=f8]", "add[kind=0d,dtype=f8]", ADD):
            self.assertGreater(ran.cases[name]["scalar_ratio"], 0, name)
            self.assertEqual(ran.cases[name]["scalar_case"], "add[kind=float]")
        for name in ("add[kind=0d,dtype=f8]", ADD):
            self.assertGreater(ran.cases[name]["net_ns"], 0, name)
            facts = ran.rows(name, "native")[0]["tare"]["facts"]
            self.assertEqual((facts["equality"], facts["routine"]), ("bitwise", "add[dd->d]"))

    def test_keeps_the_case_where_only_the_call_cannot_be_repeated(self):
        for statement, setup, reason in (
            ("[3, 1, 2].pop()", "pass", "makes the object of .pop() anew"),
            ("sum(i for i in x)", "x = [1, 2, 3]", "makes an iterator anew"),
            ("(x + x).pop(0)", "x = [1]", "IndexError: pop from empty list"),
        ):
            with self.subTest(statement):
                ran = self.bench("run", "-e", statement, "--setup", setup, *QUICK)
                self.assertGreater(ran.cases[statement]["gross_ns"], 0)
                self.assertIsNone(ran.cases[statement]["call_ns"])
                self.assertIn("no call rung: ", ran.out)
                self.assertIn(reason, ran.out)

    def test_gives_blas_the_threads_that_were_asked_for(self):
        allowed = len(os.sched_getaffinity(0))
        if allowed < 2:
            self.skipTest("this machine lets us use one CPU")
        ran = self.bench("run", "--threads", 2, "--filter", r"^dot_mm.*f8,n=64\]", *QUICK)
        self.assertEqual(ran.context["blas"]["threads"], 2)
        self.assertRegex(ran.out, r", 2 threads; CPU \d+ and 1 more of ")
        refused = self.bench("run", "--threads", allowed + 1, "--filter", "dot", code=2)
        self.assertIn(f"--threads {allowed + 1}: this process may run only on CPU", refused.err)

    def test_gives_the_same_names_in_every_format(self):
        names = ["gross_ns", "net_ns", "tare_ns", "call_ns", "scalar_ratio"]
        as_json = json.loads(self.bench("run", "--filter", r"^add\[.*n=8\]", *QUICK, "--format", "json").out)
        as_csv = self.bench("run", "--filter", r"^add\[.*n=8\]", *QUICK, "--format", "csv").out
        rows = list(csv.DictReader(io.StringIO(as_csv)))
        self.assertEqual([case["case"] for case in as_json["cases"]], [row["case"] for row in rows])
        self.assertIn(ADD, [row["case"] for row in rows])
        for name in names:
            self.assertIn(name, as_json["cases"][0])
            self.assertIn(name, rows[0])
        for row in rows:
            gross, net, tare = (float(row[name]) for name in names[:3])
            self.assertTrue(abs(gross - net - tare) < 0.5 * gross, row)  # a paired difference, not of the medians
        markdown = self.bench("run", "--filter", r"^add\[.*n=8\]", *QUICK, "--format", "markdown").out
        self.assertRegex(markdown, r"\ANumPy .*; 1 process\n\n\| case ")
        self.assertIn("\n- `±`: 95 % interval within one process", markdown)
        lines = markdown.splitlines()[2:]
        self.assertRegex(lines[0], r"^\| case \| gross \|.*\| net \| tare \|")
        self.assertEqual({line.count(" | ") for line in lines[2 : 2 + len(rows)]}, {lines[0].count(" | ")})
        self.assertIn(f"`{ADD}`", markdown)

    def test_writes_the_record_to_out_too(self):
        ran = self.bench("run", "--filter", r"^add\[.*dtype=f8,n=8\]", *QUICK, "--out", "mine.json")
        self.assertEqual(str(ran.record_path), "mine.json")
        written = (self.folder / "mine.json").read_bytes()
        stored = list(self.store.glob("records/*.json"))
        self.assertEqual([path.read_bytes() for path in stored], [written])

    def test_of_several_rounds_uses_that_many_processes(self):
        ran = self.bench("run", "--filter", r"^add\[.*dtype=f8,n=8\]", *SHORT, "--rounds", "3", "--seed", "11")
        rows = ran.rows(ADD, "python")
        self.assertEqual([row["tare"]["process"] for row in rows], [0, 1, 2])
        self.assertEqual(ran.cases[ADD]["interval_basis"], "processes")
        self.assertEqual(ran.record["tare"]["settings"]["seed"], "11")
        self.assertLess(ran.cases[ADD]["gross_low_ns"], ran.cases[ADD]["gross_high_ns"])
        placed = ran.context["page_cache"]
        self.assertGreater(placed["files"], 1)  # of NumPy at least
        self.assertEqual(placed["rounds"], 2)  # before the second and the third
        self.assertEqual(placed["rounds_redrawn"] == 2, not placed["kept"], placed)

    def test_draws_the_placement_anew_of_what_nobody_else_maps(self):
        if keeps_pages(self.folder):
            # Skipped because one in memory, or an overlay upon one, keeps its files' pages as long as it has the files.
            self.skipTest(f"{self.folder} lies on a file system that keeps every page in memory")
        own = self.folder.resolve() / "own"
        subprocess.run([PYTHON, "-m", "venv", "--without-pip", own], check=True)
        (packages,) = own.glob("lib/python3*/site-packages")
        where = subprocess.check_output([PYTHON, "-c", "import numpy; print(numpy.__path__[0])"], text=True).strip()
        for folder in (Path(where), Path(where + ".libs")):
            if folder.exists():
                shutil.copytree(folder, packages / folder.name)
        ran = self.bench("run", "--python", own, "--filter", r"^add\[.*dtype=f8,n=8\]", *SHORT, "--rounds", "3")
        placed = ran.context["page_cache"]
        self.assertTrue(ran.context["numpy"]["path"].startswith(str(packages)), ran.context["numpy"])
        self.assertGreater(placed["files"], 1)
        self.assertEqual([path for path in placed["kept"] if path.startswith(str(own))], [], placed)

    def test_of_one_round_says_that_nothing_was_drawn_anew(self):
        placed = self.bench("run", "--filter", r"^add\[.*dtype=f8,n=8\]", *QUICK).context["page_cache"]
        self.assertEqual((placed["rounds"], placed["rounds_redrawn"], placed["refused"]), (0, 0, ""), placed)

    def test_visits_what_it_knows_least_again_and_no_case_else(self):
        ran = self.bench("run", "--filter", "^add", "--rounds", "3", "--within", "0.01", "--visit-budget", "0.02")
        self.assert_valid(ran.record_path)
        processes = [len(ran.rows(case, "python")) for case in ran.cases]  # those that were not quiet, too
        fewest, most = min(processes), max(processes)
        self.assertTrue(fewest >= 3 and most <= 6, processes)
        # How many more there are is for this machine to say: none where the time does not pay for a worker.
        shown = f"{fewest} to {most} processes" if fewest < most else f"{most} processes"
        self.assertIn(f"; {shown}\n", ran.out)
        fixed = self.bench("run", "--filter", f"^{re.escape(ADD)}$", "--rounds", "3", "--within", "0")
        self.assertEqual(len(fixed.rows(ADD, "python")), 3)

    def test_fills_the_context(self):
        context = self.bench("run", "--filter", r"^add\[.*dtype=f8,n=8\]", *QUICK).context
        for key in (
            "cpu_model",
            "cpu_flags",
            "kernel_release",
            "virtualization",
            "load_avg",
            "governors",
            "tare_commit",
        ):
            self.assertTrue(context[key] or key in context["reasons"], key)
        self.assertIn("SIMD", json.dumps(context["numpy"]).upper())
        self.assertTrue(context["blas"]["core"])
        self.assertTrue(context["worker"]["code_build_id"])
        self.assertIn(context["host"], ("embedded", "executable"))
        self.assertEqual(context["environment"], self.inherited())

    def inherited(self):
        """What the sanitizers' tier runs all tests with."""
        return {name: os.environ[name] for name in ("LD_PRELOAD", "PYTHONMALLOC") if name in os.environ}

    @needs_haswell_kernels
    def test_says_which_variables_chose_what_ran(self):
        forced = self.environment(OPENBLAS_CORETYPE="Haswell")
        # A count, for trends show no times of a run that others disturbed.
        run = ("run", "--filter", r"^dot\[.*dtype=f8,n=8\]", *QUICK, "--counters", "context-switches")
        ran = self.bench(*run, environment=forced)
        self.assertEqual(ran.context["environment"], self.inherited() | {"OPENBLAS_CORETYPE": "Haswell"})
        self.assertEqual(ran.context["blas"]["core"], "Haswell")
        self.bench(*run)
        trend = self.bench("trend", "--metric", "context_switches", "--format", "json")
        environments = [series["environment"] for series in json.loads(trend.out)["series"]]
        self.assertEqual(sum("OPENBLAS_CORETYPE=Haswell" in each for each in environments), 1, environments)
        self.assertEqual(len(environments), 2, "one series each")

    def test_of_a_suite_folder_of_the_users_own(self):
        text = """
# operations of mine
import numpy as np
from tare import operation, over

@operation("f(x)", over(n=[1, 8]))
def twice(n):
    return {"f": lambda x: x + x, "x": np.ones(n)}
"""
        ran = self.bench("run", "--suite", self.suite(mine=text), *QUICK)
        self.assertEqual(sorted(ran.cases), ["twice[n=1]", "twice[n=8]"])
        self.assertEqual(ran.record["tare"]["settings"]["suites"], [str(self.folder / "own_suite")])

    def test_makes_only_the_cases_that_it_measures_in_each_worker(self):
        """To make all of a suite takes longer than to measure one case of it."""
        asked = self.folder / "asked"
        suite = self.suite(
            own="from tare import operation, over\n"
            "def text_of(what):\n"
            f"    print(what, file=open({str(asked)!r}, 'a'))\n"
            "    return 'x + x'\n"
            "@operation(text_of, over(what=('wanted', 'other')))\n"
            "def add(what):\n"
            "    return {'x': 1.0}\n"
        )
        ran = self.bench("run", "--suite", suite, "--filter", "wanted", "--rounds", 3, *SHORT)
        self.assertEqual(list(ran.cases), ["add[what=wanted]"])
        made = asked.read_text().split()
        self.assertEqual(made.count("wanted") - made.count("other"), 3, made)  # by each worker, and by bench for both

    def test_of_one_expression(self):
        setup = "a = np.ones((4, 4)); b = np.ones((4, 4))"
        ran = self.bench("run", "-e", "a @ b", "--setup", setup, *QUICK)
        self.assertEqual(list(ran.cases), ["a @ b"])
        self.assertGreater(ran.cases["a @ b"]["gross_ns"], 0)
        self.assertGreater(ran.cases["a @ b"]["call_ns"], 0)
        self.assertEqual(ran.record["tare"]["settings"]["setup"], setup)
        self.assert_valid(ran.record_path)


if __name__ == "__main__":
    unittest.main()
