# At stake: the examples that people copy from benchmarks/README.md. Every one is loaded as a suite and executed.
import pathlib
import re
import unittest

from tare import _session
from tests.suite_folder import suite

README = pathlib.Path(__file__).resolve().parents[2] / "benchmarks" / "README.md"


class Examples(unittest.TestCase):
    def test_load_and_run(self):
        try:
            import numpy  # noqa: F401
        except ImportError:
            self.skipTest("no NumPy in this interpreter")
        examples = re.findall(r"```python\n(.*?)```", README.read_text(encoding="utf-8"), re.DOTALL)
        self.assertEqual(len(examples), 3)
        for number, example in enumerate(examples):
            with self.subTest(number), suite(example=example) as (answer, _):
                self.assertEqual(answer["problems"], [])
                self.assertGreaterEqual(len(answer["cases"]), 3)
                for case in answer["cases"]:
                    made = _session.prepare(case["name"], 1, 2)
                    made.batch(2)
                    self.assertEqual((made.native_problem, made.cpp_problem), (None, None))


if __name__ == "__main__":
    unittest.main()
