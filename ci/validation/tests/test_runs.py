# At stake: +-2 %, the figure that the page of quiet moments gives: computed here from records whose numbers are known.
import unittest

import runs


def record(gross_ns, busy=False, samples=(100.0, 102.0, 98.0)):
    return {
        "context": {"tare": {"references": {"quiet_ratio": 0.5}, "duration_s": 10.0}},
        "tare": {
            "cases": [
                {
                    "case": "add[n=8]",
                    "gross_ns": gross_ns,
                    "gross_low_ns": 0.98 * gross_ns,
                    "gross_high_ns": 1.02 * gross_ns,
                    "quiet": {"busy": busy},
                }
            ]
        },
        "benchmarks": [
            {"name": "add[n=8]/python", "tare": {"samples_ns": [value - 1, value, value + 1]}} for value in samples
        ]
        + [{"name": "add[n=8]/native", "tare": {"samples_ns": [1.0]}}],
    }


class Runs(unittest.TestCase):
    def rows(self, *records):
        quiet, everything = {}, {}
        for each in records:
            runs.read(each, 0, quiet, everything)
        return quiet["add[n=8]"], everything["add[n=8]"]

    def test_take_quiet_rows_from_the_summary_and_all_batches_from_the_samples(self):
        quiet, everything = self.rows(record(100), record(102), record(160, busy=True))
        self.assertEqual(quiet.values, [100, 102])
        self.assertEqual(quiet.unknown, 1)
        self.assertAlmostEqual(quiet.halves[0], 0.02)
        self.assertAlmostEqual(quiet.spread(), 1.4142 / 101, places=5)
        self.assertEqual(everything.values, [100, 100, 100])
        # by hand: logs 4.60517, 4.62497, 4.58497; SD 0.020001; 4.303 * 0.020001 / sqrt(3) = 0.04969
        self.assertAlmostEqual(everything.halves[0], 0.0497, places=3)

    def test_rows_said_at_different_clocks_are_compared_at_one(self):
        slow, fast = record(110), record(100)
        slow["context"]["tare"]["references"]["at_clock_ghz"] = 3.0
        fast["context"]["tare"]["references"]["at_clock_ghz"] = 3.3
        quiet, everything = {}, {}
        for each in (slow, fast):
            runs.read(each, runs.at_ghz_of(slow), quiet, everything)
        for value in quiet["add[n=8]"].values:
            self.assertAlmostEqual(value, 110)
        self.assertEqual(everything["add[n=8]"].values, [100, 100])

    def test_of_many_processes_lie_between_order_statistics(self):
        _, everything = self.rows(record(100, samples=[float(100 + k) for k in range(1, 11)]))
        # of ten values held by 97.85 % between the 2nd and 9th, by 89.06 % between the 3rd and 8th: 0.658 of the way
        low, high = everything.intervals[0]
        self.assertAlmostEqual(low, 102.658, places=3)
        self.assertAlmostEqual(high, 108.342, places=3)
        self.assertEqual(everything.values, [105.5])

    def test_of_one_process_have_no_interval(self):
        _, everything = self.rows(record(100, samples=(100.0,)))
        self.assertEqual((everything.values, everything.unknown), ([], 1))

    def test_against_a_long_run_have_an_error_and_hold_it_or_not(self):
        long_run = record(104)
        long_run["tare"]["cases"][0]["processes"] = 60
        text = runs.report_against([record(100), record(104), record(105)], long_run)
        self.assertIn("against a run of 60 processes, 50 % quiet", text)
        # errors -3.85, 0 and +0.96 %: the first is beyond its +-2 %
        self.assertRegex(text, r"quiet batches +mean -0\.96 %, 95 % within 3\.85 %; intervals .*: 66\.7 %")

    def test_hold_a_value_between_their_bounds_wherever_their_own_lies(self):
        row = runs.Row()
        row.add(100, 98, 106)
        self.assertEqual((row.held(105), row.held(97.5), row.held(98)), (1, 0, 1))
        self.assertAlmostEqual(row.halves[0], 0.04)

    def test_are_reported_in_one_line_each(self):
        text = runs.report([record(100), record(102)])
        self.assertRegex(text, r"2 runs of 1 cases; 10 s each; batches quiet: 50 to 50 %")
        self.assertRegex(text, r"quiet batches +100\.0 % +2\.00 % +2\.00 % +1\.40 % +1\.40 %")


if __name__ == "__main__":
    unittest.main()
