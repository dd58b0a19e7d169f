"""Runs the tests of ci/validation; those that need what only the tools of ci/validate hold are skipped with the reason
elsewhere. `--strict`: a skip is a failure. Exit status 0 if they passed, 1 otherwise.
"""

import sys
import unittest
from pathlib import Path

HERE = Path(__file__).resolve().parent


def main(strict: bool) -> int:
    sys.path.insert(0, str(HERE))
    suite = unittest.defaultTestLoader.discover(str(HERE / "tests"), top_level_dir=str(HERE / "tests"))
    result = unittest.TextTestRunner(verbosity=2).run(suite)
    passed = result.wasSuccessful() and result.testsRun > len(result.skipped)
    return 0 if passed and not (strict and result.skipped) else 1


if __name__ == "__main__":
    sys.exit(main("--strict" in sys.argv[1:]))
