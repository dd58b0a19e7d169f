"""odd_tmpdir.py COMMAND...: runs it with a TMPDIR that has a blank in its name and lies behind a link."""

import os
import subprocess
import sys
import tempfile
from pathlib import Path

with tempfile.TemporaryDirectory(prefix="tare-odd-") as made:
    folder, link = Path(made) / "of its own", Path(made) / "a link"
    folder.mkdir()
    link.symlink_to(folder)
    sys.exit(subprocess.run(sys.argv[1:], env=os.environ | {"TMPDIR": str(link)}, check=False).returncode)
