# At stake: a table that fits 80 or 60 columns, a progress bar that leaves nothing behind, no escape code in a file.
import fcntl
import os
import pty
import re
import select
import struct
import termios
import time
import unittest

from bench_process import QUICK, SHORT, BenchTest

ESCAPE = "\x1b"
SUBSET = r"^(add|matmul|matmul_aat)\[.*(f8|f4).*n=(1|8|64)\]"


class Terminal(BenchTest):
    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        try:
            opened = pty.openpty()
        except OSError as error:
            # Skipped because a chroot without /dev/pts has no terminals, and what is told here is of terminals.
            raise unittest.SkipTest(f"no terminal can be opened here: {error}") from None
        for descriptor in opened:
            os.close(descriptor)

    def in_terminal(self, *arguments, columns, **changes):
        """(stdout, stderr) of a run whose two streams are terminals of that width."""
        masters, slaves = zip(pty.openpty(), pty.openpty())
        for slave in slaves:
            fcntl.ioctl(slave, termios.TIOCSWINSZ, struct.pack("4H", 24, columns, 0, 0))
        environment = self.environment(**({"TERM": "xterm"} | changes))
        process = self.start(*arguments, environment=environment, stdout=slaves[0], stderr=slaves[1])
        for slave in slaves:
            os.close(slave)
        texts = dict.fromkeys(masters, b"")
        deadline = time.monotonic() + 60
        while masters and time.monotonic() < deadline:
            for master in select.select(masters, [], [], 1)[0]:
                try:
                    chunk = os.read(master, 65536)
                except OSError:  # EIO: nobody holds the other end
                    chunk = b""
                texts[master] += chunk
                if not chunk:
                    masters = tuple(m for m in masters if m != master)
        self.assertEqual(process.wait(5), 0)
        for master in texts:
            os.close(master)
        return tuple(text.decode().replace("\r\n", "\n") for text in texts.values())

    def test_gets_a_table_within_its_columns(self):
        for columns in (120, 80, 60):
            with self.subTest(columns=columns):
                out, _ = self.in_terminal("run", "--filter", SUBSET, *QUICK, columns=columns, NO_COLOR="1")
                self.assertNotIn(ESCAPE, out)
                lines = out.splitlines()
                start = next(i for i, line in enumerate(lines) if line.startswith("case"))
                table = lines[start : lines.index("", start)]
                self.assertGreater(len(table), 10)
                self.assertEqual([line for line in table if len(line) > columns], [])
                for column in ("gross", "tare"):
                    self.assertIn(column, table[0])

    def test_shows_progress_on_stderr_and_takes_it_away(self):
        out, err = self.in_terminal("run", "--filter", r"^add\[", "--rounds", "2", *SHORT, columns=100)
        self.assertRegex(err, r"\[[^\]]*=[^\]]*\] \d+/\d+ +\d+:\d\d, \d+:\d\d left")
        self.assertNotIn("left", out)
        shown = re.sub(r"(?m)^.*\r\x1b\[K", "", err)  # what a terminal shows in the end
        self.assertRegex(shown, r"^record: .+\n$")
        for drawn in re.split(r"\r\x1b\[K", err)[1:-1]:
            self.assertLess(len(re.sub(r"\x1b\[\d*m", "", drawn)), 100)

    def test_without_colours_where_no_color_asks(self):
        out, err = self.in_terminal("run", "--filter", r"^add\[.*n=8\]", *QUICK, columns=100, NO_COLOR="1")
        self.assertNotIn(ESCAPE, out)
        self.assertEqual(set(re.findall(r"\x1b\[\d*[A-Za-z]", err)) - {"\x1b[K"}, set())

    def test_without_progress_where_it_is_dumb(self):
        _, err = self.in_terminal("run", "--filter", r"^add\[.*n=8\]", *QUICK, columns=100, TERM="dumb")
        self.assertNotIn(ESCAPE, err)

    def test_none_means_no_escape_codes(self):
        for arguments in (("run", "--filter", r"^add\[.*n=8\]", *QUICK), ("list", "--all", "--filter", "^add")):
            ran = self.bench(*arguments, environment=self.environment(TERM="xterm-256color"))
            self.assertNotIn(ESCAPE, ran.out + ran.err)

    def test_shows_the_list_within_its_columns(self):
        out, _ = self.in_terminal("list", columns=80)
        self.assertGreater(len(out.splitlines()), 100)
        self.assertEqual([line for line in out.splitlines() if len(line) > 80], [])


if __name__ == "__main__":
    unittest.main()
