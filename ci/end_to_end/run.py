"""run.py MODULE: runs one module of tests, printing the reason of every skip.

Exit status 0 if they passed, 1 if one failed or none was found, 77 if every one was skipped (ctest then says Skipped).
"""

import sys
import unittest
from pathlib import Path

SKIPPED = 77


def main(module: str) -> int:
    sys.path.insert(0, str(Path(__file__).resolve().parent))
    result = unittest.TextTestRunner(verbosity=2).run(unittest.defaultTestLoader.loadTestsFromName(module))
    # a class or module skipped as a whole counts as a skip, not as a test that ran
    skipped = len(result.skipped)
    if not result.wasSuccessful() or (result.testsRun == 0 and skipped == 0):
        return 1
    return SKIPPED if skipped and result.testsRun <= skipped else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1]))
