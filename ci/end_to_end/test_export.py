# At stake: that a number is the same number in every tool: exports are read back and compared with the record's rows,
# pyperf's and asv's by our own importers; what a format cannot hold is said. And what shells complete.
import json
import re
import shutil
import subprocess
import unittest
import xml.etree.ElementTree as ElementTree

from bench_process import BenchTest

SUITE = """
import numpy as np
from tare import operation, over

@operation("x + x", over(kind="array", n=(8, 64)))
def twice(kind, n):
    return {"x": np.ones(n)}

@operation("1 / x")
def bad():
    return {"x": 0}
"""


class Export(BenchTest):
    def setUp(self):
        super().setUp()
        self.run = self.bench(
            "run", "--suite", self.suite(mine=SUITE), "--rounds", "2", "--visit-budget", "0.02", code=4
        )
        self.names = sorted(name for name, case in self.run.cases.items() if case["gross_ns"])

    def exported(self, to, *more):
        outcome = self.bench("export", self.run.record_path, "--to", to, *more)
        self.assertIn(f"bench: note: {to}: of each case", outcome.err)
        self.assertIn("1 failed cases are left out", outcome.err)
        return outcome.out

    def gross_ns(self, name):
        return self.run.cases[name]["gross_ns"]

    def imported(self, *words):
        """Gross times in ns of a record that bench makes of another tool's file, by case."""
        store = self.folder / "imported"
        self.bench("store", "import", "--store", store, *words)
        [path] = (store / "records").glob("*.json")
        return {case["case"]: case["gross_ns"] for case in json.loads(path.read_text())["tare"]["cases"]}

    def test_pyperf_comes_back_as_it_was(self):
        (self.folder / "pyperf.json").write_text(self.exported("pyperf"))
        document = json.loads((self.folder / "pyperf.json").read_text())
        self.assertEqual([len(each["runs"]) for each in document["benchmarks"]], [2, 2])
        back = self.imported("pyperf.json")
        self.assertEqual(sorted(back), self.names)
        for name in self.names:
            self.assertAlmostEqual(back[name] / self.gross_ns(name), 1, delta=2e-4)

    def test_asv_comes_back_as_it_was(self):
        self.run = self.bench("run", "--suite", self.suite(), "--quick", "--visit-budget", "0.02", code=4)
        self.bench("export", self.run.record_path, "--to", "asv", "-o", "results", "--commit", "0123456789abcdef")
        back = self.imported("results")
        self.assertEqual(len(back), len(self.names))
        for name in self.names:
            size = re.search(r"n=(\d+)", name)[1]
            [found] = [value for case, value in back.items() if f"n={size}]" in case]
            self.assertAlmostEqual(found / self.gross_ns(name), 1, delta=2e-4)
        document = json.loads(next((self.folder / "results").glob("*/01234567-*.json")).read_text())
        row = dict(zip(document["result_columns"], document["results"]["twice"]))
        self.assertEqual(row["params"], [["'array'"], ["8", "64"]])
        for value, name in zip(row["result"], ("twice[kind=array,n=8]", "twice[kind=array,n=64]")):
            self.assertAlmostEqual(1e9 * value, self.gross_ns(name), places=6)
        refused = self.bench("export", self.run.record_path, "--to", "asv", "-o", "b", "--commit", "main", code=2)
        self.assert_one_error(refused, "'main'", "--commit")

    def test_services_get_the_number_of_the_table(self):
        bencher = json.loads(self.exported("bencher"))
        self.assertEqual(sorted(bencher), self.names)
        action = {each["name"]: each for each in json.loads(self.exported("github-action"))}
        pytest = {each["name"]: each for each in json.loads(self.exported("pytest-benchmark"))["benchmarks"]}
        metrics = dict(re.findall(r'^tare_gross_seconds{case="(.+?)",.*} (\S+)$', self.exported("openmetrics"), re.M))
        for name in self.names:
            case = self.run.cases[name]
            latency = bencher[name]["latency"]
            self.assertEqual(latency["value"], case["gross_ns"])
            self.assertEqual(latency.get("lower_value"), case.get("gross_low_ns"))
            self.assertEqual((action[name]["unit"], action[name]["value"]), ("ns", case["gross_ns"]))
            self.assertEqual(pytest[name]["extra_info"]["gross_ns"], case["gross_ns"])
            self.assertAlmostEqual(1e9 * float(metrics[name]), case["gross_ns"], places=6)
        lines = self.exported("benchstat").splitlines()
        known = re.compile(r"(goos|goarch|cpu): .+|Benchmark[A-Z]\S* \d+ [0-9.e+]+ ns/op")
        self.assertEqual([line for line in lines if not known.fullmatch(line)], [])
        self.assertEqual(sum(line.startswith("BenchmarkTwice/kind=array/n=8 ") for line in lines), 2)

    def test_files_of_the_current_folder_are_not_run(self):
        for name in ("statistics", "json", "argparse", "tare"):
            (self.folder / f"{name}.py").write_text("raise SystemExit('run')")
        self.assertIn('"version": "1.0"', self.exported("pyperf"))

    def test_what_cannot_be_is_one_error(self):
        record = self.run.record_path
        for words, told in (
            ((record, "--to", "csvv"), ("'csvv'", "pyperf")),
            ((self.folder / "absent.json", "--to", "pyperf"), ("absent.json",)),
            ((record, "--to", "parquet"), ("parquet", "-o")),
            ((record, "--to", "parquet", "-o", "t.parquet"), ("pyarrow",)),
            ((record, "--to", "pyperf", "-o", "no/folder/f"), ("no/folder/f",)),
        ):
            with self.subTest(words):
                self.assert_one_error(self.bench("export", *words, code=2), *told)


class Reports(BenchTest):
    def test_junit_and_callgrind_are_written(self):
        record = self.bench("run", "--quick", "--filter", "^add\\[kind=float", "--visit-budget", "0.02").record_path
        self.bench("compare", record, record, "--junit", "report.xml")
        root = ElementTree.parse(self.folder / "report.xml").getroot()
        cases = list(root.iter("testcase"))
        self.assertEqual((root.tag, root.get("tests"), root.get("failures")), ("testsuites", str(len(cases)), "0"))
        self.assertEqual({case.get("classname") for case in cases}, {"add"})
        self.assert_one_error(self.bench("compare", record, record, "--junit", "no/such/f", code=2), "--junit")
        explained = self.bench(
            "explain", "add[kind=float]", "--no-timing", "--layouts", "2", "--format", "json", "--callgrind", "out.cg"
        )
        total = json.loads(explained.out)["ledgers"][0]["total"]["value"]
        text = (self.folder / "out.cg").read_text()
        self.assertTrue(text.endswith(f"totals: {total}\n"), text[-200:])
        own = re.findall(r"^fn=.*\n0 (\d+)$", text, re.M)
        self.assertEqual(sum(map(int, own)), total)

    @unittest.skipUnless(shutil.which("bash"), "bash is not installed")
    def test_a_shell_completes_commands_and_options(self):
        script = self.bench("completion", "bash").out
        for typed, expected in (
            (["du"], {"duet"}),
            (["run", "--qui"], {"--quick"}),
            (["store", "im"], {"import"}),
            (["store", "import", "--form"], {"--format-of"}),
            (["explain", "--call"], {"--callgrind"}),
        ):
            words = " ".join(["bench", *typed])
            ask = f"COMP_WORDS=({words}); COMP_CWORD={len(typed)}; _bench; printf '%s\\n' \"${{COMPREPLY[@]}}\""
            ran = subprocess.run(["bash", "-c", f"{script}\n{ask}"], capture_output=True, text=True, check=True)
            self.assertEqual(set(ran.stdout.split()), expected, typed)
        fish = self.bench("completion", "fish").out
        for condition, option in (("run", "quick"), ("list; and not __fish_seen_subcommand_from pmu worker", "all")):
            self.assertIn(f"-n '__fish_seen_subcommand_from {condition}' -l {option} ", fish)
        inner = "__fish_seen_subcommand_from worker; and __fish_seen_subcommand_from build"
        self.assertIn(f"-n '{inner}' -l anew ", fish)
        self.assertIn("bashcompinit", self.bench("completion", "zsh").out)
        self.assert_one_error(self.bench("completion", "csh", code=2), "csh")


if __name__ == "__main__":
    unittest.main()
