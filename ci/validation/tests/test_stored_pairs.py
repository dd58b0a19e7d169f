# At stake: how often a comparison of two stored runs is wrong. Counted here on decisions that are known.
import json
import tempfile
import unittest
from pathlib import Path

import stored_pairs


def record(gross_ns, cases=4):
    return {
        "benchmarks": [
            {
                "name": f"case{i}/{rung}",
                "real_time": gross_ns,
                "cpu_time": gross_ns,
                "tare": {"n": 8, "samples_ns": [gross_ns, gross_ns + 2]},
            }
            for i in range(cases)
            for rung in ("python", "native")
        ]
    }


def by_threshold(old, new):
    before, after = (stored_pairs.sides_of(json.loads(path.read_text())) for path in (old, new))
    return {
        name: "slower" if after[name]["wall_s"][0] > 1.04 * before[name]["wall_s"][0] else "same" for name in before
    }


class StoredPairs(unittest.TestCase):
    def test_slow_the_named_cases_alone_and_their_python_rung(self):
        changed = stored_pairs.slower(record(100), 1.05, {"case1"})
        values = {entry["name"]: entry["tare"]["samples_ns"][0] for entry in changed["benchmarks"]}
        self.assertEqual(values["case1/python"], 105)
        self.assertEqual({value for name, value in values.items() if name != "case1/python"}, {100})

    def test_count_alarms_of_unchanged_code_and_what_was_found(self):
        with tempfile.TemporaryDirectory() as folder:
            paths = [Path(folder) / f"{i}.json" for i in range(4)]
            for path, gross_ns in zip(paths, (100, 100, 110, 110), strict=True):
                path.write_text(json.dumps(record(gross_ns)))
            tally = stored_pairs.compare(paths, by_threshold, 1.05, 1)
        self.assertEqual((tally.pairs, tally.pairs_with_alarms), (3, 1))
        self.assertEqual((tally.unchanged, tally.alarms), (12, 4))
        self.assertEqual((tally.slowed, tally.found), (6, 6))

    def test_find_nothing_where_nothing_was_made_slower(self):
        with tempfile.TemporaryDirectory() as folder:
            paths = [Path(folder) / f"{i}.json" for i in range(2)]
            for path in paths:
                path.write_text(json.dumps(record(100)))
            tally = stored_pairs.compare(paths, by_threshold, 1.0, 1)
        self.assertEqual((tally.alarms, tally.found, tally.slowed), (0, 0, 2))


if __name__ == "__main__":
    unittest.main()
