# What users call from Python: tare.run, tare.duet, tare.explain, tare.load, tare.history. `tare` imports it when one of
# them is first asked for; suites and workers never do. Standard library only; what else is there is used: see table.py.
