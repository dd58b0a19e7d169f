# At stake: the line of every instruction of some thousand functions of the standard library, as Python itself has it.
import asyncio
import difflib
import inspect
import json.decoder
import sys
import types
import typing
import unittest

import probe

MODULES = (asyncio.base_events, difflib, inspect, json.decoder, types, typing, unittest.case)


def codes_of(code):
    yield code
    for constant in code.co_consts:
        if isinstance(constant, types.CodeType):
            yield from codes_of(constant)


class Lines(unittest.TestCase):
    def test_are_those_that_python_tells(self):
        codes = 0
        units = 0
        for module in MODULES:
            with open(module.__file__, encoding="utf-8") as file:
                top = compile(file.read(), module.__file__, "exec")
            for code in codes_of(top):
                wanted = [line if line is not None else -1 for line in probe.lines_of_units(code)]
                table = code.co_linetable if hasattr(code, "co_linetable") else code.co_lnotab
                found = [
                    probe.with_gil.frame_probe_line_at(code.co_firstlineno, table, len(table), 2 * unit)
                    for unit in range(len(wanted))
                ]
                self.assertEqual(found, wanted, code)
                codes += 1
                units += len(wanted)
        print(f"{codes} code objects, {units} code units")
        self.assertGreater(codes, 300)


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
