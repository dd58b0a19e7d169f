# Runs argv[1:] where personality(2) is refused, as under a container's seccomp profile: a filter answers it with EPERM.
import ctypes
import os
import struct
import sys

PR_SET_NO_NEW_PRIVS, PR_SET_SECCOMP, SECCOMP_MODE_FILTER = 38, 22, 2
LOAD, JUMP_IF_EQUAL, RETURN = 0x20, 0x15, 0x06  # of the classic BPF machine
REFUSED, ALLOWED = 0x00050000 | 1, 0x7FFF0000  # SECCOMP_RET_ERRNO with EPERM, SECCOMP_RET_ALLOW
NUMBER_OF_PERSONALITY = 135  # x86-64

FILTER = b"".join(
    struct.pack("HBBI", *instruction)
    for instruction in (
        (LOAD, 0, 0, 0),
        (JUMP_IF_EQUAL, 0, 1, NUMBER_OF_PERSONALITY),
        (RETURN, 0, 0, REFUSED),
        (RETURN, 0, 0, ALLOWED),
    )
)


class Program(ctypes.Structure):
    _fields_ = (("length", ctypes.c_ushort), ("filter", ctypes.c_void_p))


code = ctypes.create_string_buffer(FILTER)
program = Program(4, ctypes.addressof(code))
libc = ctypes.CDLL(None, use_errno=True)
libc.prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0)
if libc.prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, ctypes.byref(program), 0, 0) != 0:
    sys.exit(f"no seccomp here: {os.strerror(ctypes.get_errno())}")
os.execv(sys.argv[1], sys.argv[1:])
