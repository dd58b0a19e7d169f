# At stake: that a worker measures what the caller meant (values carried whole or refused), that a median's interval
# holds it 95 times in 100, that what a record or a name holds does no harm in a notebook, that importing stays cheap.
import gc
import html
import io
import json
import math
import os
import pathlib
import pickle
import random
import signal
import stat
import subprocess
import sys
import tempfile
import types
import unittest
import warnings
from unittest import mock

from tare.api import here, picture, program, table
from tare.api.carried import FOLDER, values
from tare.api.code import CannotCarry, Carrier, suite_of
from tare.api.formats.measured import commit_of, measured_cases
from tare.api.load import load
from tare.api.program import Error
from tare.api.runs import Run, options_of

PACKAGE = pathlib.Path(__file__).resolve().parents[1]


class Folder(unittest.TestCase):
    def setUp(self):
        made = tempfile.TemporaryDirectory()
        self.addCleanup(made.cleanup)
        self.folder = pathlib.Path(made.name)


class Carried(Folder):
    def scope_of(self, *arguments):
        """The statement, and the names that a worker has after the set-up."""
        carrier = Carrier(pathlib.Path(tempfile.mkdtemp(dir=self.folder)))
        code = carrier.code_of(*arguments)
        scope = {"__name__": "worker"}
        with mock.patch.dict(os.environ, carrier.variables()):
            exec(code.setup, scope)
        return code.statement, scope

    def test_only_what_is_used_is_carried(self):
        values = {"x": [1, 2], "unused": lambda: None, "y": 3}
        statement, scope = self.scope_of("x + [y]", "", values)
        self.assertEqual((statement, scope["x"], scope["y"]), ("x + [y]", [1, 2], 3))
        self.assertNotIn("unused", scope)

    def test_the_set_up_uses_them_too_and_runs_after_them(self):
        _, scope = self.scope_of("twice", "twice = 2 * base", {"base": 21})
        self.assertEqual(scope["twice"], 42)

    def test_modules_go_by_name_and_importable_callables_too(self):
        statement, scope = self.scope_of(json.dumps, "", {})
        self.assertEqual(statement, "dumps()")
        self.assertIs(scope["dumps"], json.dumps)
        _, scope = self.scope_of("p.join('a')", "", {"p": os.path})
        self.assertIs(scope["p"], os.path)

    def test_what_two_values_share_stays_shared(self):
        shared = [1]
        _, scope = self.scope_of("a, b", "", {"a": shared, "b": [shared]})
        self.assertIs(scope["b"][0], scope["a"])

    def test_a_view_with_gaps_is_refused_wherever_it_hides(self):
        try:
            import numpy as np
        except ImportError:
            # the package is tried in any interpreter, and tare needs none; strides are those of NumPy's arrays alone
            self.skipTest("no NumPy in this interpreter")
        view = np.arange(8.0)[::2]
        for value in (view, [view], {"deep": (view,)}):
            with self.assertRaisesRegex(CannotCarry, r"x: an array with strides \(16,\)"):
                self.scope_of("x", "", {"x": value})
        _, scope = self.scope_of("x", "", {"x": np.asfortranarray(np.ones((3, 2)))})
        self.assertTrue(scope["x"].flags.fnc)

    def test_what_cannot_be_pickled_is_named(self):
        with self.assertRaisesRegex(CannotCarry, "stream cannot be carried"):
            self.scope_of("stream", "", {"stream": (i for i in "a")})

    def test_text_that_is_no_statement_is_an_error_of_ours(self):
        for text in ("x +", "1 + 1", 3):
            with self.assertRaises(Error):
                self.scope_of(text, "", {})

    def test_what_the_set_up_of_each_execution_alone_assigns_is_not_carried(self):
        carrier = Carrier(pathlib.Path(tempfile.mkdtemp(dir=self.folder)))
        values = {"l": [3, 1, 2], "m": (x for x in ())}  # nothing carries a generator
        self.assertEqual(carrier.code_of("m.sort()", "", values, "m = l[:]").setup_each, "m = l[:]")
        needed = ("m = m or l[:]", "if l: m = l[:]", "for m in l: pass", "def f(): m = 1", "m: list", "m += l")
        for each in needed:
            with self.assertRaisesRegex(CannotCarry, "m cannot be carried", msg=each):
                carrier.code_of("m.sort()", "", values, each)
        self.assertEqual(carrier.code_of("l.sort()", "", values).setup_each, "")
        with self.assertRaisesRegex(Error, "'# later' is no statement: the set-up of each execution is empty"):
            carrier.code_of("l.sort()", "", values, "# later")
        with self.assertRaisesRegex(Error, "'return' is no statement"):
            carrier.code_of("l.sort()", "", values, "return")

    def test_what_the_statement_binds_too_is_carried(self):
        for text in ("x = x + 1", "[x for x in x]", "x += 1"):
            self.assertEqual(self.scope_of(text, "# a comment alone", {"x": [1]})[1]["x"], [1], text)

    def test_the_set_up_is_the_same_text_for_the_same_values(self):
        texts = set()
        for _ in range(2):
            carrier = Carrier(pathlib.Path(tempfile.mkdtemp(dir=self.folder)))
            texts.add(carrier.code_of("x + p.sep", "", {"x": 1, "p": os.path}).setup)
        self.assertEqual(len(texts), 1, "a trend of runs takes the set-up for a part of what is measured")

    def test_another_interpreter_gets_no_paths_and_no_functions_of_ours(self):
        carrier = Carrier(pathlib.Path(tempfile.mkdtemp(dir=self.folder)), "/some/other/python")
        setup = carrier.code_of("p.sep", "", {"p": os.path}).setup
        self.assertNotIn("carried", setup)
        self.assertEqual(pickle.loads((carrier.folder / "paths.pickle").read_bytes()), [])
        with self.assertRaises(CannotCarry):
            carrier.code_of(lambda: None, "", {})

    def test_values_of_a_program_that_is_gone_are_an_error(self):
        with mock.patch.dict(os.environ), self.assertRaisesRegex(LookupError, "gone"):
            os.environ.pop(FOLDER, None)
            values("values_1.pickle")

    def test_a_name_that_is_none_is_refused(self):
        for number, name in enumerate((1, "", "two\nlines", " ")):
            with self.assertRaisesRegex(Error, "no name for a case"):
                suite_of([(name, None)], self.folder / str(number))


class InThisProcess(unittest.TestCase):
    def measured(self, cases, **values):
        record = here.Record(1, values.pop("setup", ""))
        record.measure_all(cases, values)
        return Run(record.text())

    def test_counts_what_it_executes(self):
        calls = []
        run = self.measured({"count": "add(1)"}, add=calls.append)
        [row] = run.record["benchmarks"]
        self.assertGreaterEqual(len(calls), row["iterations"])
        self.assertEqual(row["iterations"], row["tare"]["n"] * len(row["tare"]["samples_ns"]))

    def test_leaves_the_collector_as_it_was(self):
        for state in (True, False):
            (gc.enable if state else gc.disable)()
            self.addCleanup(gc.enable)
            seen: list = []
            self.measured({"c": "seen.append(enabled())"}, seen=seen, enabled=gc.isenabled)
            self.assertEqual((gc.isenabled(), any(seen)), (state, False))

    def test_a_missing_name_and_a_broken_set_up_are_errors(self):
        with self.assertRaisesRegex(Error, "missing"):
            self.measured({"c": "missing + 1"})
        with self.assertRaisesRegex(Error, "ZeroDivisionError"):
            self.measured({"c": "x"}, setup="x = 1 / 0")

    def test_what_raises_costs_itself_only(self):
        run = self.measured({"bad": "1 / zero", "good": "zero + 1"}, zero=0)
        self.assertEqual([(row.case, bool(row.error)) for row in run.rows], [("good", False), ("bad", True)])

    def test_the_interval_holds_the_median_in_95_of_100(self):
        lot = random.Random(7)
        for count in (12, 24, 101):
            held = 0
            for _ in range(4000):
                low, high = here.median_interval([lot.expovariate(1) for _ in range(count)])
                held += low <= 0.6931472 <= high
            self.assertGreater(held / 4000, 0.936, count)  # 0.95 less 4 standard errors of 0.0034
            self.assertLess(held / 4000, 0.975, count)  # at most 0.961 by the binomial of 12


class FakeBench(Folder):
    def bench(self, script):
        path = self.folder / "bench"
        path.write_text(f"#!/bin/sh\n{script}\n")
        path.chmod(path.stat().st_mode | stat.S_IXUSR)
        before = os.environ.get("TARE_BENCH")
        os.environ["TARE_BENCH"] = str(path)
        restore = os.environ.pop if before is None else os.environ.__setitem__
        self.addCleanup(restore, "TARE_BENCH", *([None] if before is None else [before]))

    def test_what_it_prints_comes_back(self):
        self.bench('echo "$1 $TARE_PYTHON"; echo "progress" >&2; exit 4')
        ended = program.call(["run"], python="/some/python")
        self.assertEqual((ended.code, ended.out, ended.err), (4, "run /some/python\n", ["progress"]))

    def test_a_warning_is_one_and_an_error_names_its_way_out(self):
        self.bench("echo 'bench: warning: noisy' >&2")
        with warnings.catch_warnings(record=True) as caught:
            warnings.simplefilter("always")
            ended = program.call([])
            self.assertEqual((caught, ended.warnings()), ([], ["noisy"]))
            ended.warn()
        self.assertEqual([str(each.message) for each in caught], ["noisy"])
        self.bench("echo before >&2; echo 'bench: error: no such case' >&2; echo '  did you mean add?' >&2; exit 2")
        with self.assertRaisesRegex(Error, r"^no such case\n  did you mean add\?$"):
            program.call([])

    def test_ctrl_c_is_one_however_bench_then_ends(self):
        class Interrupting(io.StringIO):
            """Ctrl-C once, when the first line is shown: `bench` runs by then."""

            def write(self, text):
                if not self.getvalue():
                    super().write(text)
                    os.kill(os.getpid(), signal.SIGINT)
                return len(text)

        for ending in ("trap - INT; kill -INT $$", "exit 0", "exit 4", "exit 2"):
            self.bench(f"trap '{ending}' INT\necho ready >&2\nwhile true; do sleep 0.1; done")
            with mock.patch("sys.stderr", Interrupting()):
                ended = program.call([], progress=True)
            self.assertEqual(ended.code, program.INTERRUPTED, ending)

    def test_one_that_cannot_be_started_is_an_error(self):
        self.bench("")
        os.environ["TARE_BENCH"] = "/no/such/bench"
        with self.assertRaisesRegex(Error, "cannot start /no/such/bench"):
            program.call([])

    def test_one_that_dies_is_an_error(self):
        self.bench("kill -9 $$")
        with self.assertRaisesRegex(Error, "said nothing"):
            program.call([])

    def test_without_it_the_error_says_how_to_get_it(self):
        self.bench("")
        os.environ["TARE_BENCH"] = ""
        place, path = program.PACKAGE, os.environ["PATH"]
        program.PACKAGE = self.folder / "a" / "b"
        os.environ["PATH"] = str(self.folder / "empty")
        self.addCleanup(setattr, program, "PACKAGE", place)
        self.addCleanup(os.environ.__setitem__, "PATH", path)
        with self.assertRaisesRegex(Error, "TARE_BENCH"):
            program.call([])

    def test_options_are_the_commands_words(self):
        words = options_of({"visit_budget": 0.02, "quick": True, "precise": False, "cpu": None, "layers": ["a", "b"]})
        self.assertEqual(words, ["--visit-budget", "0.02", "--quick", "--layers", "a", "--layers", "b"])


class Shown(Folder):
    def test_digits_and_units(self):
        texts = [table.time_text(ns) for ns in (None, 0.0, 1.234, 12.34, 999.4, 999.6, 1234.0, 5.6e6, 2e9)]
        self.assertEqual(
            texts, ["", "0.00 ns", "1.23 ns", "12.3 ns", "999 ns", "1.00 us", "1.23 us", "5.60 ms", "2.00 s"]
        )

    def test_names_are_text_wherever_they_go(self):
        name = "<script>alert('&')</script>"
        shown = [
            table.html_table(["case"], [[name]]),
            picture.dot_plot([(name, 5.0, 4.0, 6.0, 1.0)]),
            picture.change_plot([(name, "slower", 1.1, 1.05, 1.15)], 0.02),
            picture.bar_plot([(name, 3.0)], str),
        ]
        for text in shown:
            self.assertNotIn("<script>", text)
            self.assertIn(html.escape(name)[:12], text)

    def test_pictures_of_nothing_and_of_equal_values(self):
        self.assertEqual(picture.dot_plot([]), "")
        self.assertEqual(picture.strip_plot([], None, None), "")
        for text in (
            picture.dot_plot([("a", 5.0, 5.0, 5.0, None)]),
            picture.strip_plot([[5.0, 5.0]], 5.0, 5.0),
            picture.step_plot([1.0, 1.0], [1], str),
            picture.change_plot([("a", "same", 1.0, 1.0, 1.0)], 0.02),
        ):
            self.assertIn("<svg", text)
            self.assertNotIn("nan", text)

    def test_columns_are_the_rows(self):
        record = here.Record(1)
        record.measure_all({"a": "z + 1", "b": "z + 2"}, {"z": 1})
        run = Run(record.text())
        columns = run.columns()
        self.assertEqual(columns["case"], ["a", "b"])
        self.assertEqual(columns["gross_ns"], [row.gross_ns for row in run.rows])
        self.assertNotIn("reasons", columns)

    def test_what_is_quiet_goes_by_the_limit_of_the_record(self):
        record = here.Record(1)
        record.measure_all({"a": "z + 1"}, {"z": 1})
        text = json.loads(record.text())
        own = text["benchmarks"][0]["tare"]
        own["samples_ns"], own["l1"] = [11.0, 12.0, 13.0, 14.0, 15.0], "0057a"
        own["visit"].pop("floor", None)
        for limit, quiet in (
            (0.05, [11.0, 12.0, 13.0]),
            (None, [11.0, 12.0, 13.0, 14.0, 15.0]),  # of records that do not say it: 10 %
            (0.07, [11.0, 12.0, 13.0, 14.0]),
            ("many", [11.0, 12.0, 13.0, 14.0, 15.0]),
        ):
            text["context"]["tare"]["references"] = {} if limit is None else {"quiet_limit": limit}
            [found] = measured_cases(Run(json.dumps(text)))
            self.assertEqual(found.processes[0].samples_ns, quiet, limit)

    def test_the_commit_is_that_of_the_package_that_the_record_goes_by(self):
        numpy = {"numpy": {"git_revision": "a1"}}
        own = {**numpy, "package": "mine", "package_builds": {"mine": {"commit": "b2"}}}
        for context, commit in (
            (numpy, "a1"),
            ({**numpy, "package": "numpy"}, "a1"),
            (own, "b2"),
            ({**own, "package_builds": {}}, ""),
            ({"subject_commit": "c3", "package_builds": None}, "c3"),
        ):
            run = Run(json.dumps({"context": {"tare": context}, "benchmarks": []}))
            self.assertEqual(commit_of(run), commit, context)

    def test_batches_are_said_at_the_clock_of_the_row(self):
        record = here.Record(1)
        record.measure_all({"a": "z + 1"}, {"z": 1})
        text = json.loads(record.text())
        entry = text["benchmarks"][0]
        entry["tare"]["samples_ns"], entry["real_time"] = [10.0, 10.0, 20.0], 10.0
        for own_ghz, at_ghz, cpu_time, expected in (
            (3.3, 3.0, 10.0, [11.0, 11.0, 22.0]),
            (3.3, 3.0, 5.0, [10.5, 10.5, 21.0]),  # half of it was waited for
            (3.3, 3.0, 12.0, [11.0, 11.0, 22.0]),
            (3.3, 2.0, 10.0, [10.0, 10.0, 20.0]),  # too far
            (0, 3.0, 10.0, [10.0, 10.0, 20.0]),
            (3.3, "many", 10.0, [10.0, 10.0, 20.0]),
        ):
            entry["cpu_time"] = cpu_time
            entry["tare"]["visit"]["clock_ghz"] = own_ghz
            text["context"]["tare"]["references"] = {"at_clock_ghz": at_ghz}
            [found] = measured_cases(Run(json.dumps(text)))
            for sample, value in zip(found.processes[0].samples_ns, expected):
                self.assertAlmostEqual(sample, value)
            self.assertEqual(Run(json.dumps(text))._samples_of_row("a"), [found.processes[0].samples_ns])

    def test_files_that_are_no_records_are_refused_by_name(self):
        nested = "[" * 100_000
        damaged = '{"benchmarks": [], "context": {}, "tare": {"cases": [{"case": "a"}], "failed_cases": []}}'
        record = here.Record(1)
        record.measure_all({"a": "z + 1"}, {"z": 1})
        whole = json.loads(record.text())
        for change in ({"gross_ns": "x"}, {"gross_ns": math.inf}, {"parameters": "ab"}):
            whole["tare"]["cases"][0] |= change
            (self.folder / f"{len(str(change))}.json").write_text(json.dumps(whole))
            with self.subTest(change), self.assertRaisesRegex(Error, "damaged record"):
                load(self.folder / f"{len(str(change))}.json")
        for number, text in enumerate(("", "[1]", "{}", "\x00", nested, damaged, '{"kind": "ledgers", "ledgers": 3}')):
            path = self.folder / f"record_{number}.json"
            path.write_text(text)
            with self.subTest(text[:40]), self.assertRaisesRegex(Error, path.name):
                load(path)
        with self.assertRaisesRegex(Error, "absent.json"):
            load(self.folder / "absent.json")


class Imported(unittest.TestCase):
    def test_the_words_of_suites_load_nothing_else(self):
        code = "import sys, tare; tare.operation; print([m for m in sys.modules if m.startswith('tare.api')])"
        environment = {"PYTHONPATH": str(PACKAGE)}
        ran = subprocess.run(
            [sys.executable, "-B", "-c", code], env=environment, capture_output=True, text=True, check=True
        )
        self.assertEqual(ran.stdout.strip(), "[]")

    def test_every_public_name_is_there(self):
        import tare

        for name in tare.__all__:
            self.assertIsNotNone(getattr(tare, name), name)
        with self.assertRaises(AttributeError):
            _ = tare.no_such_name
        self.assertIsInstance(tare, types.ModuleType)
        self.assertTrue(pickle.dumps(tare.Error("text")))


if __name__ == "__main__":
    unittest.main()
