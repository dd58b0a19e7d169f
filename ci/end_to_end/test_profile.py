# At stake: 80 % of a matrix product's samples lie in a kernel without unwind information; profiles that stop there
# answer nothing. And the program must run as `python` runs it.
import gzip
import json
import os
import re
import signal
import subprocess
import time
import unittest
import xml.etree.ElementTree

from bench_process import PYTHON, BenchTest, alive, needs_haswell_kernels

DGEMM = """
import numpy as np
a = np.ones((128, 128)); b = a.copy()
for _ in range(4000):
    a @ b
"""
SYRK = """
import numpy as np
C = np.ones((4, 4), np.float32)
def loop():
    for _ in range(600000):
        np.dot(C, C.T)
loop()
"""
SPIN = """
def spin(seconds):
    import time
    end = time.thread_time() + seconds  # of the CPU: samples are, too
    while time.thread_time() < end:
        sum(range(1000))
"""


class Profile(BenchTest):
    def haswell(self):
        return self.environment(OPENBLAS_CORETYPE="Haswell", OPENBLAS_NUM_THREADS="1")

    def profiled(self, *arguments, code=0, environment=None):
        """The profile as --out keeps it."""
        ran = self.bench("profile", "--out", "profile.json", *arguments, code=code, environment=environment)
        return json.loads((self.folder / "profile.json").read_text()), ran

    def functions(self, profile):
        return {function["name"]: function for function in profile["functions"]}

    @needs_haswell_kernels
    def test_reaches_the_entry_through_kernels_without_unwind_information(self):
        for code, kernel, driver in (
            (DGEMM, "dgemm_kernel_HASWELL", "dgemm_nn"),
            (SYRK, "sgemm_kernel_HASWELL", "ssyrk_LT"),
        ):
            profile, ran = self.profiled("-c", code, environment=self.haswell())
            quality = profile["quality"]
            total = quality["complete"] + quality["scanned"] + quality["truncated"]
            self.assertGreater(total, 100)
            self.assertGreaterEqual((quality["complete"] + quality["scanned"]) / total, 0.99, quality)
            self.assertEqual(quality["unmatched_boundaries"], 0, quality)
            functions = self.functions(profile)
            self.assertIn(kernel, functions)
            if functions[driver]["blas"] is not None:
                self.assertIn(driver, ran.out)
            self.assertIn("stacks: ", ran.out)

    @needs_haswell_kernels
    def test_reaches_the_entry_of_a_product_that_two_threads_share(self):
        # its driver lays a table of jobs on the stack: 64 KB of it ended there in 18 of 100 samples
        environment = self.environment(OPENBLAS_CORETYPE="Haswell", OPENBLAS_NUM_THREADS="2")
        profile, _ = self.profiled("-c", DGEMM, "--threads", environment=environment)
        quality = profile["quality"]
        total = quality["complete"] + quality["scanned"] + quality["truncated"]
        self.assertGreater(total, 100)
        self.assertLessEqual(quality["truncated"], 0.01 * total, quality)

    def test_names_python_functions_and_their_lines(self):
        script = self.folder / "spin.py"
        script.write_text(SPIN + "\ndef outer():\n    spin(0.5)\nouter()\n")
        profile, _ = self.profiled(script)
        functions = self.functions(profile)
        self.assertGreater(functions["spin"]["inclusive"]["ns"], 0.4e9)  # of 0.5 s, however few samples stand for it
        self.assertGreaterEqual(functions["outer"]["inclusive"]["samples"], functions["spin"]["inclusive"]["samples"])
        self.assertEqual(functions["spin"]["file"], str(script))
        lines = {line["line"] for line in profile["lines"] if profile["functions"][line["function"]]["name"] == "spin"}
        self.assertTrue(lines & {5, 6}, lines)

    def test_reaches_the_module_through_nearly_as_deep_a_recursion_as_python_allows(self):
        deep = "def deep(n):\n    return spin(0.3) if n == 0 else deep(n - 1)\ndef main():\n    deep(900)\nmain()\n"
        profile, _ = self.profiled("--folded", "f.txt", "-c", SPIN + deep)
        quality = profile["quality"]
        self.assertGreater(quality["python_whole"], 0)
        self.assertEqual(quality["python_cut"], 0, quality)
        (deepest,) = {line.count(";deep (") for line in self.folded("f.txt") if ";spin (" in line}
        self.assertEqual(deepest, 901)
        self.assertTrue(all(";main (" in line for line in self.folded("f.txt") if ";spin (" in line))

    def test_reaches_the_module_through_deep_recursions_of_other_kinds(self):
        kinds = {
            "mutual": "def even(n):\n    return spin(0.3) if n == 0 else odd(n - 1)\n"
            "def odd(n):\n    return even(n - 1)\ndef main():\n    even(900)\nmain()\n",
            "through C": "def deep(n):\n    return spin(0.3) if n == 0 else max(map(deep, [n - 1]))\n"
            "def main():\n    deep(200)\nmain()\n",
            "generators": "def deep(n):\n    if n == 0:\n        spin(0.3)\n        yield 1\n    else:\n"
            "        yield from deep(n - 1)\ndef main():\n    next(deep(600))\nmain()\n",
        }
        for kind, code in kinds.items():
            with self.subTest(kind):
                profile, _ = self.profiled("--folded", "f.txt", "-c", SPIN + code)
                self.assertGreater(profile["quality"]["python_whole"], 0)
                self.assertEqual(profile["quality"]["python_cut"], 0, profile["quality"])
                spinning = [line for line in self.folded("f.txt") if ";spin (" in line]
                self.assertTrue(all("<module> (" in line and "main (" in line for line in spinning))
                deepest = max(line.count(";deep (") + line.count(";even (") + line.count(";odd (") for line in spinning)
                self.assertEqual(deepest, {"mutual": 901, "through C": 201, "generators": 601}[kind])

    def test_a_recursion_beyond_its_limit_is_marked_as_cut_in_every_output(self):
        deep = (
            "import sys\nsys.setrecursionlimit(3000)\n"
            "def deep(n):\n    return spin(0.3) if n == 0 else deep(n - 1)\ndeep(2000)\n"
        )
        files = {"--folded": "f.txt", "--flamegraph": "f.svg", "--speedscope": "f.json"}
        profile, ran = self.profiled(*(word for pair in files.items() for word in pair), "-c", SPIN + deep)
        self.assertGreater(profile["quality"]["python_cut"], 0)
        for file in files.values():
            self.assertIn("[Python frames beyond the innermost 1200]", (self.folder / file).read_text(), file)
        share = re.search(r"([\d.]+) % cut to the innermost", " ".join(ran.out.split()))
        self.assertGreater(float(share.group(1)), 0)
        profile, ran = self.profiled("--python-frames", "2500", "--folded", "f.txt", "-c", SPIN + deep)
        self.assertEqual(profile["quality"]["python_cut"], 0, "2003 frames")
        self.assertIn("0.0 % cut to the innermost 2500", " ".join(ran.out.split()))
        self.assertEqual(max(line.count(";deep (") for line in self.folded("f.txt")), 2001)
        self.assert_one_error(self.bench("profile", "--python-frames", "0", "-c", "1", code=2), "--python-frames")

    def folded(self, name):
        return (self.folder / name).read_text().splitlines()

    def test_runs_the_program_as_python_runs_it(self):
        script = self.folder / "says.py"
        script.write_text(
            "import json, os, sys\n"
            "own = [name for name in os.environ if name.startswith(('TARE_PROFILE', 'LD_PRELOAD'))]\n"
            "print(json.dumps([sys.argv, __name__, __file__, sys.path[0], own, sys.stdin.read()]))\n"
            "sys.exit(int(sys.argv[1]))\n"
        )
        arguments = [str(script), "7", "--filter", "-x"]
        plain = subprocess.run([PYTHON, *arguments], capture_output=True, text=True, cwd=self.folder, input="in")
        process = self.start("profile", *arguments, stdin=subprocess.PIPE)
        out, err = process.communicate("in", timeout=60)
        self.assertEqual(process.returncode, 7, err)
        self.assertEqual(out.splitlines()[0], plain.stdout.splitlines()[0])
        (self.folder / "package").mkdir()
        (self.folder / "package" / "__main__.py").write_text("import sys; print('module', sys.argv[1:])\n")
        ran = self.bench("profile", "-m", "package", "--top", "3")
        self.assertEqual(ran.out.splitlines()[0], "module ['--top', '3']")

    def test_of_a_program_that_dies_by_a_signal_keeps_what_was_sampled(self):
        code = SPIN + "spin(0.4)\nimport ctypes\nctypes.string_at(0)\n"
        profile, ran = self.profiled("-c", code, code=128 + signal.SIGSEGV)
        self.assertIn("signal 11", ran.out)
        self.assertGreater(profile["total"]["ns"], 0.3e9)  # of 0.4 s

    def test_of_a_program_that_is_interrupted_is_kept(self):
        process = self.start(
            "profile",
            "--out",
            "profile.json",
            "-c",
            SPIN + "spin(0.5)\nprint('ready', flush=True)\nspin(60)\n",
            start_new_session=True,
        )
        self.assertEqual(process.stdout.readline(), "ready\n")
        os.killpg(process.pid, signal.SIGINT)  # as a terminal does
        outcome = self.finish(process)
        self.assertEqual(outcome.code, 130, outcome.err)
        profile = json.loads((self.folder / "profile.json").read_text())
        self.assertTrue(profile["interrupted"])
        self.assertGreater(self.functions(profile)["spin"]["inclusive"]["ns"], 0.4e9)  # of 0.5 s and more

    def profiled_and_signalled(self, code, *signals):
        """The outcome of a program that `code` prepares, and that runs until bench, and bench alone, is sent these."""
        code = SPIN + code + "spin(0.3)\nprint('ready', flush=True)\nspin(60)\n"
        process = self.start("profile", "--out", "profile.json", "-c", code)
        line = process.stdout.readline()
        self.assertEqual(line, "ready\n")
        for number in signals:
            time.sleep(0.4)  # more than the program is given to end by itself
            process.send_signal(number)
        outcome = self.finish(process)
        self.assertEqual(self.left_behind(), [], "the program has ended, too")
        return outcome, json.loads((self.folder / "profile.json").read_text())

    def test_ends_where_bench_alone_is_signalled(self):
        for number in signal.SIGTERM, signal.SIGINT:
            outcome, profile = self.profiled_and_signalled("", number)
            self.assertEqual(outcome.code, 128 + number, outcome.err)
            self.assertTrue(profile["interrupted"])
            self.assertGreater(self.functions(profile)["spin"]["inclusive"]["ns"], 0.2e9)  # of 0.3 s and more

    def test_that_ends_by_no_signal_is_killed_at_the_second(self):
        code = "import signal; signal.signal(signal.SIGTERM, signal.SIG_IGN)\n"
        outcome, profile = self.profiled_and_signalled(code, signal.SIGTERM, signal.SIGTERM)
        self.assertEqual(outcome.code, 128 + signal.SIGKILL, outcome.err)
        self.assertGreater(self.functions(profile)["spin"]["inclusive"]["ns"], 0.2e9)  # of 0.3 s and more

    def test_dies_with_bench(self):
        process = self.start("profile", "-c", SPIN + "print('ready', flush=True)\nspin(60)\n")
        self.assertEqual(process.stdout.readline(), "ready\n")
        process.kill()
        process.communicate(timeout=60)
        self.assertEqual(self.left_behind(), [])

    def left_behind(self):
        """Programs that a test started and that live on."""
        for _ in range(100):
            left = alive(self.mark)
            if not left:
                break
            time.sleep(0.02)
        return left

    def test_is_sampled_for_the_duration_and_pays_for_no_more(self):
        profile, _ = self.profiled("--duration", "0.3", "-c", SPIN + "spin(1)\n")
        sampling = profile["sampling"]
        self.assertLessEqual(sampling["taken"], 330, "at 1 kHz")
        self.assertEqual(profile["total"]["samples"], sampling["taken"] - sampling["dropped"], "none is thrown away")
        self.assertGreater(sampling["taken"], 0)  # how much of 0.3 s it gets is the machine's matter
        self.assertLess(sampling["cpu_ns"], 0.8e9, "of 1 s")
        self.assertLessEqual(sampling["wall_ns"], 0.3e9)

    def test_takes_the_options_of_python(self):
        says = "import sys; print(sys.flags.dev_mode, sys.flags.optimize, __debug__, sys.argv[1:])\n"
        (self.folder / "says.py").write_text(says)
        for words in ("-X", "dev", "-O", "says.py", "-x"), ("--", "-OXdev", "--", "says.py", "-x"):
            ran = self.bench("profile", "--top", 3, *words)
            self.assertEqual(ran.out.splitlines()[0], "True 1 False ['-x']")

    def test_without_samples_says_so_and_shows_no_shares(self):
        for _ in range(5):  # the first sample falls anywhere into a second of CPU time, of which this takes a twentieth
            ran = self.bench("profile", "--rate", 1, "-c", "pass")
            if "no samples were taken" in ran.out:
                break
        self.assertIn("no samples were taken", ran.out)
        self.assertIn("--rate", ran.out)
        self.assertNotIn(" %", ran.out)

    def test_tells_threads_apart_where_they_are_asked_for(self):
        code = SPIN + (
            "import threading\n"
            "threads = [threading.Thread(target=spin, args=(0.6,)) for _ in range(4)]\n"
            "[t.start() for t in threads]; [t.join() for t in threads]\n"
        )
        profile, ran = self.profiled("--threads", "-c", code)
        said = ran.out.partition("mostly in")[2].partition("\n\n")[0]
        self.assertGreaterEqual(said.count("spin <string>"), 4, ran.out)
        busy = [thread for thread in profile["threads"] if thread["time"]["samples"] > 20]
        self.assertGreaterEqual(len(busy), 4, profile["threads"])
        alone, _ = self.profiled("-c", code)
        self.assertEqual(len(alone["threads"]), 1)

    def test_names_threads_as_the_kernel_does(self):
        """PR_SET_NAME is 15: what pthread_setname_np, and CPython from 3.14 on, call."""
        code = SPIN + (
            "import ctypes, threading\n"
            "def work():\n"
            "    ctypes.CDLL(None).prctl(15, b'pool \\xff 1')\n"
            "    spin(0.6)\n"
            "thread = threading.Thread(target=work)\n"
            "thread.start(); thread.join()\n"
        )
        profile, ran = self.profiled("--threads", "-c", code)
        self.assertIn("pool \ufffd 1", [thread["name"] for thread in profile["threads"]])
        self.assertRegex(ran.out, r"(?m)^\d+ \(pool .* 1\) of process \d+ ")

    def test_shows_waiting_only_where_it_is_asked_for(self):
        code = "import time\ntime.sleep(0.6)\n"
        waiting, _ = self.profiled("--idle", "-c", code)
        layers = {layer["name"]: layer["self"] for layer in waiting["layers"]}
        self.assertGreater(layers["waiting"]["ns"], 0.4e9)
        running, _ = self.profiled("-c", code)
        waited = [layer["self"]["samples"] for layer in running["layers"] if layer["name"] == "waiting"]
        self.assertEqual(sum(waited), 0)

    def test_follows_children_where_they_are_asked_for(self):
        code = SPIN + "import os\npid = os.fork()\nif pid == 0:\n    spin(0.5)\n    os._exit(0)\nos.waitpid(pid, 0)\n"
        with_child, _ = self.profiled("--subprocesses", "-c", code)
        self.assertIn("spin", self.functions(with_child))
        without, _ = self.profiled("-c", code)
        self.assertNotIn("spin", self.functions(without))

    def test_says_that_what_it_did_not_sample_spent_most_of_the_time(self):
        execute = f"import os, sys; os.execv(sys.executable, [sys.executable, '-c', {SPIN + 'spin(1)'!r}])"
        of_children = "in children, or in what it executed: --threads and --subprocesses sample them, too"
        _, ran = self.profiled("-c", execute)
        self.assertIn(of_children, " ".join(ran.out.split()))
        _, ran = self.profiled("-c", SPIN + "spin(1)")
        self.assertNotIn("in no sample", ran.out)
        _, ran = self.profiled("--subprocesses", "-c", execute)
        self.assertNotIn("in no sample", ran.out)

    def test_lists_as_many_lines_and_in_the_order_that_are_asked_for(self):
        nested = "".join(f"def f{i}(): {'spin(0.3)' if i == 0 else f'f{i - 1}()'}\n" for i in range(5))
        code = SPIN + nested + "f4()"
        _, ran = self.profiled("--top", "2", "--frames", "python", "-c", code)
        lines = ran.out.partition("Python line")[2].partition("\n\n")[0].splitlines()
        self.assertEqual(len(lines), 4, lines)  # the rest of the head, two lines, and how many more there are
        _, ran = self.profiled("--sort", "cumulative", "--frames", "python", "-c", code)
        functions = ran.out.partition("Python function")[2].partition("\n\n")[0].splitlines()[1:]
        cumulative = [float(re.findall(r"([\d.]+) %", line)[-1]) for line in functions if "%" in line]
        self.assertGreater(len(cumulative), 4)
        self.assertEqual(cumulative, sorted(cumulative, reverse=True))

    def test_writes_files_that_others_read(self):
        files = ["--flamegraph", "a.svg", "--speedscope", "a.json", "--folded", "a.txt", "--pprof", "a.pb.gz"]
        self.bench("profile", *files, "-c", SPIN + "spin(0.4)")
        svg = xml.etree.ElementTree.parse(self.folder / "a.svg").getroot()
        self.assertTrue(svg.tag.endswith("svg"))
        speedscope = json.loads((self.folder / "a.json").read_text())
        self.assertEqual(speedscope["profiles"][0]["unit"], "nanoseconds")
        folded = (self.folder / "a.txt").read_text().splitlines()
        self.assertGreater(sum(int(line.rpartition(" ")[2]) for line in folded), 100)
        self.assertTrue(any("spin" in line for line in folded))
        self.assertGreater(len(gzip.decompress((self.folder / "a.pb.gz").read_bytes())), 1000)

    def test_tells_by_what_it_differs_from_an_earlier_one(self):
        self.profiled("-c", SPIN + "spin(0.3)")
        ran = self.bench(
            "profile", "--against", "profile.json", "--format", "json", "-c", SPIN + "spin(0.3); sorted(range(9**7))"
        )
        self.assertEqual(json.loads(ran.out)["kind"], "profile difference")

    def test_samples_by_a_timer_where_perf_is_refused_and_says_so(self):
        ran = self.bench_without("perf_event_open", "EACCES", "profile", "-c", SPIN + "spin(0.5)")
        self.assertEqual(ran.code, 0, ran.err)
        self.assertIn("EACCES", ran.out)
        self.assertIn("spin", ran.out)

    def test_of_wrong_uses_are_one_error_each(self):
        (self.folder / "damaged.json").write_text('{"kind": "profile"')
        for arguments, words in (
            ((), "no program was given"),
            (("--rat", "100", "x.py"), "'--rat'"),
            (("-m",), "nothing follows -m"),
            ((PYTHON, "x.py"), "an interpreter is named by --python, and left out here"),
            (("sh", "x.py"), "'sh' is no script of Python"),  # by PATH, as python would be
            (("--against", "gone.json", "-c", "1"), "gone.json"),
            (("--against", "damaged.json", "-c", "1"), "damaged.json"),
            (("--flamegraph", "/no/such/folder/a.svg", "-c", "1"), "/no/such/folder/a.svg"),
            (("--rate", "0", "-c", "1"), "--rate"),
            (("--python", "/no/such/python", "-c", "1"), "/no/such/python"),
        ):
            ran = self.bench("profile", *arguments, code=2)
            self.assertIn(words, ran.err, arguments)
            self.assertNotIn("Traceback", ran.err)

    def test_of_a_program_that_fails_ends_as_the_program_did(self):
        ran = self.bench("profile", "-c", "raise SystemExit('bad')", code=1)
        self.assertIn("bad", ran.err)
        ran = self.bench("profile", "no_such_script.py", code=2)
        self.assertIn("no_such_script.py", ran.err)


if __name__ == "__main__":
    unittest.main()
