# At stake: that 3,421 instructions are 3,421. Callgrind counts the same code by another method: an emulated CPU. It has
# no AVX-512, so both are told to use code without it; then they agree within 1 %, mostly to the last one. Both take the
# minimum over layouts: where the last free block of a pool of pymalloc is taken and given back, a call costs 15 more.
import itertools
import math
import re
import shutil
import subprocess
import unittest
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from bench_process import PYTHON, BenchTest, needs_haswell_kernels
from explain_process import ExplainTest

LESS, MORE = 500, 2500  # executions; the adaptive interpreter has settled long before
LAYOUTS = (0, 300)
WITHIN = 0.01
AVX2_ONLY = {
    "OPENBLAS_CORETYPE": "Haswell",
    "OPENBLAS_NUM_THREADS": "1",
    # The C library's own choice of memcpy and its like; NumPy's is disabled by the names that this NumPy has.
    "GLIBC_TUNABLES": "glibc.cpu.hwcaps=-AVX512F,-AVX512VL,-AVX512BW,-AVX512DQ,-AVX512CD,-ERMS,-FSRM",
}
NUMPY = "import numpy as np; "
STATEMENTS = {
    "pass": "",
    "x + y": "x = 1.5; y = 2.5",
    "x - y": NUMPY + "x = np.float64(1.5); y = np.float64(2.5)",
    "x * y": NUMPY + "x = np.array(1.5); y = np.array(2.5)",
    "v + 1.0": NUMPY + "v = np.ones(8)",
    "np.sum(v)": NUMPY + "v = np.ones(8)",
    "A @ B": NUMPY + "A = np.ones((8, 8)); B = np.ones((8, 8))",
}
HERE = Path(__file__).resolve().parent


def dispatched_features():
    """Those above AVX2 that this NumPy found on this CPU, by its own names."""
    code = (
        "import numpy as np\n"
        "core = getattr(np, '_core', None) or np.core\n"
        "features = core._multiarray_umath.__cpu_features__\n"
        "targets = core._multiarray_umath.__cpu_dispatch__\n"
        "print(' '.join(t for t in targets if features.get(t) and ('AVX512' in t or t == 'X86_V4')))"
    )
    return subprocess.run([PYTHON, "-c", code], capture_output=True, text=True, check=True).stdout.strip()


@needs_haswell_kernels
@unittest.skipUnless(shutil.which("valgrind"), "valgrind is not installed: ci/full installs it")
class Callgrind(ExplainTest, BenchTest):
    def collected(self, statement, passes, layout):
        """Instructions of the whole process."""
        command = ["valgrind", "--tool=callgrind", f"--callgrind-out-file={self.folder}/out.%p", PYTHON, "-B"]
        command += [str(HERE / "counted_in_subject.py"), statement, STATEMENTS[statement], str(passes), str(layout)]
        environment = self.environment(**self.less, PYTHONHASHSEED="0")
        ran = subprocess.run(command, capture_output=True, text=True, check=True, env=environment)
        found = re.search(r"Collected : (\d+)", ran.stderr)
        assert found, ran.stderr
        return int(found.group(1))

    def test_counts_what_the_ledger_counts(self):
        self.less = AVX2_ONLY | {"NPY_DISABLE_CPU_FEATURES": dispatched_features()}
        with ThreadPoolExecutor(2) as pool:
            keys = list(itertools.product(STATEMENTS, (LESS, MORE), LAYOUTS))
            totals = dict(zip(keys, pool.map(lambda key: self.collected(*key), keys), strict=True))
        each = {
            s: min((totals[s, MORE, layout] - totals[s, LESS, layout]) / (MORE - LESS) for layout in LAYOUTS)
            for s in STATEMENTS
        }
        lines = []
        for statement, setup in STATEMENTS.items():
            if statement == "pass":
                continue
            arguments = ["-e", statement, "--setup", setup or "pass"]
            ledgers, _ = self.explain(*arguments, environment=self.environment(**self.less))
            (ledger,) = ledgers.values()
            counted, stepped = each[statement] - each["pass"], ledger["total"]["lowest"]
            lines.append(f"{statement}: callgrind {counted:.1f}, ledger {stepped} ({stepped / counted - 1:+.2%})")
            with self.subTest(statement):
                self.assertLessEqual(math.fabs(stepped / counted - 1), WITHIN, "; ".join(lines))
        print("\n" + "\n".join(lines))


if __name__ == "__main__":
    unittest.main()
