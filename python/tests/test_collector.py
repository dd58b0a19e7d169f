# At stake: a garbage collection inside a batch, tens of microseconds charged to whichever case triggers it.
from __future__ import annotations

import gc
import unittest

from tare import _session


class Collector(unittest.TestCase):
    def tearDown(self) -> None:
        gc.unfreeze()
        gc.enable()

    def test_it_is_off_from_loading_on(self) -> None:
        gc.enable()
        _session.load([], {"statement": "x + x", "setup": "x = 1.0"})
        self.assertFalse(gc.isenabled())
        self.assertGreater(gc.get_freeze_count(), 0)

    def test_release_drops_the_cycles_that_a_case_left(self) -> None:
        _session.load([], {"statement": "x + x", "setup": "x = 1.0"})

        class Node:
            alive = 0

            def __init__(self) -> None:
                Node.alive += 1
                self.me = self

            def __del__(self) -> None:
                Node.alive -= 1

        Node()
        self.assertEqual(Node.alive, 1)
        _session.release()
        self.assertEqual(Node.alive, 0)


if __name__ == "__main__":
    unittest.main()
