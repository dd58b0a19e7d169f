# The command `bench` of a wheel, and `python -m tare`: hands over to the program that lies in the package.
# Standard library only.
import os
import sys
from pathlib import Path

PROGRAM = Path(__file__).parent / "_home" / "bin" / "bench"


def main() -> None:
    """Replaces this process. What is measured is this interpreter's environment, where nobody says otherwise."""
    if not PROGRAM.exists():
        sys.exit(f"bench: error: {PROGRAM} is missing: install tare-bench again, or call ci/bench in its source tree")
    os.environ.setdefault("TARE_PYTHON", sys.executable)
    os.execv(PROGRAM, ["bench", *sys.argv[1:]])
