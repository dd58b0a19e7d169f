"""A chain compared with what sys._getframe tells, from wherever a check is."""

import ctypes
import sys
import unittest

import probe

EVAL = ctypes.cast(ctypes.pythonapi._PyEval_EvalFrameDefault, ctypes.c_void_p).value


def truth(frame):
    """Name, file and line of each frame from here out, as Python tells them."""
    told = []
    while frame is not None:
        told.append((probe.name_of(frame.f_code), frame.f_code.co_filename, frame.f_lineno))
        frame = frame.f_back
    return told


class Looking(unittest.TestCase):
    def look(self, *_, library=probe.with_gil):
        """To be called from wherever a chain is wanted; compares all but the frames from here inwards."""
        moment, told = probe.copy(library), truth(sys._getframe(1))
        self.assertEqual(moment.chain, probe.WHOLE)
        self.assertEqual([frame.name for frame in moment.frames[:2]], ["copy", probe.name_of(Looking.look.__code__)])
        self.assertEqual([(frame.name, frame.file, frame.line) for frame in moment.frames[2:]], told)
        self.check_boundaries(moment)
        self.seen = moment
        return 0

    def check_boundaries(self, moment):
        """Each in the C stack, in a frame of its own, which is the eval loop's; as many as it has frames."""
        self.assertTrue(moment.frames[-1].is_entry)
        loops = [i for i, native in enumerate(moment.native) if native.function == EVAL]
        if not probe.LEAVES_ADDRESSES:
            self.assertEqual({frame.address for frame in moment.frames}, {0})
            self.assertEqual(len([frame for frame in moment.frames if frame.is_entry]), len(loops))
            return
        boundaries = [frame.address for frame in moment.frames if frame.is_entry]
        self.assertEqual(
            [frame.address for frame in moment.frames if not frame.is_entry].count(0),
            len(moment.frames) - len(boundaries),
        )
        holding = []
        for address in boundaries:
            holding += [i for i, native in enumerate(moment.native) if native.low <= address < native.high]
        self.assertEqual(len(holding), len(boundaries), "each boundary in one native frame")
        self.assertEqual(holding, loops, "the eval loop's frames, in order")

    def runs(self):
        """Names of the frames inside look(), by eval loop."""
        runs = [[]]
        for frame in self.seen.frames[2:]:
            runs[-1].append(frame.name.rpartition(".")[2])
            if frame.is_entry:
                runs.append([])
        return runs
