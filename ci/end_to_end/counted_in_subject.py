# Runs under callgrind, in the subject's own executable: a statement PASSES times in the loop that tare steps one pass
# of, after everything was imported. Two runs with different PASSES differ by that many executions. HOLES: how many
# objects of each small size are made, of which every other one is dropped: where pymalloc has one free block left, a
# call takes it and gives it back, and pays for a full pool each time.
import sys
from itertools import repeat

statement, setup, passes, holes = sys.argv[1], sys.argv[2], int(sys.argv[3]), int(sys.argv[4])
names: dict[str, object] = {}
exec(setup, names)
kept: list[object] = []
for size in range(1, 480, 16):
    kept += [value for count in range(holes) for value in (count + 0.5, bytes(size))]  # a float: 24 bytes
del kept[::4], kept[::3]
operands = [name for name in names if not name.startswith("__") and name != "np"]
arguments = "".join(f", {name}" for name in operands)
exec(f"def batch(passes{arguments}):\n    for _ in passes:\n        {statement}\n", names)
batch = names["batch"]
assert callable(batch)
batch(repeat(None, passes), *(names[name] for name in operands))
