"""The probe library, loaded into the interpreter that runs this, and what it says as values."""

import collections
import ctypes
import dis
import sys

Frame = collections.namedtuple("Frame", "address is_entry line offset name file")
Native = collections.namedtuple("Native", "low high function")
Moment = collections.namedtuple("Moment", "chain holds_gil frames native")
NONE, WHOLE, CUT, NO_THREAD, NO_FRAME, NO_CODE, NO_LOOP = range(7)
UNREADABLE = (NO_THREAD, NO_FRAME, NO_CODE, NO_LOOP)
ROOM = 1 << 24
LEAVES_ADDRESSES = sys.version_info >= (3, 11)  # the eval loop, of what lies in its C frame
LINKS_THROWN_INTO = sys.version_info >= (3, 10)  # what stands behind a generator that hands throw() on

PATH, CALLS = sys.argv[1], int(sys.argv[2])
with_gil = ctypes.PyDLL(PATH)
without_gil = ctypes.CDLL(PATH)  # gives the GIL up for the time of the call
for library in (with_gil, without_gil):
    library.frame_probe_ns_per_copy.restype = ctypes.c_double
    library.frame_probe_calls.restype = ctypes.c_uint64
    library.frame_probe_frame.restype = ctypes.c_uint64
    library.frame_probe_chain_from.argtypes = [ctypes.c_uint64]
    library.frame_probe_copy.argtypes = [ctypes.c_size_t, ctypes.c_char_p, ctypes.c_size_t]
    library.frame_probe_stop.argtypes = [ctypes.c_char_p, ctypes.c_size_t]
    library.frame_probe_watched.argtypes = [ctypes.c_char_p, ctypes.c_size_t]
    library.frame_probe_prepare.argtypes = [ctypes.c_char_p, ctypes.c_size_t]
    library.frame_probe_line_at.argtypes = [ctypes.c_int, ctypes.c_char_p, ctypes.c_size_t, ctypes.c_int]
text = ctypes.create_string_buffer(ROOM)


def prepare():
    if with_gil.frame_probe_prepare(text, ROOM) != 0:
        raise SystemExit(text.value.decode())


def lines_of(size):
    assert size >= 0, "the answer is longer than its room"
    return [line.split("\t") for line in text.raw[:size].decode().splitlines()]


def copy(library=with_gil, most=256):
    """The chain and the C stack of this call. Its innermost frame is this function."""
    moment, frames, native = None, [], []
    for kind, *fields in lines_of(library.frame_probe_copy(most, text, ROOM)):
        if kind == "chain":
            moment = (int(fields[0]), fields[1] == "1")
        elif kind == "python":
            address, is_entry, line, offset, name, file = fields
            frames.append(Frame(int(address), is_entry == "1", int(line), int(offset), name, file))
        else:
            native.append(Native(*map(int, fields)))
    return Moment(*moment, frames, native)


def name_of(code):
    """As the chain has it: code objects know their qualified names since 3.11."""
    return code.co_qualname if LEAVES_ADDRESSES else code.co_name


def lines_of_units(code):
    """The line of each code unit, or None, as Python has it."""
    if LEAVES_ADDRESSES:
        return [line for line, *_ in code.co_positions()]
    units = [None] * (len(code.co_code) // 2)
    if hasattr(code, "co_lines"):
        for start, end, line in code.co_lines():
            units[start // 2 : end // 2] = [line] * ((end - start) // 2)
        return units
    starts = dict(dis.findlinestarts(code))
    line = code.co_firstlineno
    for unit in range(len(units)):
        line = starts.get(2 * unit, line)
        units[unit] = line
    return units


def watched():
    """Name and line of the innermost frame at each frame_probe_watch() since the last call; None: as before."""
    told = lines_of(with_gil.frame_probe_watched(text, ROOM))
    return [None if line == ["same"] else (line[1], int(line[0])) for line in told]


def stop():
    """What the handler counted, and the distinct calls and places that it saw."""
    counts, calls, places = {}, set(), set()
    for kind, *fields in lines_of(with_gil.frame_probe_stop(text, ROOM)):
        if kind == "call":
            calls.add(tuple(fields))
        elif kind == "place":
            places.add((fields[0], fields[1], int(fields[2])))
        else:
            counts[kind] = int(fields[0])
    return counts, calls, places
