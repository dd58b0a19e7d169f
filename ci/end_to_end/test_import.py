# At stake: the history that a project has in asv, pyperf or Google Benchmark is taken over without a wrong number.
import gzip
import json
import unittest

from bench_process import BenchTest

COLUMNS = ["result", "params", "version", "started_at", "duration", "stats_ci_99_a", "stats_ci_99_b"]


def asv_results(commit, day, value, **changes):
    """One file of asv's results, format version 2."""
    results = {
        "bench_core.Core.time_array": [[value, None, float("nan")], [["'f4'", "'f8'", "'O'"]], "v1", None, 1.0],
        "bench_core.Core.time_dot": [[value], [], "v1", None, 1.0, [value * 0.9], [value * 1.1]],
        "bench_core.Core.peakmem_dot": [[1000], [], "v1"],
    }
    document = {
        "commit_hash": commit * 20,
        "env_name": "virtualenv-py3.11",
        "date": 1600000000000 + day * 86400000,
        "params": {"machine": "desk", "cpu": "Some CPU", "arch": "x86_64", "os": "Linux", "num_cpu": "8", "ram": "16"},
        "python": "3.11",
        "requirements": {},
        "result_columns": COLUMNS,
        "results": results,
        "durations": {},
        "version": 2,
    }
    return json.dumps(document | changes)


def benchmark(name, kind, names=()):
    return {"name": name, "type": kind, "version": "v1", "param_names": list(names)}


class Import(BenchTest):
    def asv_folder(self):
        """A project's results: two commits, one machine."""
        results = self.folder / "project" / "results"
        (results / "desk").mkdir(parents=True)
        (results.parent / "asv.conf.json").write_text('{\n  // of the project\n  "project": "numpy",\n}\n')
        listed = [
            benchmark("bench_core.Core.time_array", "time", ["dtype"]),
            benchmark("bench_core.Core.time_dot", "time"),
            benchmark("bench_core.Core.peakmem_dot", "peakmemory"),
        ]
        document = {item["name"]: item for item in listed} | {"version": 2}
        (results / "benchmarks.json").write_text(json.dumps(document))
        (results / "desk" / "machine.json").write_text('{"machine": "desk", "version": 1}')
        (results / "desk" / "aa-e.json").write_text(asv_results("aa", 0, 1e-6))
        (results / "desk" / "bb-e.json").write_text(asv_results("bb", 1, 2e-6))
        return results

    def records(self):
        return sorted((self.store / "records").glob("*.json"))

    def test_a_zero_among_good_values_hides_no_change(self):
        for day in range(24):
            value = 0 if day == 5 else (100 if day < 12 else 130) + day % 3 / 10
            row = {"name": "BM_a", "run_name": "BM_a", "run_type": "iteration", "iterations": 100, "time_unit": "ns"}
            context = {"date": f"2024-05-{day + 1:02}T12:00:00+00:00", "host_name": "desk", "executable": "./b"}
            context |= {"num_cpus": 2, "json_schema_version": 1}
            document = {"context": context, "benchmarks": [row | {"real_time": value, "cpu_time": value}]}
            (self.folder / f"run{day:02}.json").write_text(json.dumps(document))
        outcome = self.bench("store", "import", *sorted(self.folder.glob("run*.json")))
        self.assertIn("left out, for it cannot be true: BM_a: a time of 0 s (in run05.json)", outcome.err)
        trend = json.loads(self.bench("trend", "--metric", "gross", "--format", "json").out)
        [series] = trend["series"]
        self.assertEqual((len(series["points"]), series["searched"]), (23, True))
        [change] = series["changes"]
        self.assertAlmostEqual(change["change_ratio"], 1.3, delta=0.01)

    def test_what_is_exported_for_pytest_benchmark_comes_back(self):
        ran = self.bench("run", "-e", "sorted([3, 1, 2])", "--quick", "--visit-budget", "0.02")
        exported = self.folder / "saved.json"
        self.bench("export", ran.record_path, "--to", "pytest-benchmark", "-o", exported)
        store = ("--store", self.folder / "imported")
        self.assertIn("imported 1 record into", self.bench("store", "import", exported, *store).out)
        [path] = (self.folder / "imported" / "records").glob("*.json")
        self.assert_valid(path)
        [case] = json.loads(path.read_text())["tare"]["cases"]
        # Batches beside a neighbour are not exported, as they are not in the row.
        self.assertAlmostEqual(case["gross_ns"] / ran.cases["sorted([3, 1, 2])"]["gross_ns"], 1, places=3)

    def test_a_folder_of_asv_becomes_one_record_a_commit(self):
        outcome = self.bench("store", "import", self.asv_folder())
        self.assertIn("imported 2 records into", outcome.out)
        self.assertIn("4 cases with times; 2 are no times, 2 failed, 2 skipped", outcome.out)
        self.assertEqual(outcome.err, "")
        first, second = self.records()
        self.assertTrue(first.name.startswith("20200913T122640Z-"), first.name)
        self.assert_valid(first, second)
        document = json.loads(first.read_text())
        context = document["context"]["tare"]
        self.assertEqual(context["numpy"]["git_revision"], "aa" * 20)
        self.assertEqual(context["imported_from"]["file"], "aa-e.json")
        cases = {case["case"]: case for case in document["tare"]["cases"]}
        self.assertEqual(cases["bench_core.Core.time_dot"]["gross_ns"], 1000)
        self.assertIsNone(cases["bench_core.Core.time_dot"]["interval_basis"])
        self.assertEqual(cases["bench_core.Core.time_array[dtype=f4]"]["gross_ns"], 1000)
        self.assertEqual(
            [f["case"] for f in document["tare"]["failed_cases"]], ["bench_core.Core.time_array[dtype=f8]"]
        )

    def test_importing_twice_adds_nothing(self):
        results = self.asv_folder()
        self.bench("store", "import", results)
        before = {path: path.stat().st_mtime_ns for path in self.records()}
        self.assertIn("imported 0 records into", (again := self.bench("store", "import", results)).out)
        self.assertIn(", 2 already there", again.out)
        self.assertEqual({path: path.stat().st_mtime_ns for path in self.records()}, before)
        (results / "desk" / "bb-e.json").write_text(asv_results("bb", 1, 3e-6))
        self.assertIn("1 replaced by what their files say now", self.bench("store", "import", results).out)

    def test_two_imported_records_are_compared_as_far_as_they_go(self):
        self.bench("store", "import", self.asv_folder())
        outcome = self.bench("compare", *self.records(), code=4)
        self.assertIn("0 slower, 0 faster, 0 same, 2 inconclusive of 3 cases; 1 failed", outcome.out)
        self.assertIn("asv recorded that it failed", outcome.out)
        self.assertIn("too few processes", outcome.out)

    def test_pyperf_has_processes_and_so_verdicts(self):
        for name, factor in (("old.json.gz", 1.0), ("new.json", 2.0)):
            runs = [
                {
                    "metadata": {"date": f"2024-05-0{factor:.0f} 10:00:{i:02}"},
                    "values": [factor * (1 + i / 1000) * 1e-6] * 3,
                }
                for i in range(20)
            ]
            root = {"hostname": "desk", "python_version": "3.12.1 (64-bit)", "loops": 8}
            suite = {"version": "1.0", "metadata": root, "benchmarks": [{"metadata": {"name": "dumps"}, "runs": runs}]}
            text = json.dumps(suite).encode()
            (self.folder / name).write_bytes(gzip.compress(text) if name.endswith(".gz") else text)
        self.assertIn("imported 2 records", self.bench("store", "import", "old.json.gz", "new.json").out)
        self.assert_valid(*self.records())
        outcome = self.bench("compare", *self.records())
        self.assertIn("slower", outcome.out)
        self.assertIn("indicative", outcome.out)

    def test_google_benchmark_and_an_own_name_for_the_machine(self):
        row = {
            "name": "BM_a/8",
            "run_type": "iteration",
            "iterations": 9,
            "real_time": 2,
            "cpu_time": 1,
            "time_unit": "us",
        }
        context = {"date": "2024-05-01T10:00:00+00:00", "host_name": "runner-1234", "num_cpus": 2}
        (self.folder / "g.json").write_text(json.dumps({"context": context, "benchmarks": [row, row]}))
        self.bench("store", "import", "g.json", "--machine", "runner")
        (record,) = self.records()
        self.assert_valid(record)
        document = json.loads(record.read_text())
        self.assertEqual(document["context"]["host_name"], "runner")
        self.assertEqual(document["tare"]["cases"][0]["gross_ns"], 2000)

    def test_programs_and_projects_with_equal_names_are_never_one_series(self):
        for i, program in enumerate(("./json_bench", "./xml_bench")):
            row = {"name": "BM_parse", "iterations": 9, "real_time": 2 + 180 * i, "cpu_time": 1, "time_unit": "us"}
            context = {"date": f"2024-05-0{i + 1}T10:00:00+00:00", "host_name": "desk", "executable": program}
            (self.folder / f"{i}.json").write_text(json.dumps({"context": context, "benchmarks": [row]}))
            self.bench("store", "import", f"{i}.json")
        (self.folder / "asv.json").write_text(asv_results("aa", 0, 1e-6))
        self.bench("store", "import", "asv.json", "--project", "scipy")
        (self.folder / "asv.json").write_text(asv_results("bb", 1, 1e-6))
        self.bench("store", "import", "asv.json", "--project", "pandas")
        series = json.loads(self.bench("trend", "--format", "json").out)["series"]
        self.assertEqual([len(each["points"]) for each in series], [1] * len(series))
        environments = {each["environment"] for each in series}
        self.assertEqual(len(environments), 4)
        self.assertIn("json_bench, Google Benchmark", environments)
        self.assertIn("project scipy, CPython 3.11, asv, virtualenv-py3.11", environments)

    def test_a_second_filter_adds_its_cases(self):
        results = self.asv_folder()
        self.bench("store", "import", results, "--filter", "time_dot")
        self.bench("store", "import", results, "--filter", "time_array")
        self.assertEqual(len(self.records()), 2)
        cases = [case["case"] for case in json.loads(self.records()[0].read_text())["tare"]["cases"]]
        self.assertIn("bench_core.Core.time_dot", cases)
        self.assertIn("bench_core.Core.time_array[dtype=f4]", cases)

    def test_bad_files_are_named_and_the_others_imported(self):
        results = self.asv_folder()
        (results / "desk" / "cc-e.json").write_text(asv_results("cc", 2, 1e-6)[:-100])
        (results / "desk" / "dd-e.json").write_text(asv_results("dd", 3, 1e-6, version=1))
        outcome = self.bench("store", "import", results, code=4)
        self.assertIn("imported 2 records into", outcome.out)
        self.assertIn(", 2 refused", outcome.out)
        self.assertRegex(outcome.err, r"warning: not imported: 'cc-e\.json' is damaged: no valid JSON near byte")
        self.assertRegex(outcome.err, r"'dd-e\.json' holds asv's results in format version 1.*run `asv update`")

    def test_what_cannot_be_imported_is_one_error(self):
        (self.folder / "x.json").write_text('{"hello": 1}')
        self.assert_one_error(
            self.bench("store", "import", "x.json", code=2), "no result of asv, pyperf", "--format-of"
        )
        self.assert_one_error(self.bench("store", "import", "nowhere", code=2), "cannot read 'nowhere'")
        self.assert_one_error(self.bench("store", "import", "x.json", "--filter", "[", code=2), "no regular expression")
        self.bench("store", "import", "x.json", "--format-of", "csv", code=2)
        self.bench("store", "import", code=2)

    def test_a_filter_chooses_cases(self):
        outcome = self.bench("store", "import", self.asv_folder(), "--filter", "time_dot")
        self.assertIn("2 cases with times", outcome.out)
        self.assertIn("left out by --filter", outcome.out)


if __name__ == "__main__":
    unittest.main()
