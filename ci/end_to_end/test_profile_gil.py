# At stake: a program slow because its threads wait for one that holds the GIL. --gil shows that one alone: with the
# others' matrix products in the profile, which need no GIL, it would be a quarter of it at most.
import json
import unittest

from bench_process import BenchTest

THREADS = """
import threading
import time
import numpy as np

SECONDS = 0.5
done = threading.Event()

def holds():
    while time.thread_time() < SECONDS:  # however little of the machine it gets
        sum(range(2000))
    done.set()

a = np.ones((200, 4000))
b = np.ones((4000, 200))
outs = [np.ones((200, 200)) for _ in range(3)]  # small: np.dot clears it first, and holds the GIL for that

def multiplies(out):
    while not done.is_set():
        np.dot(a, b, out=out)  # some ms without the GIL

threads = [threading.Thread(target=multiplies, args=(out,)) for out in outs]
threads.append(threading.Thread(target=holds))
[t.start() for t in threads]
[t.join() for t in threads]
"""


class Gil(BenchTest):
    def profiled(self, *options):
        script = self.folder / "threads.py"
        script.write_text(THREADS)
        environment = self.environment(OPENBLAS_NUM_THREADS="1")
        self.bench("profile", "--threads", *options, "--out", "profile.json", script, environment=environment)
        return json.loads((self.folder / "profile.json").read_text())

    def samples(self, profile):
        return {function["name"]: function["inclusive"]["samples"] for function in profile["functions"]}

    def in_products(self, profile):
        """How many samples had a kernel of BLAS as their innermost function."""
        kernels = (f for f in profile["functions"] if f["name"].startswith("dgemm_kernel"))
        return sum(function["self"]["samples"] for function in kernels)

    def test_shows_its_holder_alone(self):
        everything, held = self.profiled(), self.profiled("--gil")
        total = everything["total"]["samples"]
        self.assertGreater(self.in_products(everything), 0.3 * total, "the threads that need no GIL")
        self.assertGreater(self.samples(everything)["holds"], 0)

        self.assertEqual(self.in_products(held), 0)
        of_holder, of_others = (self.samples(held).get(name, 0) for name in ("holds", "multiplies"))
        self.assertGreater(of_holder, 50)
        self.assertLess(of_others, 0.1 * of_holder, "they hold it between two products")
        for thread in held["threads"]:
            self.assertEqual(thread["gil"], thread["time"], "every sample that is shown held it")


if __name__ == "__main__":
    unittest.main()
