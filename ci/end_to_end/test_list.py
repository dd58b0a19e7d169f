# At stake: `bench list` answers without starting an interpreter once the catalogue was read; a change is seen at once.
import json
import time
import unittest

from bench_process import BenchTest

SUITE = """
# counts how often it is read
import os
from tare import operation, over

with open(os.environ["READ_LOG"], "a") as log:
    log.write("read\\n")

@operation("x + x", over(n=[1, 2, 3]))
def one(n):
    return {"x": n}

@operation("x * x")
def two():
    return {"x": 1.0}
"""


class List(BenchTest):
    def counted(self):
        """An environment in which each start of an interpreter, and each reading of the suite, leaves a line."""
        path = self.folder / "path"
        path.mkdir()
        (path / "sitecustomize.py").write_text("open(__import__('os').environ['START_LOG'], 'a').write('start\\n')\n")
        logs = {"START_LOG": self.folder / "starts", "READ_LOG": self.folder / "reads"}
        for log in logs.values():
            log.write_text("")
        names = {name: str(log) for name, log in logs.items()}
        return self.environment(PYTHONPATH=str(path), **names), lambda: [len(log.read_text()) for log in logs.values()]

    def settled(self, suite):
        """Once the last change in this folder is so old that a stamp of whole seconds tells it from the next one."""
        (suite / "__pycache__").mkdir()  # or the first reading makes it
        while any(time.time() - path.stat().st_ctime < 2.1 for path in [suite, *suite.glob("*.py")]):
            time.sleep(0.1)
        return suite

    def test_asks_no_interpreter_the_second_time(self):
        environment, lines = self.counted()
        suite = self.settled(self.suite(own=SUITE))
        first = self.bench("list", "--suite", suite, environment=environment)
        self.assertTrue(all(lines()), "the first call reads the suite in an interpreter")
        before = lines()
        second = self.bench("list", "--suite", suite, environment=environment)
        self.assertEqual(lines(), before)
        self.assertEqual(second.out, first.out)
        self.assertIn("4 cases of 2 operations", first.out)

    def test_sees_changed_new_and_removed_files(self):
        suite = self.suite(own=SUITE.replace("with open", "if 0:\n  pass\nwith open"))
        environment, _ = self.counted()

        def names():
            listed = self.bench("list", "--suite", suite, "--format", "json", environment=environment)
            return [case["name"] for case in json.loads(listed.out)["cases"]]

        self.assertEqual(names(), ["one[n=1]", "one[n=2]", "one[n=3]", "two"])
        (suite / "own.py").write_text(SUITE.replace("def two", "def second"))
        self.assertEqual(names()[-1], "second")
        (suite / "more.py").write_text(
            "# one more\nfrom tare import operation\n\n@operation('1')\ndef more():\n    pass\n"
        )
        self.assertIn("more", names())
        (suite / "more.py").unlink()
        self.assertNotIn("more", names())

    def test_sees_a_change_that_came_while_it_read(self):
        # as an editor may, after this file was read and before the command ended
        longer = 'text = open(__file__).read()\nopen(__file__, "w").write(text.replace("def " + "two", "def two_"))\n'
        suite = self.settled(self.suite(own=SUITE + longer))
        environment, _ = self.counted()
        first, second = (self.bench("list", "--suite", suite, environment=environment).out for _ in range(2))
        self.assertRegex(first, r"(?m)^two_* ")
        self.assertLess(first.count("_"), second.count("_"))

    def test_gives_operations_or_every_case_with_its_rungs(self):
        operations = self.bench("list", "--filter", "^dot")
        self.assertRegex(operations.out, r"(?m)^dot +\d+ +np\.dot\(x, y\) ")
        self.assertRegex(operations.out, r"\n\d+ cases of \d+ operations\n$")
        cases = self.bench("list", "--filter", "^dot", "--all")
        self.assertRegex(cases.out, r"(?m)^dot\[kind=array,dtype=f8,n=8\] +np\.dot\(x, y\) +python call native")
        listed = json.loads(self.bench("list", "--filter", "^dot", "--format", "json").out)["cases"]
        self.assertEqual(cases.out.count("python call"), len(listed))
        self.assertEqual(set(listed[0]), {"name", "operation", "parameters", "statement", "rungs"})

    def test_knows_the_suite_that_was_promised(self):
        listed = json.loads(self.bench("list", "--format", "json").out)["cases"]
        self.assertGreaterEqual(len(listed), 700)
        self.assertGreaterEqual(len({case["operation"] for case in listed}), 100)
        self.assertEqual(
            {case["parameters"].get("dtype") for case in listed} & {"f4", "f8", "i8", "c16"}, {"f4", "f8", "i8", "c16"}
        )

    def test_that_matches_nothing_proposes_the_nearest_names(self):
        self.assert_one_error(self.bench("list", "--filter", "matmull", code=2), "nearest: matmul")


if __name__ == "__main__":
    unittest.main()
