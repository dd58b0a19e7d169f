# At stake: of twenty ways to write a product, which BLAS routine runs? `bench explain` counts one call; here samples of
# a running program must say the same, each under the Python function that asked for it.
import json
import re
import unittest

from bench_process import BenchTest, needs_haswell_kernels

SECONDS = 0.06  # of the CPU for each expression: some hundred samples at the rate below
RATE = 2000
SETUP = """
import time
import numpy as np
rng = np.random.default_rng(1)
A = rng.random((150, 157), dtype=np.float32)
B = rng.random((157, 150), dtype=np.float32)
D = rng.random((150, 157), dtype=np.float32)
F = np.asfortranarray(A)
S = rng.random((8, 8), dtype=np.float32)
T = rng.random((8, 8), dtype=np.float32)
v = rng.random(157, dtype=np.float32)
u = rng.random(150, dtype=np.float32)
w = rng.random(60000, dtype=np.float32)
AT = A.T.copy().T
"""
FUNCTION = """
def row_{number}(until):
    while time.thread_time() < until:
        for _ in range({calls}):
            {expression}
row_{number}(time.thread_time() + {seconds})
"""
GEMM = "sgemm"
SYRK = "ssyrk"
# What is written, the routine of cblas, the driver, the kernel. NumPy's own rule (cblasfuncs.c, matmul.c.src): syrk
# where both operands are one array and its transpose. Letters: row-major products reach it as (B, A), transposed.
ROWS = (
    ("A @ B", GEMM, "sgemm_nn", "sgemm_kernel_HASWELL"),
    ("A @ D.T", GEMM, "sgemm_tn", "sgemm_kernel_HASWELL"),
    ("A.T @ D", GEMM, "sgemm_nt", "sgemm_kernel_HASWELL"),
    ("A.T @ B.T", GEMM, "sgemm_tt", "sgemm_kernel_HASWELL"),
    ("S @ T", GEMM, "sgemm_nn", "sgemm_kernel_HASWELL"),
    ("A @ AT.T", GEMM, "sgemm_n[nt]", "sgemm_kernel_HASWELL"),
    ("A @ A.T", SYRK, "ssyrk_LT", "sgemm_kernel_HASWELL"),
    ("S @ S.T", SYRK, "ssyrk_LT", "sgemm_kernel_HASWELL"),
    ("np.dot(A, A.T)", SYRK, "ssyrk_LT", "sgemm_kernel_HASWELL"),
    ("np.inner(A, A)", SYRK, "ssyrk_LT", "sgemm_kernel_HASWELL"),
    ("np.tensordot(A, A, (1, 1))", SYRK, "ssyrk_LT", "sgemm_kernel_HASWELL"),
    ("np.einsum('ij,kj->ik', A, A, optimize=True)", SYRK, "ssyrk_LT", "sgemm_kernel_HASWELL"),
    ("A[None] @ A.T[None]", SYRK, "ssyrk_LT", "sgemm_kernel_HASWELL"),
    ("A[:, :100] @ A[:, :100].T", SYRK, "ssyrk_LT", "sgemm_kernel_HASWELL"),
    ("A.T @ A", SYRK, "ssyrk_LN", "sgemm_kernel_HASWELL"),
    ("np.dot(A.T, A)", SYRK, "ssyrk_LN", "sgemm_kernel_HASWELL"),
    ("F @ F.T", SYRK, "ssyrk_LN", "sgemm_kernel_HASWELL"),
    ("F.T @ F", SYRK, "ssyrk_LT", "sgemm_kernel_HASWELL"),
    ("A @ A.copy().T", GEMM, "sgemm_tn", "sgemm_kernel_HASWELL"),
    ("A @ v", "sgemv", "sgemv_t(_HASWELL)?", "sgemv_t_HASWELL|sgemv_kernel_4x[48]"),
    ("u @ A", "sgemv", "sgemv_n(_HASWELL)?", "sgemv_n_HASWELL|sgemv_kernel_4x[48]"),
    ("w @ w", "sdot", "sdot_k(_HASWELL)?", "sdot_k_HASWELL|sdot_kernel_16"),
)
DRIVER = re.compile(r"s(gemm|syrk)_[a-zA-Z]{2}$")
INTERFACE = re.compile(r"(?:scipy_)?cblas_(s[a-z]+?)(?:64_)?$")  # the wheels' OpenBLAS has a prefix and a suffix


def program():
    calls = {"S @ T": 200, "S @ S.T": 200, "A @ v": 50, "u @ A": 50}
    longer = {"S @ T": 8, "S @ S.T": 16}  # a product of 8 x 8 is 2 to 5 % of its own call: 20 samples and more
    return SETUP + "".join(
        FUNCTION.format(
            number=number, expression=row[0], calls=calls.get(row[0], 5), seconds=SECONDS * longer.get(row[0], 1)
        )
        for number, row in enumerate(ROWS)
    )


def names_below(profile):
    """By the number of each row_ function: how many samples had each native function on their stack below it."""
    rows = {number: {} for number in range(len(ROWS))}
    paths = []  # of each node: the row it lies in, the native names from there on
    for node in profile["nodes"]:
        row, names = paths[node["parent"]] if node["parent"] >= 0 else (None, frozenset())
        function = profile["functions"][node["function"]]
        if function["kind"] == "python" and function["name"].startswith("row_"):
            row = int(function["name"].removeprefix("row_"))
        elif row is not None and function["kind"] == "native":
            names |= {function["name"]}
        paths.append((row, names))
        for name in names if row is not None else ():
            rows[row][name] = rows[row].get(name, 0) + node["self"]["samples"]
    return rows


@needs_haswell_kernels
class Routes(BenchTest):
    def test_of_every_expression_are_those_of_its_own_samples(self):
        script = self.folder / "rows.py"
        script.write_text(program())
        environment = self.environment(OPENBLAS_CORETYPE="Haswell", OPENBLAS_NUM_THREADS="1")
        self.bench("profile", "--rate", RATE, "--out", "profile.json", script, environment=environment)
        profile = json.loads((self.folder / "profile.json").read_text())
        below = names_below(profile)
        for number, (expression, routine, driver, kernel) in enumerate(ROWS):
            with self.subTest(expression):
                seen = {name for name, samples in below[number].items() if samples > 0}
                asked = {found[1] for name in seen if (found := INTERFACE.match(name))}
                # cblas_sdot jumps to its kernel: no frame of its own is left, unless a sample meets it
                self.assertLessEqual(asked, {routine}, sorted(seen))
                if routine != "sdot":
                    self.assertEqual(asked, {routine}, sorted(seen))
                drivers = {name for name in seen if DRIVER.match(name)} or seen
                found = {name for name in drivers if re.fullmatch(driver, name)}
                self.assertTrue(found, f"no {driver} among {sorted(drivers)}")
                if routine in (GEMM, SYRK):
                    self.assertEqual(drivers, found, "the route of another expression")
                self.assertTrue([name for name in seen if re.fullmatch(kernel, name)], sorted(seen))
        self.assertEqual(profile["quality"]["unmatched_boundaries"], 0)


if __name__ == "__main__":
    unittest.main()
