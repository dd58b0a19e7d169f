# At stake: 120 instructions for a float add and 3,421 for a 0-d one, the same in every run, and the way through BLAS.
# What cannot be stepped costs one case and says why.
import json
import os
import re
import subprocess
import unittest
import xml.etree.ElementTree as xml
from pathlib import Path

from bench_process import (
    ADD,
    DEBIAN_PACKAGES,
    DEBIAN_PYTHON,
    PYTHON,
    can_fix_addresses,
    needs_haswell_kernels,
    numpy_of,
)
from explain_process import CASES, ExplainTest

REFUSED = """
import os, signal, threading
import numpy as np
from tare import operation

def block():
    signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGTRAP})

def block_for_a_moment():
    signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGTRAP})
    signal.pthread_sigmask(signal.SIG_UNBLOCK, {signal.SIGTRAP})

def thread():
    started = threading.Thread(target=lambda: None)
    started.start()
    started.join()

def fork():
    child = os.fork()
    if child == 0:
        os._exit(0)
    os.waitpid(child, 0)

def spawn():
    os.waitpid(os.posix_spawn("/bin/true", ["true"], {}), 0)

class Late:
    calls = 0
    def __call__(self):
        Late.calls += 1
        if Late.calls > 3:
            raise ValueError("late")

@operation("x + y")
def healthy():
    return {"x": np.ones(8), "y": np.ones(8)}

@operation("f()")
def starts_a_thread():
    return {"f": thread}

@operation("f()")
def forks():
    return {"f": fork}

@operation("f()")
def spawns():
    return {"f": spawn}

@operation("f()")
def blocks_the_trap():
    return {"f": block}

@operation("f(5, g)")
def takes_the_trap():
    return {"f": signal.signal, "g": signal.SIG_DFL}

@operation("x.sum()")
def too_long():
    return {"x": np.ones(1_000_000)}

@operation("f()")
def raises():
    return {"f": Late()}

@operation("f()")
def dies():
    return {"f": os.abort}

@operation("f()")
def blocks_for_a_moment():
    return {"f": block_for_a_moment}

@operation("x - y")
def healthy_too():
    return {"x": np.ones(8), "y": np.ones(8)}
"""
WITH_SMALL_KERNELS = ("SkylakeX", "Cooperlake", "SapphireRapids")  # OpenBLAS's cores of x86-64 that have them
WORDS = {
    "starts_a_thread": "not steppable: the statement starts a thread",
    "forks": "not steppable: the statement starts a process",
    "spawns": "not steppable: the statement starts a process",
    "blocks_the_trap": "not steppable: the statement blocks SIGTRAP",
    "takes_the_trap": "not steppable: the statement sets its own handler of SIGTRAP",
    "too_long": "too long to step: more than 100000 instructions | --limit 1000000",
    "raises": "late",
    "dies": "the worker died",
}


SHAPES = """class Box:
    def __init__(self, value):
        self.value = value

    def __eq__(self, other):
        return self.key() == other.key()

    def key(self):
        return sum(range(20)), self.value


def fib(n):
    return n if n < 2 else fib(n - 1) + fib(n - 2)


def one_more(n):
    return n + 1


def fails():
    raise ValueError


def caught():
    try:
        one_more(fails())
    except ValueError:
        return one_more(1)
"""


class Explain(ExplainTest):
    def test_counts_the_same_minimum_whatever_surrounds_the_run(self):
        surroundings = [
            ([], {}),
            (["--top", "7"], {"FILLER": "x" * 3000}),
            (["--seed", "0", "--layouts", "10"], {"A": "1", "B": "2", "LONG": "y" * 40000}),
            (["--time-limit", "20", "--top", "100"], {"HOME": "/"}),
            (["--limit", "90000"], {"COLUMNS": "133"}),
        ]
        totals = set()
        outer = self.folder
        for number, (arguments, variables) in enumerate(surroundings):
            self.folder = outer / ("d" * (1 + 40 * number))  # where it runs
            self.folder.mkdir()
            ledgers, _ = self.explain(*CASES.values(), *arguments, environment=self.environment(**variables))
            totals.add(tuple(ledgers[case]["total"]["lowest"] for case in CASES.values()))
            for ledger in ledgers.values():
                self.assertEqual(ledger["layouts"], 10)
        self.folder = outer
        self.assertEqual(len(totals), 1, totals)
        add_float, add_scalar, add_0d, add_array = totals.pop()
        self.assertLess(add_float, 200)
        self.assertLess(add_float, add_scalar)
        self.assertLess(add_scalar, add_0d)
        self.assertGreater(add_array, 1000)

    def test_shares_out_a_call_by_layer(self):
        ledgers, _ = self.explain(CASES["0d"], CASES["float"])
        add = ledgers[CASES["0d"]]
        for layer in ("argument_parsing", "type_resolution", "loop_setup", "allocation", "inner_loop", "interpreter"):
            self.assertGreater(self.layer(add, layer), 0, layer)
        names = {function["name"] for function in add["functions"]}
        self.assertIn("ufunc_generic_fastcall", names)
        self.assertIn("PyNumber_Add", names)
        asked = {allocation["function"]: allocation for allocation in add["allocations"]}
        self.assertEqual(asked["PyDataMem_UserNEW"]["bytes"], 8, "one double")
        self.assertEqual(self.layer(ledgers[CASES["float"]], "argument_parsing"), 0)

    def test_sees_the_routes_through_blas(self):
        enough = ("--limit", 2_000_000, "--layouts", 2)  # 64 x 64 takes 50,000 to 500,000, as wide as the kernel is
        ledgers, _ = self.explain("dot_aat[dtype=f4,n=4]", "dot_aat[dtype=f4,n=64]", *enough)
        for ledger in ledgers.values():
            (route,) = self.routes(ledger)
            self.assertRegex(route, r"^cblas_ssyrk -> ssyrk_LT -> (ssyrk_kernel_L -> )?sgemm_kernel_[A-Z]+$")
            self.assertEqual((ledger["routes"][0]["routine"], ledger["routes"][0]["transposition"]), ("syrk", "LT"))
            (driver,) = (f["blas"] for f in ledger["functions"] if f["name"] == "ssyrk_LT")
            self.assertEqual((driver["role"], driver["routine"], driver["precision"]), ("driver", "syrk", "s"))
        for n in (4, 64):
            setup = f"import numpy as np; C = np.ones(({n}, {n}), np.float32)"
            copied, _ = self.explain("-e", "np.dot(C, C.copy().T)", "--setup", setup, *enough)
            ((ledger),) = copied.values()
            self.assertEqual({route["routine"] for route in ledger["routes"]}, {"gemm"}, self.routes(ledger))

    @needs_haswell_kernels
    def test_sees_which_kernel_small_matrices_run(self):
        haswell, _ = self.explain("matmul[dtype=f4,n=8]", environment=self.environment(OPENBLAS_CORETYPE="Haswell"))
        (ledger,) = haswell.values()
        self.assertEqual(self.routes(ledger), ["cblas_sgemm -> sgemm_nn -> sgemm_kernel_HASWELL"])
        self.assertEqual(ledger["program"]["blas_core"], "Haswell")
        native, _ = self.explain("matmul[dtype=f4,n=8]")
        (ledger,) = native.values()
        if (core := ledger["program"]["blas_core"]) not in WITH_SMALL_KERNELS:
            self.skipTest(f"OpenBLAS has no small-matrix kernels for {core}, which it chose for this CPU")
        self.assertTrue(ledger["routes"][0]["small_matrix"])
        self.assertRegex(self.routes(ledger)[0], r"^cblas_sgemm -> sgemm_small_kernel_b0_nn_[A-Z]+$")

    def test_what_cannot_be_stepped_costs_itself_only(self):
        suite = self.suite(refused=REFUSED)
        asked = ["healthy", *WORDS, "blocks_for_a_moment", "healthy_too"]
        ledgers, problems = self.explain(*asked, "--suite", suite, "--layouts", "2", code=4)
        self.assertEqual(sorted(ledgers), ["blocks_for_a_moment", "healthy", "healthy_too"])
        for case, words in WORDS.items():
            self.assertIn(words, problems[case])
        for ledger in ledgers.values():
            self.assertEqual(ledger["layouts"], 2)
        calls = {call["number"] for call in ledgers["blocks_for_a_moment"]["system_calls"]}
        self.assertEqual(calls, {14}, "rt_sigprocmask")
        self.assert_nobody_left()

    def test_says_where_addresses_could_not_be_fixed(self):
        ran = self.bench_without("personality", "EPERM", "explain", CASES["0d"], "--no-timing")
        self.assertEqual(ran.code, 0, ran.err)
        self.assertIn("layouts at random addresses", ran.out)
        if not can_fix_addresses():
            # Skipped, the last line alone, because a sandbox refuses to ours what it refuses to the process above.
            self.skipTest("this process may not have its addresses fixed either")
        self.assertNotIn("at random", self.bench("explain", CASES["0d"], "--no-timing").out)

    def test_explains_by_what_two_cases_differ(self):
        ran = self.bench("explain", CASES["0d"], CASES["array"], "--diff", "--no-timing", "--format", "json")
        (told,) = json.loads(ran.out)["differences"]
        self.assertEqual((told["case_a"], told["case_b"]), (CASES["0d"], CASES["array"]))
        changed = {change["name"]: change for change in told["functions"]}
        self.assertIn("PyArray_Scalar", changed, "a 0-d result becomes a scalar, an array does not")
        self.assertEqual(changed["PyArray_Scalar"]["kind"], "gone")

    def test_counts_python_functions_as_often_as_they_were_called(self):
        package = self.folder / "package"
        package.mkdir()
        (package / "shapes.py").write_text(SHAPES)
        environment = self.environment(PYTHONPATH=str(package))
        for statement in (
            "a == b",
            "fib(6)",
            "list(map(one_more, range(5)))",
            "caught()",
            "Box(3)",
            "[one_more(i) for i in (1, 2)]",
        ):
            with self.subTest(statement):
                told = ("-e", statement, "--setup", "from shapes import *; a = Box(1); b = Box(2)")
                ledgers, _ = self.explain(*told, "--layouts", "3", environment=environment)
                (ledger,) = ledgers.values()
                functions = ledger.get("python_functions", [])
                ours = [f for f in functions if f["file"].endswith("/shapes.py")]
                calls = {f["name"].rpartition(".")[2]: f["calls"] for f in ours}
                self.assertEqual(calls, self.calls_of(statement, environment))
                total = ledger["total"]["value"]
                self.assertLessEqual(sum(f["self"]["value"] for f in functions), total)
                for function in functions:
                    self.assertEqual(sum(of_line for _, of_line in function["lines"]), function["self"]["value"])
                    self.assertLessEqual(function["self"]["value"], function["inclusive"])
        folded = ["--folded", "a.txt", "--no-timing"]
        self.bench("explain", "-e", "fib(3)", "--setup", "from shapes import fib", *folded, environment=environment)
        self.assertIn("fib (shapes.py:12);_PyEval_EvalFrameDefault", (self.folder / "a.txt").read_text())

    def calls_of(self, statement, environment):
        """What Python's own profiler counts, by function."""
        code = (
            "import json, sys; from shapes import *; a = Box(1); b = Box(2); calls = {}\n"
            "def count(frame, event, _):\n"
            "    if event == 'call' and frame.f_code.co_filename.endswith('shapes.py'):\n"
            "        calls[frame.f_code.co_name] = calls.get(frame.f_code.co_name, 0) + 1\n"
            f"sys.setprofile(count); {statement}; sys.setprofile(None); print(json.dumps(calls))"
        )
        return json.loads(subprocess.run([PYTHON, "-c", code], env=environment, capture_output=True, check=True).stdout)

    def test_prints_tables_trees_and_files_that_others_read(self):
        files = ["--flamegraph", "a.svg", "--speedscope", "a.json", "--folded", "a.txt"]
        ran = self.bench("explain", ADD, "--tree", "--rounds", "1", *files)
        for words in ("instructions", "layer", "ufunc_generic_fastcall", "module", "gross", "PyNumber_Add"):
            self.assertIn(words, ran.out)
        total = int(re.search(r"([\d,]+) instructions", ran.out).group(1).replace(",", ""))
        svg = xml.parse(self.folder / "a.svg").getroot()
        self.assertTrue(svg.tag.endswith("svg"))
        folded = (self.folder / "a.txt").read_text().splitlines()
        self.assertEqual(sum(int(line.rpartition(" ")[2]) for line in folded), total)
        profile = json.loads((self.folder / "a.json").read_text())["profiles"][0]
        self.assertEqual(sum(profile["weights"]), total)
        for form, start in (("csv", "case,kind,"), ("markdown", "#")):
            self.assertTrue(self.bench("explain", ADD, "--no-timing", "--format", form).out.startswith(start), form)

    def test_keeps_counts_in_a_record_that_compare_gates_on(self):
        run = ["run", "--filter", r"^add\[kind=(float|0d,dtype=f8)\]", "--quick", "--visit-budget", "0.02", "--ledger"]
        first = self.bench(*run, "--out", "first.json")
        self.assertIn("instructions", first.out)
        self.assert_valid(self.folder / "first.json")
        kept = json.loads((self.folder / "first.json").read_text())["tare"]["ledgers"]
        self.assertEqual(sorted(ledger["case"] for ledger in kept), sorted([CASES["0d"], CASES["float"]]))
        self.bench(*run, "--out", "second.json")
        same = self.bench("compare", "first.json", "second.json", "--gate", "--gate-on", "instructions")
        self.assertIn("instructions", same.out)
        record = json.loads((self.folder / "second.json").read_text())
        for ledger in record["tare"]["ledgers"]:
            ledger["total"] = {key: value + 500 for key, value in ledger["total"].items()}
        (self.folder / "slower.json").write_text(json.dumps(record))
        self.bench("compare", "first.json", "slower.json", "--gate", "--gate-on", "instructions", code=1)

    def test_uses_the_users_layers_and_refuses_damaged_ones(self):
        rules = self.folder / "mine.txt"
        rules.write_text("# mine\nlayer my_layer _multiarray_umath ufunc_generic_fastcall\n")
        ledgers, _ = self.explain(ADD, "--layers", rules)
        self.assertGreater(self.layer(ledgers[ADD], "my_layer"), 0)
        rules.write_text("layer broken [ x\n")
        self.assert_one_error(self.bench("explain", ADD, "--layers", rules, code=2), "mine.txt:1", "regular expression")
        self.assert_one_error(self.bench("explain", ADD, "--layers", "none.txt", code=2), "cannot read", "none.txt")

    def test_refuses_what_it_cannot_understand(self):
        for arguments, words in (
            ([], ["no case was given", "bench explain"]),
            (["add[kind=array]"], ["picks", "add parameters"]),
            (["addd"], ["is none of", "nearest"]),
            (["add[kind=float]", "--diff"], ["--diff compares two cases, not 1"]),
            ([ADD, "--flamegraph", "/proc/absent/a.svg"], ["--flamegraph", "cannot write"]),
            ([ADD, "--against", "/proc/absent/python"], ["/proc/absent/python"]),
        ):
            with self.subTest(arguments):
                self.assert_one_error(self.bench("explain", *arguments, code=2), *words)

    def test_names_nothing_falsely_in_a_stripped_numpy(self):
        python = DEBIAN_PYTHON
        if not (found := numpy_of(python)).startswith(DEBIAN_PACKAGES):
            # Skipped because a NumPy that somebody installed over Debian's may have names.
            self.skipTest(f"the NumPy of {python} is not Debian's: '{found}'")
        ledgers, _ = self.explain(CASES["0d"], "--python", python)
        (ledger,) = ledgers.values()
        modules = ledger["modules"]
        (numpy,) = (m for m in modules if "_multiarray_umath" in m["path"])
        if Path(f"/usr/lib/debug/.build-id/{numpy['build_id'][:2]}/{numpy['build_id'][2:]}.debug").exists():
            # Skipped because names come from there, and what is told here is of a file that has none.
            self.skipTest("python3-numpy-dbgsym is installed")
        self.assertEqual(numpy["symbols"], "dynsym")
        self.assertLess(numpy["named"], numpy["self"]["value"])
        self.assertGreater(self.layer(ledger, "numpy (unresolved)"), 0)
        ran = self.bench("explain", CASES["0d"], "--python", python, "--no-timing")
        self.assertIn("without a name", ran.out)
        # Where a name is given, it is that of a symbol of the file or one that Python's own tables know.
        exported = os.popen(f"nm -D --defined-only {numpy['path']}").read()
        for function in ledger["functions"]:
            if modules[function["module"]] is numpy and function["source"] == "dynsym":
                self.assertRegex(exported, rf"(?m) {re.escape(function['name'])}(@|$)")


if __name__ == "__main__":
    unittest.main()
