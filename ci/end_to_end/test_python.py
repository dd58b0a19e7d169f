# At stake: what people see who never call the command: numbers, errors and results of tare.run, duet, explain, load and
# history in a real interpreter, and every example of harness/docs/python.md.
import json
import re
import shutil
import subprocess
import textwrap
import unittest

from bench_process import BENCH, LIMIT_S, PYTHON, ROOT, BenchTest, as_if_quiet

PAGE = ROOT / "harness" / "docs" / "python.md"
BEGINNING = """
import numpy as np
import tare
FAST = {"quick": True, "visit_budget": 0.02}
x = np.arange(8.0)
y = 2 * x
"""


class PythonTest(BenchTest):
    def python(self, code, code_expected=0, **changes):
        """Runs a script with tare importable; its stdout."""
        script = self.folder / "script.py"
        script.write_text(code)
        environment = self.environment(TARE_BENCH=BENCH, PYTHONPATH=str(ROOT / "python"), **changes)
        ran = subprocess.run(
            [PYTHON, "-B", str(script)],
            cwd=self.folder,
            env=environment,
            capture_output=True,
            text=True,
            timeout=LIMIT_S,
            check=False,
        )
        self.assertEqual(ran.returncode, code_expected, ran.stdout + ran.stderr)
        return ran.stdout

    def told(self, code):
        """What a script prints as JSON in its last line."""
        return json.loads(self.python(BEGINNING + textwrap.dedent(code)).splitlines()[-1])


class Run(PythonTest):
    def test_what_runs_before_each_execution_is_code_that_uses_the_values(self):
        told = self.told("""
            import json
            l = [(7 * i) % 3001 for i in range(3000)]
            each = {"setup_each": "m = l[:]", "values": {"l": l}, **FAST}
            one = tare.run("m.sort()", **each).rows
            several = tare.run(["m.sort()", "m.reverse()"], **each).rows
            print(json.dumps([row.gross_ns for row in [*one, *several]]))
        """)
        alone, sorts, reverses = told
        self.assertGreater(alone, 5 * reverses)
        self.assertGreater(sorts, 5 * reverses)

    def test_two_sides_of_code_have_the_same_before_each_execution(self):
        told = self.told("""
            import json
            each = {"setup_each": "m = l[:]", "values": {"l": [(7 * i) % 3001 for i in range(3000)]}}
            duet = tare.duet("m.reverse()", "m.sort()", pairs=10, quads=3, **each)
            print(json.dumps([row.ratio for row in duet.rows]))
        """)
        self.assertGreater(told[0], 5)

    def test_a_record_is_that_of_the_command_and_its_rows_are_the_table(self):
        told = self.told("""
            import json
            run = tare.run("x + y", values=globals(), **FAST)
            run.to_json("run.json")
            row = run["x + y"]
            assert str(run).splitlines()[1].startswith("x + y"), str(run)
            assert tare.load("run.json").rows == run.rows
            assert run.to_dict() == json.load(open("run.json"))
            case = run.to_dict()["tare"]["cases"][0]
            for name in ("gross_ns", "gross_low_ns", "gross_high_ns", "processes"):
                assert getattr(row, name) == case[name], (name, row, case)
            print(json.dumps([row.gross_ns, row.processes, run.where]))
        """)
        gross, processes, where = told
        self.assertGreater(gross, 0)
        self.assertEqual(processes, 1)
        self.assertIn("in 1 fresh worker", where)
        self.assert_valid(self.folder / "run.json")
        self.assertEqual(self.bench("compare", "run.json", "run.json", "--format", "json").code, 0)

    def test_values_reach_the_workers_as_they_are(self):
        told = self.told("""
            import json
            seen = {"square": "assert m.shape == (3, 4) and m.flags.fnc and m[2, 3] == 11.0 and shared is m"}
            m = np.asfortranarray(np.arange(12.0).reshape(3, 4))
            run = tare.run(seen, values={"m": m, "shared": m}, **FAST)
            print(json.dumps([row.error for row in run.rows]))
        """)
        self.assertEqual(told, [""])

    def test_what_would_arrive_as_something_else_is_refused(self):
        told = self.told("""
            import json
            said = []
            for code, values in (("v + 1", {"v": x[::2]}), ("f()", {"f": (line for line in "abc")}), ("1 + 1", {})):
                try:
                    tare.run(code, values=values, **FAST)
                except tare.Error as error:
                    said.append(str(error))
            print(json.dumps(said))
        """)
        self.assertEqual(len(told), 3, told)
        self.assertIn("strides (16,)", told[0])
        self.assertIn("here=True", told[1])
        self.assertIn("no instruction", told[2])

    def test_another_interpreter_measures_its_own_packages(self):
        bare = self.folder / "bare"
        subprocess.run([PYTHON, "-m", "venv", "--without-pip", bare], check=True)
        told = self.told(f"""
            import json
            said = []
            for values in ({{"np": np, "x": 1.5}}, {{"x": x}}):
                try:
                    tare.run("np.add(x, x)", values=values, python={str(bare)!r}, **FAST)
                except tare.Error as error:
                    said.append(str(error))
            print(json.dumps(said))
        """)
        self.assertIn("No module named 'numpy'", told[0])
        self.assertEqual(len(told), 2)

    def test_runs_of_carried_values_are_one_series(self):
        self.told("""
            for _ in range(3):
                tare.run("x + y", values={"x": x, "y": y}, store="kept", **FAST)
            print(0)
        """)
        records = list((self.folder / "kept" / "records").glob("*.json"))
        self.assertEqual(len(records), 3)
        for record in records:
            as_if_quiet(record)
        self.assertEqual(self.told('print(len(tare.history("kept", metric="gross").series))'), 1)

    def test_errors_say_what_failed(self):
        told = self.told("""
            import json
            said = []
            for arguments in ({"what": "x / missing"}, {"what": "1 / zero", "setup": "zero = 0"}, {"filter": "("},
                              {"what": "x", "wrong": 1}, {"what": "x", "here": True, "python": "p"}, {"what": 3}):
                try:
                    tare.run(**({"values": {"x": x}} | FAST | arguments))
                except tare.Error as error:
                    said.append([type(error).__name__, str(error)])
            print(json.dumps(said))
        """)
        kinds = [kind for kind, _ in told]
        self.assertEqual(kinds, ["CaseFailed", "CaseFailed", "Error", "Error", "Error", "Error"], told)
        for (_, text), word in zip(told, ("missing", "division by zero", "(", "--wrong", "python", "neither")):
            self.assertIn(word, text)

    def test_one_that_fails_among_others_costs_itself_only(self):
        told = self.told("""
            import json
            run = tare.run({"good": "x + y", "bad": "1 / zero"}, values={"x": x, "y": y}, setup="zero = 0", **FAST)
            print(json.dumps([[row.case, row.gross_ns is not None, row.error] for row in run.rows]))
        """)
        self.assertEqual(told, [["good", True, ""], ["bad", False, "ZeroDivisionError: division by zero"]])

    def test_in_this_process_sees_what_no_other_has(self):
        told = self.told("""
            import json
            calls = []
            run = tare.run({"counted": lambda: calls.append(1), "bad": "1 / zero"}, values={"zero": 0}, here=True)
            run.to_json("here.json")
            print(json.dumps([len(calls), run["counted"].gross_ns, run.where, run["bad"].error]))
        """)
        calls, gross, where, error = told
        self.assertGreater(calls, 1000)
        self.assertGreater(gross, 0)
        self.assertIn("in this process", where)
        self.assertIn("division by zero", error)
        self.assert_valid(self.folder / "here.json")

    def test_ctrl_c_keeps_what_was_measured(self):
        told = self.told("""
            import json, os, pathlib, signal, threading, time
            def interrupt():
                while not any(p.read_bytes().count(b"\\n") > 5 for p in pathlib.Path("kept/journal").glob("*")):
                    time.sleep(0.05)  # until visits are written down
                os.kill(os.getpid(), signal.SIGINT)
            threading.Thread(target=interrupt).start()
            try:
                tare.run(store="kept")
                said = "not interrupted"
            except tare.Interrupted as interrupted:
                said = interrupted.result.record["tare"]["interrupted"]
            print(json.dumps(said))
        """)
        self.assertEqual(told, True)
        self.assert_nobody_left()


class Others(PythonTest):
    def test_a_duet_of_two_statements_decides(self):
        told = self.told("""
            import json
            duet = tare.duet("sorted(z)", "sorted(sorted(z) + z)", setup="z = list(range(500))", pairs=10, quads=3)
            duet.to_json("duet.json")
            assert tare.load("duet.json").rows == duet.rows
            html = duet._repr_html_()
            assert "<svg" in html and "sorted(z)" in html
            print(json.dumps([[row.verdict, row.ratio] for row in duet.rows]))
        """)
        self.assertEqual(told[0][0], "slower")
        self.assertGreater(told[0][1], 1.5)
        self.assert_valid(self.folder / "duet.json")

    def test_a_duet_of_environments_gives_each_its_variables(self):
        told = self.told(f"""
            import json
            sides = [tare.Environment({PYTHON!r}, {{"SIDE": name}}) for name in "ab"]
            setup = "import os; side = os.environ['SIDE']; assert side in 'ab'"
            duet = tare.duet(*sides, what="side.upper()", setup=setup, pairs=10, quads=3)
            print(json.dumps([row.error for row in duet.rows]))
        """)
        self.assertEqual(told, [""])

    def test_an_explanation_adds_up(self):
        told = self.told("""
            import json
            why = tare.explain("x + y", values=globals(), layouts=2)
            assert why.flame_graph.startswith("<?xml") or why.flame_graph.startswith("<svg")
            counted = sum(function.lowest for function in why.functions), why.record["ledgers"][0]["total"]["lowest"]
            print(json.dumps([counted, [row.layer for row in why.rows], "data:image/svg" in why._repr_html_()]))
        """)
        (functions, total), layers, pictured = told
        self.assertLessEqual(functions, total)
        self.assertIn("inner_loop", layers)
        self.assertTrue(pictured)

    def test_history_has_the_points_of_a_store(self):
        store = ROOT / "results" / "history"
        told = self.told(f"""
            import json
            history = tare.history({str(store)!r}, "^errstate$")
            print(json.dumps([len(history.rows), [[c.at, c.standing] for c in history.changes],
                              sum(point.changed for point in history.rows), "<svg" in history._repr_html_()]))
        """)
        points, changes, marked, pictured = told
        self.assertEqual((points, changes), (20, [["1.25.0", "confirmed"], ["2.0.0", "confirmed"]]))
        self.assertEqual((marked, pictured), (2, True))

    def test_every_example_of_the_page_runs(self):
        blocks = re.findall(r"```python\n(.*?)```", PAGE.read_text(encoding="utf-8"), re.S)
        self.assertGreaterEqual(len(blocks), 6)
        shutil.copytree(ROOT / "results" / "history", self.folder / "history")
        said = self.python("\n".join(blocks))
        self.assertIn("a @ b", said)
        self.assertIn("argument_parsing", said)


if __name__ == "__main__":
    unittest.main()
