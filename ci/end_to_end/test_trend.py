# At stake: a store of hundreds of records is a table with the right step in it, whatever happened to the index: killed
# writers, a full disk, two at once, foreign files.
import json
import shutil
import subprocess
import sys
import threading
import time
import unittest

from bench_process import ROOT, BenchTest

sys.path.insert(0, str(ROOT / "ci" / "history"))
from make_store import Plan, Step, make_store  # noqa: E402

STEPPED = "add[kind=array,dtype=f8,n=8]"
PLAN = Plan(records=30, cases=20, steps=(Step(STEPPED, 18, 1.2),))


class Trend(BenchTest):
    def trend(self, *arguments, **keywords):
        return self.bench("trend", *arguments, **keywords)

    def series(self, *arguments):
        return json.loads(self.trend(*arguments, "--format", "json").out)["series"]

    def test_finds_the_step_that_was_made_and_no_other(self):
        make_store(self.store, PLAN)
        (changed,) = self.series("--changed")
        self.assertEqual(changed["case"], STEPPED)
        (change,) = changed["changes"]
        self.assertEqual(change["first_point"], 18)
        self.assertAlmostEqual(change["change_ratio"], 1.2, delta=0.02)
        self.assertEqual(change["standing"], "proposed")
        self.assertEqual(len(changed["points"]), 30)
        self.assertEqual(
            set(changed["points"][0]),
            {"record", "date", "version", "commit", "gross_ns", "gross_low_ns", "gross_high_ns", "processes"},
        )
        table = self.trend(r"^add\[kind=array,dtype=f8,n=8\]$").out
        self.assertRegex(table, r"n=8\]  \S+ .*\+\d\d\.\d %.*proposed")
        self.assertTrue((self.store / "index.sqlite").exists())
        self.assertIn("1 of 20 series changed", self.trend("--changed").out)  # of all, not of those shown

    def test_takes_no_busy_hour_for_a_change(self):
        make_store(self.store, Plan(records=30, cases=5, busy=tuple(range(12, 18))))
        series = self.series()
        self.assertEqual([len(each["points"]) for each in series], [24] * 5)
        self.assertEqual([each["changes"] for each in series], [[]] * 5)
        self.assertIn("busy: 30 cases of 6 records without times", self.trend().out)
        self.assertIn("busy: 30 cases of 6 records without times", self.trend("--format", "markdown").out)
        self.assertNotIn("busy:", self.trend("--metric", "instructions", code=2).err, "counts are not left out")

    def test_of_busy_hours_alone_says_why_it_shows_nothing(self):
        make_store(self.store, Plan(records=2, cases=1, busy=(0, 1)))
        self.assertIn("busy: 2 cases of 2 records without times", self.trend(code=2).err)

    def test_says_what_was_not_searched(self):
        make_store(self.store, Plan(records=4, cases=5))
        self.assertIn("5 series not searched for changes: too few points", self.trend().out)
        (first, *_) = self.series()
        self.assertEqual((first["searched"], first["not_searched"]), (False, "4 points, 6 are needed"))
        self.assertIn("order of their first measurement", self.trend("--by", "commit").out)

    def test_by_version_has_one_point_each_in_their_order(self):
        make_store(self.store, Plan(records=12, cases=2, versions=("2.9.0", "2.10.0", "2.11.0rc1", "2.11.0")))
        for series in self.series():  # three records a version: by version without being asked
            self.assertEqual([p["version"] for p in series["points"]], ["2.9.0", "2.10.0", "2.11.0rc1", "2.11.0"])
        self.assertEqual(len(self.series("--by", "date")[0]["points"]), 12)
        self.assertEqual(len(self.series("--by", "commit")[0]["points"]), 4)

    def test_prints_no_escape_sequence_of_a_record(self):
        make_store(self.store, Plan(records=3, cases=1))
        hostile = "add\x1b[2J\x9b1m\u202e\nx"
        for path in (self.store / "records").iterdir():
            text = path.read_text()
            for name in {case["case"] for case in json.loads(text)["tare"]["cases"]}:
                text = text.replace(json.dumps(name)[1:-1], json.dumps(hostile)[1:-1])
            path.write_text(text.replace('"cpu_model":"', '"cpu_model":"\\u001b]0;taken\\u0007'))
        (self.store / "records" / "\x1b[31m.json").write_text("{")
        runs = [self.bench(*command, code=None) for command in (["trend"], ["trend", "--format", "markdown"])]
        runs.append(self.bench("store", "check", code=None))
        self.assertIn("add\ufffd[2J\ufffd1m\ufffd x", runs[0].out)
        for ran in runs:
            for text in (ran.out, ran.err):
                self.assertNotRegex(text, "[\x00-\x08\x0b-\x1f\x7f-\x9f\u202e]")

    def test_of_the_shipped_history_tells_the_releases_that_changed_what_their_notes_say(self):
        shutil.copytree(ROOT / "results" / "history" / "records", self.store / "records")
        changes = {series["case"]: series["changes"] for series in self.series()}
        for case, release, most in (
            ("add_at[kind=array,dtype=f8,n=1024]", "1.25.0", 0.1),
            ("add_at[kind=array,dtype=f8,n=8]", "1.25.0", 0.6),
            ("errstate", "2.0.0", 0.5),
            ("sin_of_scalar[kind=float,dtype=f8]", "2.4.0", 0.3),
        ):
            largest = min(changes[case], key=lambda change: change["change_ratio"])
            self.assertEqual(largest["at"], release, case)
            self.assertLess(largest["change_ratio"], most, case)
            self.assertEqual(largest["standing"], "confirmed", case)
            self.assertIn("pairs", largest["confirmation"])
        for case in ("add[kind=float]", "multiply[kind=float]", "getitem[kind=array,dtype=f8,n=8]"):
            self.assertEqual(changes[case], [], case)

    def test_of_the_shipped_history_no_duet_under_other_settings_confirms(self):
        shutil.copytree(ROOT / "results" / "history" / "records", self.store / "records")
        for path in (self.store / "records").glob("*.json"):
            record = json.loads(path.read_text())
            sides = record["tare"].get("sides")
            if sides and sides["a"]["numpy"]["version"] != "2.4.6":  # a duet of two neighbours
                sides["a"]["environment"] = {"OPENBLAS_CORETYPE": "Prescott"}
                path.write_text(json.dumps(record))
        changes = [change for series in self.series("--changed") for change in series["changes"]]
        self.assertGreater(len(changes), 50)
        self.assertEqual({change["standing"] for change in changes}, {"proposed"})

    def test_never_mixes_settings_of_one_machine(self):
        make_store(self.store, Plan(records=4, cases=1))
        for path in sorted((self.store / "records").glob("*.json"))[2:]:
            record = json.loads(path.read_text())
            record["context"]["tare"] |= {"num_cpus": 64, "governors": ["performance"] * 64}
            path.write_text(json.dumps(record))
        machines = {series["machine"]: len(series["points"]) for series in self.series()}
        self.assertEqual(list(machines.values()), [2, 2])
        self.assertEqual({machine.split("-")[0] for machine in machines}, {"0123456789abcdef"})
        self.assertEqual(len(self.series("--machine", "0123456789abcdef")), 2)
        self.assertEqual(len(self.series("--machine", next(iter(machines)))), 1)

    def test_that_finds_nothing_says_what_there_is(self):
        self.assert_one_error(self.trend(code=2), "there is no store", str(self.store), "bench run")
        self.store.mkdir(parents=True)
        self.assert_one_error(self.trend(code=2), "holds no record", str(self.store), "bench run")
        make_store(self.store, Plan(records=2, cases=5))
        self.assert_one_error(self.trend("ad[", code=2), "no regular expression")
        self.assert_one_error(self.trend("sqtr", code=2), "none of 5 cases", "sqrt")
        self.assert_one_error(self.trend("--metric", "grss", code=2), "no record has a metric", "gross, net, tare")
        self.assert_one_error(self.trend("--metric", "call", code=2), "no record has a metric 'call'")
        self.assert_one_error(self.trend("--machine", "ffff", code=2), "no record was made on a machine 'ffff'", "0123")

    def test_gives_csv_and_markdown(self):
        make_store(self.store, Plan(records=3, cases=2))
        rows = self.trend("--format", "csv").out.splitlines()
        self.assertEqual(len(rows), 1 + 3 * 2)
        self.assertIn("| case | trend |", self.trend("--format", "markdown").out)

    def test_names_files_that_are_no_records_and_goes_on(self):
        paths = make_store(self.store, Plan(records=3, cases=2))
        paths[1].write_text(paths[1].read_text()[:500])
        (self.store / "records" / "foreign.json").write_text('{"context": {}, "benchmarks": []}')
        shown = self.trend()
        self.assertIn("2 files of the store left out", shown.err)
        checked = self.bench("store", "check", code=4)
        self.assertIn("2 records in", checked.out)
        self.assertIn(f"'{paths[1].name}' is damaged", checked.out)
        self.assertIn("written by Google Benchmark", checked.out)
        listing = json.loads(self.bench("store", "check", "--rebuild", "--format", "json", code=4).out)
        self.assertEqual([len(listing["records"]), len(listing["left_out"])], [2, 2])
        text = paths[2].read_text()
        paths[2].write_text(text.replace('"iterations":1000', '"iterations":1x00', 1))  # among the rows
        self.assertIn("2 records in", self.bench("store", "check", code=4).out)
        self.assertIn("1 record in", self.bench("store", "check", "--rows", code=4).out)

    def test_of_a_killed_writer_is_made_good_by_the_next_command(self):
        make_store(self.store, Plan(records=60, cases=50))
        for delay_s in (0.02, 0.06, 0.1):
            process = self.start("trend")
            time.sleep(delay_s)
            process.kill()
            process.communicate()
            process.wait()
            self.assertEqual({len(s["points"]) for s in self.series()}, {60})
            (self.store / "index.sqlite").unlink()
            (self.store / "index.sqlite-journal").unlink(missing_ok=True)

    def test_by_two_at_once_while_records_are_written(self):
        make_store(self.store, Plan(records=1, cases=20))
        writer = threading.Thread(target=make_store, args=(self.store, Plan(records=60, cases=20)))
        writer.start()
        processes = [self.start("trend") for _ in range(6)]
        for process in processes:
            ran = self.finish(process)
            self.assertEqual((ran.code, ran.err), (0, ""))
        writer.join()
        self.assertEqual({len(s["points"]) for s in self.series()}, {60})

    def test_on_a_full_disk_is_answered_from_memory_with_a_note(self):
        self.small_store()
        make_store(self.store, Plan(records=4, cases=8))
        (self.store / "filler").write_bytes(b"")
        with (self.store / "filler").open("wb", buffering=0) as filler:
            try:
                while True:
                    filler.write(b"x" * 512)
            except OSError:
                pass
        shown = self.trend()
        self.assertIn("warning: the index", shown.err)
        self.assertIn("4", shown.out)
        subprocess.run(["mount", "-o", "remount,size=4m", str(self.store)], check=True)
        self.assertEqual(self.trend().err, "")

    def test_in_a_read_only_store_is_answered_from_memory_with_a_note(self):
        self.small_store()
        make_store(self.store, Plan(records=3, cases=4))
        subprocess.run(["mount", "-o", "remount,ro", str(self.store)], check=True)
        shown = self.trend()
        self.assertIn("warning: the index", shown.err)
        self.assertIn("add[kind=array,dtype=f8,n=1]", shown.out)


if __name__ == "__main__":
    unittest.main()
