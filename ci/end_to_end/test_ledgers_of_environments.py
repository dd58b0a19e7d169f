# At stake: which function made np.add.at faster from one release to the next, that two copies of one environment differ
# by nothing, and that a compiled function is called by its Python name.
import json
import os
import subprocess
import unittest
from pathlib import Path

from bench_process import PYTHON
from explain_process import CASES, ExplainTest

ENVIRONMENTS = [python for python in os.environ.get("TARE_ENVIRONMENTS", "").split(";") if python]
MAY_HAVE_SYMBOLS = [python for python in os.environ.get("TARE_SYMBOL_PYTHONS", PYTHON).split(";") if python]
NUMBA = os.environ.get("TARE_NUMBA_PYTHON", "")
ADD_AT = "add_at[kind=array,dtype=f8,n=8]"
SEVERAL = [ADD_AT, *CASES.values(), "dot[dtype=f8,n=8]", "matmul[dtype=f8,n=8]", "errstate", "sum_[dtype=f8,n=8]"]
PROBE = """
import numba
@numba.njit
def tare_probe(a, b):
    total = 0.0
    for i in range(10):
        total += a * b + i
    return total
tare_probe(1.0, 2.0)
"""
NAMED = 0.97  # of the instructions
LAYERED = 0.95
NAMED_STATEMENTS = {
    "x + y": "x = np.array(1.5); y = np.array(2.5)",
    "v + 1.0": "v = np.ones(8)",
    "np.sum(v)": "v = np.ones(8)",
    "A @ B": "A = np.ones((8, 8)); B = np.ones((8, 8))",
}


def environment_of(version):
    found = [python for python in ENVIRONMENTS if f"numpy-{version}" in python]
    return found[0] if found else None


@unittest.skipUnless(ENVIRONMENTS, "TARE_ENVIRONMENTS names no interpreters: ci/full sets it")
class Environments(ExplainTest):
    def differences(self, a, b, cases):
        """What --against says of each case, in their order."""
        ran = self.bench("explain", *cases, "--python", a, "--against", b, "--format", "json")
        return json.loads(ran.out)["differences"]

    def test_name_the_functions_that_made_add_at_faster(self):
        old, new = environment_of("1.24.4"), environment_of("1.25.2")
        self.assertTrue(old and new, ENVIRONMENTS)
        (told,) = self.differences(old, new, [ADD_AT])
        before, after = (total["value"] for total in told["total"])
        self.assertLess(after, before / 2)
        kinds = {change["name"]: change["kind"] for change in told["functions"]}
        self.assertEqual(kinds["PyArray_MapIterNext"], "gone")
        self.assertIn(kinds["npyiter_copy_to_buffers"], ("shrank", "gone"))
        new_ones = {name for name, kind in kinds.items() if kind == "new"}
        self.assertTrue({"DOUBLE_add_indexed", "try_trivial_at_loop", "trivial_at_loop"} & new_ones, new_ones)

    def test_name_nothing_between_two_copies_of_one(self):
        copy = environment_of("2.4.6")
        self.assertTrue(copy, ENVIRONMENTS)
        for told in self.differences(PYTHON, copy, SEVERAL):
            with self.subTest(told["case_a"]):
                self.assertEqual([told[kind] for kind in ("layers", "functions", "python_functions")], [[], [], []])

    def test_give_ledgers_of_every_numpy(self):
        for python in ENVIRONMENTS:
            with self.subTest(python):
                ledgers, problems = self.explain(*SEVERAL, "--python", python, "--layouts", "2")
                self.assertEqual((len(ledgers), problems), (len(SEVERAL), {}))
                for ledger in ledgers.values():
                    numpy = [m for m in ledger["modules"] if "_multiarray_umath" in m["path"]]
                    for module in numpy:
                        self.assertGreaterEqual(module["named"], NAMED * module["self"]["value"])


class Symbols(ExplainTest):
    def test_name_nearly_all_instructions_where_there_are_some(self):
        tried = []
        for python in MAY_HAVE_SYMBOLS:
            ledgers = {}
            for statement, setup in NAMED_STATEMENTS.items():
                arguments = ["-e", statement, "--setup", f"import numpy as np; {setup}", "--python", python]
                ran = self.bench("explain", *arguments, "--no-timing", "--layouts", "4", "--format", "json", code=None)
                if ran.code != 0:
                    break  # no worker of its ABI
                (ledgers[statement],) = json.loads(ran.out)["ledgers"]
            interpreter = [
                module["symbols"]
                for ledger in ledgers.values()
                for module in ledger["modules"]
                if Path(module["path"]).name.startswith(("python3", "libpython3"))
            ]
            tried.append(f"{python}: {sorted(set(interpreter)) or ran.err.strip()}")
            if not interpreter or not set(interpreter) <= {"symtab", "debug_file"}:
                continue
            for statement, ledger in ledgers.items():
                with self.subTest(f"{python}: {statement}"):
                    total = ledger["total"]["value"]
                    named = sum(module["named"] for module in ledger["modules"])
                    unresolved = sum(layer["self"]["value"] for layer in ledger["layers"] if layer["unresolved"])
                    print(f"\n{python}: {statement}: {named / total:.1%} named, {1 - unresolved / total:.1%} in layers")
                    self.assertGreaterEqual(named / total, NAMED)
                    self.assertGreaterEqual(1 - unresolved / total, LAYERED)
            return
        self.skipTest(f"no interpreter whose functions have names: {'; '.join(tried)}")


@unittest.skipUnless(NUMBA, "TARE_NUMBA_PYTHON names no interpreter: ci/full sets it")
class Compiled(ExplainTest):
    def test_functions_are_called_by_their_python_names(self):
        version = subprocess.run(
            [NUMBA, "-c", "import numba; print(numba.__version__)"], capture_output=True, text=True
        )
        self.assertEqual(version.returncode, 0, version.stderr)
        ledgers, _ = self.explain("-e", "tare_probe(1.0, 2.0)", "--setup", PROBE, "--python", NUMBA)
        ((ledger),) = ledgers.values()
        named = {f["name"]: f for f in ledger["functions"] if f["source"] == "jit"}
        (probe,) = (
            f for name, f in named.items() if name.endswith("::tare_probe") and not name.startswith("cpython::")
        )
        self.assertGreater(probe["self"]["value"], 10)
        self.assertGreater(self.layer(ledger, "jit"), 0)


if __name__ == "__main__":
    unittest.main()
