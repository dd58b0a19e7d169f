# At stake: "where do these nanoseconds go?" Three cases whose time is in a known place must show it there; the harness
# must be nowhere; and sampling must leave the times alone and say what it cost.
import json
import re
import unittest

from bench_process import ADD, SHORT, BenchTest

KNOWN = """
import numpy as np
from tare import operation

@operation("np.multiply(x, x, out=z)")
def multiply():
    return {"x": np.linspace(0, 9, 100_000, dtype="f4"), "z": np.empty(100_000, "f4")}

@operation("np.matmul(a, b, out=c)")
def product():
    return {"a": np.ones((128, 128)), "b": np.ones((128, 128)), "c": np.ones((128, 128))}

@operation("for _ in r: pass")
def loop():
    return {"r": (None,) * 3000}
"""
# How a product is shared between kernel and packing is the CPU's matter: a wide one packs for a fifth of the time.
PLACES = {"multiply": ["inner_loop"], "product": ["blas_kernel", "blas_packing"], "loop": ["interpreter"]}


class RunProfile(BenchTest):
    def profiles(self, told):
        """By case, with functions as objects."""
        tables = told["profile_tables"]
        for profile in told["profiles"]:
            profile["functions"] = [
                tables["functions"][function] | {"path": tables["files"][tables["functions"][function]["file"]], "n": n}
                for function, n, _ in profile["functions"]
            ]
            profile["layers"] = {layer["name"]: layer for layer in profile["layers"]}
        return {profile["case"]: profile for profile in told["profiles"]}

    def assert_sound(self, profile):
        shares = [layer["share_ratio"] for layer in profile["layers"].values()]
        self.assertAlmostEqual(sum(shares), 1, delta=0.001, msg=profile["case"])
        self.assertEqual(sum(layer["samples"] for layer in profile["layers"].values()), profile["samples"])
        for layer in profile["layers"].values():
            low, high = layer["share_low_ratio"], layer["share_high_ratio"]
            self.assertLessEqual(low - 1e-4, layer["share_ratio"])
            self.assertLessEqual(layer["share_ratio"], high + 1e-4)
        # Between two batches a sample may meet the harness: one in thousands, so 4 of 200 do in 1 of 10^7 profiles.
        self.assertLessEqual(profile["outside"], 3 + profile["samples"] // 100, "the harness is not what is sampled")
        self.assertEqual(profile["dropped"], 0)
        self.assertEqual(sum(profile["stacks"].values()), profile["samples"] + profile["outside"])
        self.assertLessEqual(profile["stacks"]["truncated"], profile["samples"] // 50, profile["stacks"])
        for function in profile["functions"]:
            self.assertNotIn("tare_worker", function["path"])

    def test_finds_the_time_where_it_is_known_to_be(self):
        suite = self.suite(known=KNOWN)
        ran = self.bench("run", "--suite", suite, "--rounds", 2, *SHORT, "--profile", "--rate", 5000)
        profiles = self.profiles(ran.record["tare"])
        self.assertEqual(set(profiles), set(PLACES))
        self.assert_valid(ran.record_path)
        for case, places in PLACES.items():
            profile = profiles[case]
            self.assert_sound(profile)
            self.assertGreater(profile["samples"], 100)  # 2,000 where nothing else runs
            self.assertEqual(len(profile["visits"]), 2)
            layers = [layer for name, layer in profile["layers"].items() if name in places]
            self.assertGreater(sum(layer["share_ratio"] for layer in layers), 0.8, (case, profile["layers"]))
            gross_ns = ran.cases[case]["gross_ns"]
            on_cpu = 1 - profile.get("waiting_ratio", 0)  # where other programs took the core
            for layer in layers:
                self.assertAlmostEqual(layer["time_ns"] / gross_ns, layer["share_ratio"] * on_cpu, delta=0.001)
            self.assertIsNotNone(profile["cost_ratio"])
            self.assertIn(places[0], ran.out)
        self.assertIn("sampling cost", ran.out)

    def test_stands_beside_the_instructions(self):
        ran = self.bench(
            "run",
            "--filter",
            "^" + re.escape(ADD),
            "--quick",
            "--profile",
            "--ledger",
            "--rate",
            9000,
            "--format",
            "json",
        )
        told = json.loads(ran.out)
        profile = self.profiles(told)[ADD]
        ledger = {layer["name"]: layer["self"]["value"] for layer in told["ledgers"][0]["layers"]}
        total = told["ledgers"][0]["total"]["value"]
        for name, layer in profile["layers"].items():
            self.assertAlmostEqual(layer["instructions_share_ratio"], ledger.get(name, 0) / total, delta=0.001)
            above = layer["share_low_ratio"] > layer["instructions_share_ratio"] + 0.005
            self.assertEqual(layer["stands_out"], above and "waiting_ratio" not in profile, name)
        self.assert_valid(ran.record_path)

    def test_tells_waiting_from_cpu_time(self):
        case = ("-e", "time.sleep(0.002)", "--setup", "import time", "--quick")
        ran = self.bench("run", *case, "--profile", "--rate", 9000, "--format", "json")
        (profile,) = self.profiles(json.loads(ran.out)).values()
        self.assertGreater(profile["waiting_ratio"], 0.8)
        for layer in profile["layers"].values():
            self.assertLessEqual(layer["time_ns"], profile["unsampled_time_ns"] * 1.001, layer)

    def test_shows_no_shares_of_nothing(self):
        case = ("-e", "os.getpid()", "--setup", "import os", "--quick", "--visit-budget", "0.05")
        for _ in range(5):  # a sample a second of CPU time may fall into a twentieth of one
            ran = self.bench("run", *case, "--profile", "--rate", 1)
            if "no samples were taken" in ran.out:
                break
        self.assertIn("no samples were taken", ran.out)
        self.assertNotIn("time share", ran.out)
        self.assertNotIn("stacks:", ran.out)

    def test_changes_nothing_where_it_is_not_asked_for(self):
        ran = self.bench("run", "-e", "x + x", "--setup", "x = 1.5", "--quick")
        self.assertNotIn("sampl", ran.out)
        self.assertNotIn("profile", json.dumps(ran.record["tare"]))
        ran = self.bench("run", "-e", "x + x", "--setup", "x = 1.5", "--rate", 100, code=2)
        self.assert_one_error(ran, "--rate", "--profile")

    def test_samples_by_a_timer_where_perf_is_refused_and_says_so(self):
        asked = ("-e", "for _ in r: pass", "--setup", "r = range(3000)", "--quick", "--profile")
        ran = self.bench_without("perf_event_open", "EACCES", "run", *asked)
        self.assertEqual(ran.code, 0, ran.err)
        self.assertIn("EACCES", ran.out)
        self.assertIn("interpreter", ran.out)

    def test_is_part_of_explain(self):
        ran = self.bench("explain", ADD, "--layouts", 2, "--rounds", 1, "--format", "json")
        told = json.loads(ran.out)
        self.assert_sound(self.profiles(told)[ADD])
        ran = self.bench("explain", ADD, "--layouts", 2, "--no-timing", "--format", "json")
        self.assertNotIn("profiles", json.loads(ran.out))


if __name__ == "__main__":
    unittest.main()
