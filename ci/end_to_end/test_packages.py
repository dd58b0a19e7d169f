# At stake: which version a value is of. Two releases of a package, one 126 times slower, were one point of a trend that
# no run had measured, and both sides of their duet were called by NumPy's version.
import json
import subprocess
import unittest
import zipfile

from bench_process import PYTHON, QUICK, SHORT, BenchTest, as_if_quiet

STATEMENT = ("-e", "work(1.5)", "--setup", "from shapes import work")


class Packages(BenchTest):
    def installed(self, version, rounds, folder=None, **direct_url):
        """An installation folder with the distribution `Shapes.Py`, and the environment that finds it."""
        folder = folder or self.folder / f"venv-{version}" / "site-packages"
        described = folder / f"shapes_py-{version}.dist-info"
        described.mkdir(parents=True)
        (folder / "shapes.py").write_text(
            f"def work(x):\n    for _ in range({rounds}):\n        x = x + x\n    return x\n"
        )
        (described / "METADATA").write_text(f"Metadata-Version: 2.1\nName: Shapes.Py\nVersion: {version}\n")
        (described / "RECORD").write_text("shapes.py,,\n")
        if direct_url:
            (described / "direct_url.json").write_text(json.dumps(direct_url))
        return self.environment(PYTHONPATH=str(folder))

    def measured(self, environment, *arguments):
        return self.bench("run", *STATEMENT, *QUICK, *arguments, environment=environment)

    def points(self, *arguments):
        trend = self.bench("trend", "--by", "version", "--metric", "gross", *arguments, "--format", "json")
        (series,) = json.loads(trend.out)["series"]
        return {point["version"]: point["gross_ns"] for point in series["points"]}, trend

    def test_a_record_names_what_was_loaded_and_a_trend_keeps_its_versions_apart(self):
        commit = "1a2b3c4d5e6f7a8b9c0d1a2b3c4d5e6f7a8b9c0d"
        old = self.installed("2.0.1", 1)
        new = self.installed(
            "2.0.2", 300, url="https://example.org/shapes", vcs_info={"vcs": "git", "commit_id": commit}
        )
        for environment in (old, new, old, new):
            ran = self.measured(environment)
            self.assert_valid(ran.record_path)
            self.assertNotIn("package", ran.context)
            as_if_quiet(ran.record_path)
        self.assertEqual(ran.context["packages"]["shapes-py"], "2.0.2")
        self.assertEqual(ran.context["package_builds"], {"shapes-py": {"commit": commit}})
        self.assertIn("numpy", ran.context["packages"])

        apart, trend = self.points()
        self.assertEqual(len(apart), 2, apart)
        self.assertTrue(all("shapes-py 2.0." in version for version in apart), apart)
        said = self.bench("trend", "--by", "version", "--metric", "gross").out
        self.assertIn("--package NAME", " ".join(said.split()))
        asked, trend = self.points("--package", "shapes_py")
        self.assertEqual(sorted(asked), ["2.0.1", "2.0.2"])
        self.assertGreater(asked["2.0.2"], 20 * asked["2.0.1"])

    def test_what_a_run_is_about_is_said_by_its_user(self):
        environment = self.installed("2.0.1", 1)
        ran = self.measured(environment, "--package", "Shapes.py")
        self.assertEqual(ran.context["package"], "shapes-py")
        self.assertIn("shapes-py 2.0.1, ", ran.out)
        other = self.measured(environment, "--package", "pandas")
        self.assertIn("warning: --package pandas: no code of it was loaded, but of numpy", other.err)
        self.assertIn("shapes-py", other.err)
        refused = self.measured_badly("--package", "--index-url=https://example.org")
        self.assert_one_error(refused, "--package", "is no name of a distribution")

    def measured_badly(self, *arguments):
        return self.bench("run", *STATEMENT, *QUICK, "=".join(arguments), code=2)

    def test_what_is_no_requirement_is_not_handed_to_pip(self):
        refused = self.bench("bisect", "--good", "1.26.0", "--bad", "2.0.0", *STATEMENT, "--with=--pre", code=2)
        self.assert_one_error(refused, "--with", "'--pre' is no requirement of pip")

    def test_the_sides_of_a_duet_are_called_by_what_differs(self):
        sides = [self.installed("2.0.1", 1)["PYTHONPATH"], self.installed("2.0.2", 100)["PYTHONPATH"]]
        ran = self.bench(
            "duet",
            *STATEMENT,
            "--env-a",
            f"PYTHONPATH={sides[0]}",
            "--env-b",
            f"PYTHONPATH={sides[1]}",
            "--pairs",
            "10",
        )
        self.assertIn("1 slower", ran.out)  # 15 times as long: nothing that a machine does puts that in doubt
        a, b = ran.out.splitlines()[:2]
        self.assertIn(", shapes-py 2.0.1, ", a)
        self.assertIn(", shapes-py 2.0.2, ", b)
        (record,) = (self.store / "records").glob("*.json")
        self.assert_valid(record)
        told = json.loads(record.read_text())["tare"]["sides"]
        self.assertEqual([told[side]["packages"]["shapes-py"] for side in "ab"], ["2.0.1", "2.0.2"])

    def test_a_bisection_goes_over_the_releases_of_the_package(self):
        wheels = self.folder / "wheels"
        wheels.mkdir()
        for version, rounds in (("1.0", 1), ("1.1", 1), ("1.2", 400), ("1.3", 400)):
            info = f"shapes_py-{version}.dist-info"
            with zipfile.ZipFile(wheels / f"shapes_py-{version}-py3-none-any.whl", "w") as wheel:
                text = f"def work(x):\n    for _ in range({rounds}):\n        x = x + x\n    return x\n"
                wheel.writestr("shapes.py", text)
                wheel.writestr(f"{info}/METADATA", f"Metadata-Version: 2.1\nName: Shapes.Py\nVersion: {version}\n")
                wheel.writestr(f"{info}/WHEEL", "Wheel-Version: 1.0\nRoot-Is-Purelib: true\nTag: py3-none-any\n")
                files = ("shapes.py", f"{info}/METADATA", f"{info}/WHEEL", f"{info}/RECORD")
                wheel.writestr(f"{info}/RECORD", "".join(f"{file},,\n" for file in files))
        index = self.environment(PIP_NO_INDEX="1", PIP_FIND_LINKS=wheels.as_uri())
        ends = ("--package", "Shapes.py", "--good", "1.0", "--bad", "1.3")
        ran = self.bench("bisect", *ends, *STATEMENT, environment=index)
        self.assertRegex(ran.out, r"work\(1\.5\): slower since 1\.2: \+\d+")
        self.assertIn("1.1 is the last fast one", ran.out)
        ends = ("--package", "Shapes.py", "--good", "1.0", "--bad", "9.9")
        ran = self.bench("bisect", *ends, *STATEMENT, environment=index, code=2)
        self.assertIn("the package index lists: 1.0, 1.1, 1.2, 1.3", ran.err)

    def test_the_sides_of_an_explanation_are_called_by_what_differs(self):
        sides = []
        for version, rounds in (("2.0.1", 1), ("2.0.2", 40)):
            sides.append(str(self.folder / version))
            subprocess.run([PYTHON, "-m", "venv", "--without-pip", sides[-1]], check=True)
            (found,) = (self.folder / version).glob("lib/python3*/site-packages")
            self.installed(version, rounds, found)
        how = ("--layouts", "4", "--no-timing", "--python", sides[0], "--against", sides[1])
        ran = self.bench("explain", *STATEMENT, *how)
        a, b = ran.out.splitlines()[:2]
        self.assertRegex(a, r"^a  .*, shapes-py 2\.0\.1$")
        self.assertRegex(b, r"^b  .*, shapes-py 2\.0\.2$")
        self.assertRegex(ran.out, r"(?m)^ *work +shapes\.py +[\d,]+ +[\d,]+ +\+[\d,]+")

    def test_two_stored_runs_are_compared_with_a_word_on_what_differs(self):
        for version, out in (("2.0.1", "old.json"), ("2.0.2", "new.json")):
            two = (*STATEMENT, *SHORT, "--rounds", "2")
            self.bench("run", *two, "--out", out, environment=self.installed(version, 1))
        said = self.bench("compare", "old.json", "new.json").out
        self.assertIn("packages that differ: shapes-py 2.0.1 and 2.0.2", " ".join(said.split()))


if __name__ == "__main__":
    unittest.main()
