# Operations that misbehave in every way a benchmark can, and two healthy ones between which they run.
# Each must cost itself alone. Misbehaviour starts only after the first executions where it says "late".
import ctypes
import os
import sys
import threading
import time

import numpy as np

from tare import operation, over


class Late:
    """Counts calls; from the 5,000th on it misbehaves: in the middle of the measured batches, not in the set-up."""

    calls = 0

    def __init__(self, act):
        self.act = act

    def __call__(self):
        Late.calls += 1
        if Late.calls > 5000:
            self.act()


@operation("x + y", over(n=(1, 8)))
def healthy_add(n):
    return {"x": np.ones(n), "y": np.ones(n)}


@operation("x * 2.0")
def healthy_scale():
    return {"x": np.ones(8)}


@operation("1 / x")
def raises():
    return {"x": 0}


@operation("x + 1")
def raises_in_setup():
    raise RuntimeError("no operands today")


def _divide_by_zero():
    return 1 / 0


@operation("f()")
def raises_late():
    return {"f": Late(_divide_by_zero)}


@operation("f()")
def crashes():
    return {"f": lambda: ctypes.string_at(0)}


@operation("f()")
def crashes_late():
    return {"f": Late(lambda: ctypes.string_at(0))}


@operation("f()")
def aborts():
    return {"f": os.abort}


@operation("f()")
def hangs():
    return {"f": lambda: time.sleep(3600)}


@operation("f()")
def calls_sys_exit():
    return {"f": lambda: sys.exit(3)}


@operation("f()")
def calls_os_exit():
    return {"f": lambda: os._exit(0)}


@operation("f()")
def prints():
    return {"f": lambda: print("hello from a benchmark")}


@operation("f()")
def closes_descriptors():
    return {"f": lambda: os.closerange(0, 256)}


@operation("f()")
def changes_seterr():
    return {"f": lambda: np.seterr(all="ignore")}


@operation("f()")
def changes_directory():
    return {"f": lambda: os.chdir("/")}


@operation("f()")
def recurses():
    def f():
        return f()

    return {"f": f}


@operation("f()")
def kills_its_process_group():
    return {"f": lambda: os.killpg(os.getpgrp(), 9)}


@operation("f()")
def forks_and_leaves():
    def f():
        if os.fork() == 0:
            time.sleep(3600)  # a child that keeps every descriptor open
        os._exit(7)

    return {"f": f}


@operation("f()")
def hangs_outside_python():
    lock = threading.Lock()
    lock.acquire()
    return {"f": lock.acquire}


@operation("f()")
def writes_to_descriptor_1():
    return {"f": lambda: os.write(1, b"raw")}


@operation("x + nowhere")
def uses_an_unknown_name():
    return {"x": 1}


@operation("x")
def returns_no_dict():
    return [1]


@operation("f()")
def says_goodbye():
    def f():
        sys.stderr.write("goodbye\n")
        sys.stderr.flush()
        os._exit(9)

    return {"f": f}


@operation("f()")
def forks_late():
    """Once: the child returns, and would answer on the worker's channel."""

    def fork_once():
        if Late.calls == 5001:
            os.fork()

    return {"f": Late(fork_once)}


@operation("f()")
def leaves_a_thread():
    def f():
        if threading.active_count() == 1:
            threading.Thread(target=time.sleep, args=(3600,), daemon=True).start()

    return {"f": f}


@operation("f()")
def changes_affinity():
    everywhere = range(os.sysconf("SC_NPROCESSORS_CONF"))  # not as many as are online: numbers may have holes
    return {"f": lambda: os.sched_setaffinity(0, everywhere)}


@operation("x + x")
def healthy_though_its_set_up_prints():
    print("setting up", flush=True)
    return {"x": 1.0}
