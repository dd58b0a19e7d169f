# At stake: one broken line in one file of a suite must cost that file or operation, not the other 800 cases.
import os
import subprocess
import sys
import unittest

from tare import _session
from tests.suite_folder import suite

HEAD = "from tare import operation, over, plain, ufunc\n"
GOOD = HEAD + '@operation("x + 1", over(n=(1, 2)))\ndef good(n):\n    """One more."""\n    return {"x": n}\n'


def names(answer):
    return [case["name"] for case in answer["cases"]]


class Declarations(unittest.TestCase):
    def test_become_cases_named_by_operation_and_parameters(self):
        text = HEAD + (
            "@operation('x + x', over(kind='float') + over(kind=('0d', 'array'), dtype=('f8',), shape=((8, 1),)))\n"
            "def twice(kind, dtype=None, shape=None):\n    return {'x': 1.0}\n"
            "@operation('pass')\ndef bare():\n    return {}\n"
        )
        with suite(a=text) as (answer, folder):
            self.assertEqual(answer["problems"], [])
            self.assertEqual(
                names(answer),
                [
                    "twice[kind=float]",
                    "twice[kind=0d,dtype=f8,shape=8x1]",
                    "twice[kind=array,dtype=f8,shape=8x1]",
                    "bare",
                ],
            )
            self.assertEqual(answer["cases"][1]["parameters"], [["kind", "0d"], ["dtype", "f8"], ["shape", "8x1"]])
            self.assertEqual(answer["operations"][0]["line"], 2)
            self.assertEqual(answer["operations"][0]["file"], os.path.join(folder, "a.py"))

    def test_are_limited_to_those_asked_for(self):
        text = HEAD + (
            "@operation('x', over(n=(1, 2, 3)))\ndef some(n):\n    return {'x': n}\n"
            "@operation('syntax error', over(n=(1, 2)))\ndef broken(n):\n    return {}\n"
            "@operation('x')\ndef other():\n    return {'x': 1}\n"
        )
        with suite(a=text) as (_, folder):
            answer = _session.load([folder], None, ["some[n=2]", "gone[n=2]"])
            self.assertEqual(names(answer), ["some[n=2]"])
            self.assertEqual([o["name"] for o in answer["operations"]], ["some"])
            self.assertEqual(answer["problems"], [], "what is not asked for is not parsed")
            self.assertEqual(_session.prepare("some[n=2]", 1, 1).operands, {"x": 2})
            with self.assertRaisesRegex(ValueError, "no case 'other' is loaded"):
                _session.prepare("other", 1, 1)
            self.assertEqual(names(_session.load([folder], None, [])), [])

    def test_make_no_operand_when_loaded(self):
        with suite(a=HEAD + "@operation('x + 1')\ndef lazy():\n    raise RuntimeError('set up')\n") as (answer, _):
            self.assertEqual((names(answer), answer["problems"]), (["lazy"], []))
            with self.assertRaisesRegex(RuntimeError, "set up"):
                _session.prepare("lazy", 1, 1)

    def test_rungs_follow_the_statement_and_the_specs(self):
        text = HEAD + (
            "@operation('x + y', over(kind=('float', 'float64', '0d', 'array')), native=ufunc('add', 'x', 'y'),\n"
            "           cpp=lambda kind: plain('add', 'x', 'y') if kind == 'array' else None)\n"
            "def add(kind):\n    return {}\n"
            "@operation('for _ in v: pass')\ndef loop():\n    return {'v': ()}\n"
        )
        with suite(a=text) as (answer, _):
            rungs = {case["name"]: case["rungs"] for case in answer["cases"]}
        self.assertEqual(rungs["add[kind=float]"], ["python", "call", "floor"])
        self.assertEqual(rungs["add[kind=float64]"], ["python", "call", "floor"])
        self.assertEqual(rungs["add[kind=0d]"], ["python", "call", "native", "floor"])
        self.assertEqual(rungs["add[kind=array]"], ["python", "call", "native", "cpp", "floor"])
        self.assertEqual(rungs["loop"], ["python", "floor"])

    def test_the_statement_may_depend_on_the_parameters(self):
        text = HEAD + "@operation(lambda n: f'x + {n}', over(n=(1, 2)))\ndef plus(n):\n    return {'x': n}\n"
        with suite(a=text) as (answer, _):
            self.assertEqual([case["statement"] for case in answer["cases"]], ["x + 1", "x + 2"])


class Files(unittest.TestCase):
    def test_share_helpers_that_begin_with_an_underscore(self):
        user = HEAD + "from ._make import value\n@operation('x')\ndef it():\n    return {'x': value}\n"
        with suite(_make="value = 42\n", user=user) as (answer, folder):
            self.assertEqual((names(answer), answer["problems"]), (["it"], []))
            read = {os.path.relpath(f["path"], folder) for f in answer["files"]}
            self.assertLessEqual({".", "_make.py", "user.py"}, read)
            self.assertTrue(any(path.endswith("_session.py") for path in read))
            self.assertEqual(_session.prepare("it", 1, 1).operands["x"], 42)

    def test_may_import_one_another_and_are_listed_once(self):
        with suite(a=HEAD + "from .b import good\n", b=GOOD) as (answer, _):
            self.assertEqual((names(answer), answer["problems"]), (["good[n=1]", "good[n=2]"], []))

    def test_a_second_load_forgets_the_first(self):
        with suite(a=GOOD), suite(a=GOOD.replace("good", "better")) as (answer, _):
            self.assertEqual(names(answer), ["better[n=1]", "better[n=2]"])

    def test_a_missing_folder_is_a_problem(self):
        problems = _session.load(["/nowhere/at/all"], None)["problems"]
        self.assertIn("No such file", problems[0]["error"])

    def test_load_does_not_import_numpy_for_files_that_do_not(self):
        with suite(a=GOOD) as (_, folder):
            script = (
                "import sys; from tare import _session as s; r = s.load([sys.argv[1]], None);"
                "assert len(r['cases']) == 2 and 'numpy' not in sys.modules; s.prepare('good[n=1]', 1, 1).batch(1)"
            )
            package_dir = os.path.dirname(os.path.dirname(os.path.abspath(_session.__file__)))
            environment = {**os.environ, "PYTHONPATH": package_dir}
            done = subprocess.run([sys.executable, "-c", script, folder], env=environment, check=False)
            self.assertEqual(done.returncode, 0)

    def test_functions_and_classes_stand_in_names_by_their_own(self):
        text = "def mine(): pass\n@operation('f', over(f=(mine, len, int)))\ndef of(f): return {'f': f}\n"
        with suite(a=HEAD + text) as (answer, _):
            self.assertEqual(names(answer), ["of[f=mine]", "of[f=len]", "of[f=int]"])
            _session.prepare("of[f=mine]", 1, 1)


class Problems(unittest.TestCase):
    def one_problem(self, text, **others):
        """The other file's cases are there, and exactly one problem names file and line of the bad one."""
        with suite(bad=text, good=GOOD, **others) as (answer, folder):
            self.assertIn("good[n=1]", names(answer))
            self.assertEqual(len(answer["problems"]), 1, answer["problems"])
            problem = answer["problems"][0]
            self.assertEqual(problem["file"], os.path.join(folder, "bad.py"))
            return problem["error"], names(answer)

    def test_a_file_that_raises_exits_or_does_not_compile(self):
        cases = {
            "x = 1\nraise ValueError('oh')": r"bad\.py:2: ValueError: oh",
            "import sys\nsys.exit(3)": r"bad\.py:2: SystemExit: 3",
            "x = (": r"SyntaxError.*bad\.py, line 1",
            "import surely_not_installed_anywhere": r"bad\.py:1: ModuleNotFoundError",
        }
        for text, expected in cases.items():
            with self.subTest(text):
                self.assertRegex(self.one_problem(text)[0], expected)

    def test_an_operation_that_cannot_be_used_costs_itself_only(self):
        cases = {
            "@operation('x +')\ndef bad(): pass": "SyntaxError",
            "@operation(5)\ndef bad(): pass": "not text",
            "@operation('x', over(m=1))\ndef bad(n): pass": "no parameter 'm'",
            "@operation('x', over(n='a,b'))\ndef bad(n): pass": "cannot stand in a case's name",
            "@operation('x', over(n=object()))\ndef bad(n): pass": "reads otherwise in each process",
            "@operation('x', over(n=(lambda: 1, lambda: 2)))\ndef bad(n): pass": "bad.n=<lambda>. was declared before",
            "@operation('x', over(n=(1, 1)))\ndef bad(n): pass": "declared before",
            "@operation('x', native='add')\ndef bad(): pass": "is not made by",
            "@operation('x', native=lambda: 1 / 0)\ndef bad(): pass": "ZeroDivisionError",
            "@operation(lambda: exit(3))\ndef bad(): pass": "SystemExit: 3",
        }
        for text, expected in cases.items():
            with self.subTest(text):
                error, found = self.one_problem(HEAD + text + "\n@operation('1')\ndef fine(): pass\n")
                self.assertRegex(error, rf"bad\.py:2: bad.*{expected}")
                self.assertIn("fine", found)

    def test_a_name_that_another_file_has_taken_names_both_places(self):
        error, _ = self.one_problem(
            HEAD + "@operation('1')\ndef taken(): pass\n", a=HEAD + "@operation('1')\ndef taken(): pass\n"
        )
        self.assertRegex(error, r"bad\.py:2: taken: case taken was declared before, at .*a\.py:2")

    def test_unknown_routines_and_wrong_counts_stop_the_file(self):
        for spec in ("plain('nothing', 'x')", "plain('add', 'x')", "ufunc('add')", "plain('add', 'x', [1])"):
            with self.subTest(spec):
                self.assertRegex(self.one_problem(HEAD + f"s = {spec}\n")[0], r"bad\.py:2: (Value|Type)Error")

    def test_unknown_operands_are_named_with_file_and_line_when_prepared(self):
        for text, expected in (
            ("@operation('x + z')\ndef bad():\n    return {'x': 1, 'y': 2}\n", r"'x \+ z' uses 'z'.*\(x, y\)"),
            ("@operation('1')\ndef bad():\n    return [1]\n", "returned list"),
        ):
            with suite(a=HEAD + text), self.assertRaisesRegex(ValueError, rf"a\.py:2: bad: {expected}"):
                _session.prepare("bad", 1, 1)


if __name__ == "__main__":
    unittest.main()
