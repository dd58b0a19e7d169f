# At stake: that the library is looked up by name only: it loads where there is no CPython, and before CPython starts.
import ctypes
import os
import pathlib
import subprocess
import sys
import unittest

import probe

LOADED = "import ctypes; print(ctypes.CDLL(None).frame_probe_prepare(None, 0))"


class Preloaded(unittest.TestCase):
    def preload(self, *command):
        ran = subprocess.run(
            command,
            env={**os.environ, "LD_PRELOAD": probe.PATH, "LD_BIND_NOW": "1"},
            capture_output=True,
            text=True,
            check=False,
        )
        self.assertEqual(ran.stderr, "")
        return ran.stdout.strip()

    def test_into_this_interpreter(self):
        self.assertEqual(self.preload(sys.executable, "-c", LOADED), "0")

    def test_is_refused_by_another_version(self):
        version = ".".join(map(str, sys.version_info[:3]))
        others = [path for path in pathlib.Path(probe.PATH).parent.glob("frame_probe.*.so") if str(path) != probe.PATH]
        for other in others:
            self.assertEqual(ctypes.PyDLL(str(other)).frame_probe_prepare(probe.text, probe.ROOM), -1, other)
            print(probe.text.value.decode())
            self.assertRegex(
                probe.text.value.decode(), rf"runs CPython {version}; .* as those of 3|cannot be read: known"
            )

    def test_into_a_program_without_python(self):
        self.assertEqual(self.preload("/bin/echo", "here"), "here")


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
