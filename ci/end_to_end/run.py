"""run.py MODULE: runs one module of tests in a made environment, printing the reason of every skip.

Exit status 0 if they passed, 1 if one failed or none was found, 77 if every one was skipped (ctest then says Skipped).
"""

import os
import shutil
import sys
import tempfile
import unittest
from pathlib import Path

FOLDER = Path(__file__).resolve().parent
sys.path[:0] = [str(FOLDER), str(FOLDER.parent / "surroundings")]  # PYTHONSAFEPATH leaves the script's own folder out

from made_environment import made_environment  # noqa: E402

SKIPPED = 77
HOME = "TARE_TEST_HOME"  # set where the environment is the made one


def start_again(module: str) -> None:
    """In the made environment: this interpreter has read variables of Python already. It is replaced."""
    home = tempfile.mkdtemp(prefix="tare-home-")
    environment = made_environment(os.environ, home) | {HOME: home}
    os.execve(sys.executable, [sys.executable, "-B", str(FOLDER / "run.py"), module], environment)


def main(module: str) -> int:
    if HOME not in os.environ:
        start_again(module)
    try:
        return run(module)
    finally:
        shutil.rmtree(os.environ[HOME])


def run(module: str) -> int:
    result = unittest.TextTestRunner(verbosity=2).run(unittest.defaultTestLoader.loadTestsFromName(module))
    # a class or module skipped as a whole counts as a skip, not as a test that ran
    skipped = len(result.skipped)
    if not result.wasSuccessful() or (result.testsRun == 0 and skipped == 0):
        return 1
    return SKIPPED if skipped and result.testsRun <= skipped else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1]))
