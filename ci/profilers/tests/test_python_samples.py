"""At stake: one line of py-spy's that is read as another moves a share by as much as what the comparison is to find."""

import unittest

from python_samples import innermost_lines, line_of
from tare_samples import TareProfile

FOLDED = """\
<module> (dgemm.py:20);multiply (dgemm.py:15) 1203
<module> (dgemm.py:20);multiply (dgemm.py:14) 7
thread (0x7F1) (x.py:1);<module> (<frozen importlib._bootstrap>:241);A.run.<locals>.inner (/a/b/x y.py:3) 2
<module> (x.py:1);_find_and_load (<frozen importlib._bootstrap>:1178);f (y.py:2) 9
process 12:"python" 5
damaged
"""


class Folded(unittest.TestCase):
    def test_stacks_count_for_their_innermost_line(self) -> None:
        self.assertEqual(
            dict(innermost_lines(FOLDED.splitlines())),
            {("multiply", "dgemm.py", 15): 1203, ("multiply", "dgemm.py", 14): 7, ("inner", "x y.py", 3): 2},
        )

    def test_frames_that_are_no_function_have_no_line(self) -> None:
        self.assertIsNone(line_of('process 12:"python3 x.py"'))
        self.assertEqual(line_of("f (<string>)"), ("f", "<string>", 0))


class Profile(unittest.TestCase):
    def test_counts_native_functions_by_address_and_python_by_line(self) -> None:
        profile = {
            "modules": [{"path": "/x.so"}],
            "functions": [
                {"kind": "native", "name": "f", "module": 0, "address": 16, "self": {"samples": 3}},
                {"kind": "kernel", "name": "[kernel]", "self": {"samples": 1}},
                {"kind": "python", "name": "A.g", "file": "/a/b.py", "self": {"samples": 4}},
                {"kind": "python", "name": "_find_and_load", "file": "<frozen>", "self": {"samples": 0}},
            ],
            "nodes": [
                {"parent": -1, "function": 0, "line": 0, "self": {"samples": 1}},
                {"parent": 0, "function": 2, "line": 9, "self": {"samples": 2}},
                {"parent": 1, "function": 0, "line": 0, "self": {"samples": 2}},
                {"parent": 0, "function": 3, "line": 5, "self": {"samples": 1}},
                {"parent": 3, "function": 2, "line": 9, "self": {"samples": 7}},
            ],
            "quality": {"complete": 2, "scanned": 1, "truncated": 1},
        }
        read = TareProfile()
        read.add(profile)
        self.assertEqual(read.native, [{("/x.so", 16): 3, ("[kernel]", 0): 1}])
        self.assertEqual(read.lines, [{("g", "b.py", 9): 4}])
        self.assertEqual((read.reach_the_entry, read.stacks), (3, 4))
