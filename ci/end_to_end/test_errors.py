# At stake: each wrong command line or environment costs one error, exit status 2, that names the way out, in seconds.
import os
import subprocess
import unittest

from bench_process import ADD, DEBIAN_PYTHON, QUICK, BenchTest, absent_cpu


class Errors(BenchTest):
    def refused(self, *arguments, words, code=2):
        ran = self.bench("run", *arguments, code=code)
        self.assert_one_error(ran, *words)
        self.assertEqual(list(self.store.glob("*/*")), [], "nothing was measured: nothing is kept")
        return ran

    def script(self, name, text):
        path = self.folder / name
        path.write_text("#!/bin/sh\n" + text)
        path.chmod(0o755)
        return path

    def test_a_filter_that_matches_nothing_proposes_the_nearest_names(self):
        self.refused("--filter", "dott", words=["'dott' matches none of", "nearest: dot", "bench list"])
        self.refused("--filter", r"add\[kind=aray", words=["nearest: add[kind=array"])

    def test_a_filter_that_is_no_regular_expression_says_how_to_escape(self):
        self.refused("--filter", "add[", words=["'add[' is no regular expression", r"--filter '^add\['"])

    def test_an_interpreter_that_is_not_there(self):
        self.refused(
            "--python", "/proc/absent/python", words=["'/proc/absent/python' does not exist", "name an interpreter"]
        )
        self.refused("--python", "no-such-python", words=["no program 'no-such-python' in PATH", "name an interpreter"])
        self.refused("--python", self.folder, words=["is a folder without bin/python"])

    def test_an_environment_without_numpy(self):
        subprocess.run([DEBIAN_PYTHON, "-m", "venv", "--without-pip", self.folder / "bare"], check=True)
        words = ["bare/bin/python has no NumPy", "-m pip install numpy", "name another environment", "--suite"]
        self.refused("--python", self.folder / "bare", words=words)

    def test_an_environment_without_numpy_measures_a_suite_that_needs_none(self):
        subprocess.run([DEBIAN_PYTHON, "-m", "venv", "--without-pip", self.folder / "bare"], check=True)
        text = "# no package\nfrom tare import operation\n\n@operation('x + x')\ndef add():\n    return {'x': 1.0}\n"
        ran = self.bench("run", "--python", self.folder / "bare", "--suite", self.suite(own=text), *QUICK)
        self.assertGreater(ran.cases["add"]["gross_ns"], 0)
        self.assertNotIn("NumPy", ran.out)
        self.assert_valid(ran.record_path)

    def test_an_interpreter_that_is_broken(self):
        broken = self.script("broken", "echo no encodings module >&2; exit 3\n")
        self.refused(
            "--python", broken, words=["cannot describe itself", "status 3", "no encodings module", "check that"]
        )
        other = self.script("other", "echo hello\n")
        self.refused("--python", other, words=["is not a Python interpreter"])
        gone = self.folder / "gone"
        gone.symlink_to("/proc/absent/python3")
        self.refused("--python", gone, words=["symbolic link to '/proc/absent/python3', which does not exist"])

    def test_a_numpy_that_cannot_be_imported(self):
        package = self.folder / "path" / "numpy"
        package.mkdir(parents=True)
        (package / "__init__.py").write_text("raise ImportError('libopenblas.so.0: cannot open shared object file')\n")
        ran = self.bench("run", "--filter", "dot", code=2, environment=self.environment(PYTHONPATH=str(package.parent)))
        self.assert_one_error(ran, "libopenblas.so.0: cannot open shared object file", "-c 'import numpy'")

    def test_command_lines(self):
        for arguments, words in (
            (["--fitler", "dot"], ["unknown option '--fitler'", "did you mean --filter?"]),
            (["dot"], ["unexpected argument 'dot'", "--filter 'dot'"]),
            (["--format", "xml"], ["'xml' is none of table, json, csv, markdown"]),
            (["--cpu", absent_cpu()], [f"--cpu {absent_cpu()}", "only on CPU", "taskset"]),
            (["--rounds", "0"], ["'0' is no whole number from 1 to 1000"]),
            (["--suite", "/proc/absent"], ["--suite /proc/absent: no such folder", "benchmarks/README.md"]),
            (["--suite", self.suite("empty")], ["declares no case", "benchmarks/README.md"]),
            (["--out", "/proc/absent/folder/f.json"], ["--out /proc/absent/folder/f.json", "No such file", "create"]),
        ):
            with self.subTest(arguments):
                self.refused(*arguments, words=words)
        for arguments, words in (([], ["no command was given", "run, list"]), (["mesure"], ["'mesure' is no command"])):
            ran = self.bench(*arguments, code=2)
            self.assert_one_error(ran, *words)

    def test_expressions_that_cannot_be_used(self):
        for arguments, words in (
            (["-e", "a @"], ["cannot be used: SyntaxError: invalid syntax (<statement>, line 1)", "-e takes"]),
            (["-e", "a", "--setup", "a = ("], ["cannot be used: SyntaxError", "<setup>, line 1", "each the code"]),
            (["-e", ""], ["'' is no statement"]),
            (["-e", "1.5 + 2.5"], ["compiles it to no instruction at all", "each the code"]),
            (["--setup", "a = 1"], ["--setup requires --expression"]),
        ):
            with self.subTest(arguments):
                self.refused(*arguments, words=words)

    def test_expressions_that_fail_are_failed_cases(self):
        for arguments, reason in (
            (["-e", "1 / 0"], "ZeroDivisionError: division by zero"),
            (["-e", "a @ b"], "the set-up (--setup) does not assign 'a', 'b', nor anything else"),
            (["-e", "a", "--setup", "import no_such_module; a = 1"], "No module named 'no_such_module'"),
        ):
            with self.subTest(arguments):
                ran = self.bench("run", *arguments, *QUICK, code=4)
                self.assertIn(reason, ran.failures[arguments[1]])
                self.assertIn(reason, ran.out)
                self.assertNotIn("<tare>", ran.out)

    def test_a_store_that_cannot_be_written(self):
        file = self.folder / "a_file"
        file.write_text("")
        self.refused("--store", file / "store", "--filter", ADD, words=["cannot write to the store", "--store"])

    def test_an_out_that_is_a_folder_is_found_before_measuring(self):
        self.refused("--out", self.folder, "--filter", r"^add\[", words=["--out", "that is a folder"])

    @unittest.skipIf(os.geteuid() == 0, "root may write anywhere")
    def test_an_out_that_may_not_be_written_is_found_before_measuring(self):
        locked = self.folder / "locked"
        locked.mkdir(mode=0o500)
        self.refused("--out", locked / "f.json", words=["cannot write to", "Permission denied"])


if __name__ == "__main__":
    unittest.main()
