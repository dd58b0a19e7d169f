# At stake: a profile that the program it was written for refuses, or shows with other numbers than ours. Each file is
# given to its own reader: pprof itself, a browser, and what speedscope's published schema demands.
import json
import os
import re
import shutil
import subprocess
import tempfile
import unittest
from pathlib import Path

from bench_process import BenchTest

TOOLS = os.environ.get("TARE_READERS_PYTHON", "")  # holds selenium
DEBIAN_GO = "/usr/share/gocode"  # where Debian's packages put the sources of Go's
PROGRAM = """
import time
import numpy as np

def sorts():
    for _ in range(20):
        np.sort(values)

def counts():
    return sum(i * i for i in range(20000))

values = np.random.default_rng(1).random(20000)
end = time.thread_time() + 1.0
while time.thread_time() < end:
    sorts()
    counts()
"""


class Readers(BenchTest):
    """One profile for all of them."""

    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        cls.kept = Path(tempfile.mkdtemp(prefix="tare-profile-"))
        cls.addClassCleanup(shutil.rmtree, cls.kept)

    def setUp(self):
        super().setUp()
        self.profile_path = self.kept / "profile.json"
        if not self.profile_path.exists():
            (self.kept / "program.py").write_text(PROGRAM)
            files = {"--pprof": "a.pb.gz", "--speedscope": "speedscope.json", "--flamegraph": "a.svg"}
            options = [part for option, file in files.items() for part in (option, self.kept / file)]
            self.bench("profile", *options, "--out", self.profile_path, self.kept / "program.py")
        self.profile = json.loads(self.profile_path.read_text())


class Speedscope(Readers):
    UNITS = ("none", "nanoseconds", "microseconds", "milliseconds", "seconds", "bytes")

    def test_finds_what_its_published_schema_demands(self):
        file = json.loads((self.kept / "speedscope.json").read_text())
        self.assertEqual(file["$schema"], "https://www.speedscope.app/file-format-schema.json")
        frames = file["shared"]["frames"]
        for frame in frames:
            self.assertIsInstance(frame["name"], str)
            self.assertLessEqual(set(frame), {"name", "file", "line", "col"})
            self.assertIsInstance(frame.get("file", ""), str)
            self.assertIsInstance(frame.get("line", 0), int)
        self.assertTrue(0 <= file.get("activeProfileIndex", 0) < len(file["profiles"]))
        self.assertIsInstance(file.get("exporter", ""), str)
        for profile in file["profiles"]:
            self.assertEqual(profile["type"], "sampled")
            self.assertIsInstance(profile["name"], str)
            self.assertIn(profile["unit"], self.UNITS)
            self.assertEqual(len(profile["samples"]), len(profile["weights"]))
            used = {frame for sample in profile["samples"] for frame in sample}
            self.assertLessEqual(used, set(range(len(frames))))
            self.assertTrue(all(weight >= 0 for weight in profile["weights"]))
            # speedscope's reader takes the weights from startValue on
            self.assertEqual(profile["endValue"] - profile["startValue"], sum(profile["weights"]))
        total = sum(profile["endValue"] - profile["startValue"] for profile in file["profiles"])
        self.assertAlmostEqual(total / self.profile["total"]["ns"], 1, places=6)


@unittest.skipUnless(
    shutil.which("go") and Path(DEBIAN_GO, "src/github.com/google/pprof").is_dir(), "no Go, or no source of pprof"
)
class Pprof(Readers):
    def pprof(self, *options):
        program = self.kept / "pprof"
        if not program.exists():
            environment = os.environ | {"GOPATH": DEBIAN_GO, "GO111MODULE": "off", "GOCACHE": str(self.kept / "cache")}
            command = ["go", "build", "-o", str(program), "github.com/google/pprof"]
            subprocess.run(command, check=True, capture_output=True, env=environment)
        command = [str(program), *options, str(self.kept / "a.pb.gz")]
        ran = subprocess.run(command, capture_output=True, text=True, env=os.environ | {"HOME": str(self.kept)})
        self.assertEqual(ran.returncode, 0, ran.stderr)
        return ran.stdout

    def rows(self, text):
        """flat and cumulative samples by name, of -top."""
        found = re.findall(r"^ +(\d+) +[\d.]+% +[\d.]+% +(\d+) +[\d.]+%  (.+)$", text, re.M)
        return {name.removesuffix(" (inline)"): (int(flat), int(cumulative)) for flat, cumulative, name in found}

    def test_counts_every_function_as_we_do(self):
        top = self.pprof("-top", "-sample_index=samples", "-nodecount=10000", "-nodefraction=0", "-edgefraction=0")
        self.assertIn(f"{self.profile['total']['samples']} total", top)
        theirs = self.rows(top)
        compared = 0
        ours = [f for f in self.profile["functions"] if f["kind"] == "native" and f["self"]["samples"] > 4]
        names = [function["name"] for function in self.profile["functions"]]
        for function in ours:
            if names.count(function["name"]) > 1 or function["name"] not in theirs:
                continue  # of two functions of one name pprof shows the sum; C++ templates it shortens
            with self.subTest(function["name"]):
                expected = (function["self"]["samples"], function["inclusive"]["samples"])
                self.assertEqual(theirs[function["name"]], expected)
                compared += 1
        self.assertGreaterEqual(compared, 0.6 * len(ours), sorted(theirs))
        self.assertIn("sorts", self.pprof("-peek=^sorts$", "-sample_index=samples"), "functions of Python")

    def test_knows_the_layers_and_how_the_samples_were_taken(self):
        raw = self.pprof("-raw")
        self.assertIn("samples/count cpu/nanoseconds", raw)
        self.assertIn("sampled by tare", raw)
        self.assertIn("layer:[inner_loop]", raw)


@unittest.skipUnless(TOOLS, "TARE_READERS_PYTHON names no interpreter that has selenium: ci/full names Debian's")
class FlameGraph(Readers):
    def test_opens_in_a_browser_zooms_searches_and_resets(self):
        if shutil.which("chromedriver") is None or shutil.which("chromium") is None:
            self.skipTest("no chromium or no chromedriver")
        picture = str(Path(os.environ.get("TARE_SCREENSHOTS", self.kept)) / "flame_graph.png")
        command = [TOOLS, str(Path(__file__).with_name("flame_graph_in_browser.py"))]
        command += [str(self.kept / "a.svg"), "sorts", picture]
        ran = subprocess.run(command, capture_output=True, text=True, timeout=120)
        self.assertEqual(ran.returncode, 0, ran.stderr)
        seen = json.loads(ran.stdout)
        self.assertEqual(seen["console"], [])
        self.assertGreater(seen["frames"], 20)
        self.assertLess(seen["width_before"], 0.999 * seen["width_root"])
        self.assertGreater(seen["width_zoomed"], seen["width_before"])
        self.assertAlmostEqual(seen["width_zoomed"], seen["width_root"], delta=1, msg="it fills the picture")
        self.assertGreater(seen["hidden_zoomed"], 0)
        self.assertEqual(seen["hidden_reset"], 0)
        self.assertEqual(seen["width_reset"], seen["width_before"])
        self.assertGreater(seen["matches"], 0)
        self.assertRegex(seen["found"], r"^\d+ frames, [\d.]+ % of the time$")
        self.assertEqual(seen["matches_closed"], 0)
        self.assertGreater(Path(picture).stat().st_size, 10_000)


if __name__ == "__main__":
    unittest.main()
