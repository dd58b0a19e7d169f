# At stake: one stray instruction in a timed loop of 20 ns is 1 % of every small number that tare reports.
# So the loops are read instruction by instruction, on whichever CPython runs the tests.
import dis
import gc
import unittest
import weakref

from tare import _session, placement
from tare.statement import Statement
from tests.suite_folder import load_expression

# What a loop over nothing consists of, in all CPythons from 3.9 to 3.14 (END_FOR and POP_ITER end it, outside).
# 3.13 joins the store of the pass and the statement's first load into one.
LOOP_OPCODES = {"FOR_ITER", "STORE_FAST", "JUMP_BACKWARD", "JUMP_ABSOLUTE", "EXTENDED_ARG", "NOT_TAKEN"}
LOOP_OPCODES.add("STORE_FAST_LOAD_FAST")


def inner(entry):
    """The generated loop behind a trampoline."""
    return entry.__globals__["inner"]


def loop_body(function):
    """The instructions from FOR_ITER to the jump back."""
    instructions = list(dis.get_instructions(function))
    names = [i.opname for i in instructions]
    begin = names.index("FOR_ITER")
    end = max(place for place, name in enumerate(names) if name in ("JUMP_BACKWARD", "JUMP_ABSOLUTE"))
    return instructions[begin : end + 1]


def prepared(statement, setup="", unroll=10, seed=1):
    answer = load_expression(statement, setup)
    assert not answer["problems"], answer["problems"]
    return _session.prepare(answer["cases"][0]["name"], seed, unroll)


class Clock:
    """One item and then none, as the worker's clock; notes what is in `world` at the beginning and end of each."""

    def __init__(self, world):
        self.world = world
        self.seen = []
        self.running = False

    def __iter__(self):
        return self

    def __next__(self):
        self.seen.append(list(self.world))
        self.running = not self.running
        if not self.running:
            raise StopIteration


class AStatementTimedAlone(unittest.TestCase):
    def prepared(self, statement, setup, each):
        answer = _session.load([], {"statement": statement, "setup": setup, "each": each})
        self.assertEqual(answer["problems"], [])
        return answer["cases"][0]

    def test_has_its_set_up_before_the_clock_and_itself_within(self):
        case = self.prepared("l.sort()", "l = []", "l[:] = [3, 1, 2]")
        self.assertEqual(case["rungs"], ["python", "floor"])
        made = _session.prepare(case["name"], 1, 8, ["python", "floor"], True, Clock([]))
        clock = made._arguments[-1]
        clock.world = made.operands["l"]
        self.assertEqual((made.unroll, made.shorter), (1, []))
        made.batch(2)
        self.assertEqual(clock.seen, 2 * [[3, 1, 2], [1, 2, 3]])
        clock.seen.clear()
        made.floor(1)
        self.assertEqual(clock.seen, 2 * [[3, 1, 2]])

    def test_is_stepped_by_the_execution(self):
        case = self.prepared("l.sort()", "l = []", "l[:] = [3, 1, 2]")
        made = _session.prepare(case["name"], 1, 1)
        clock = Clock(made.operands["l"])
        Clock.done = property(lambda self: len(self.seen) == 6)
        self.addCleanup(delattr, Clock, "done")
        made.passes_over("statement")(clock)
        self.assertEqual(clock.seen, 3 * [[3, 1, 2], [1, 2, 3]])

    def test_reads_what_the_set_ups_assign_and_nothing_else(self):
        self.assertEqual(Statement("m.sort()", "m = l[:]").free_names(), {"l"})
        self.assertEqual(Statement("m = l + n", "n = m").free_names(), {"l", "m"})
        self.assertEqual(Statement("m.sort()", "pass").free_names(), {"m"})
        self.assertFalse(Statement("m.sort()").timed_alone)

    def test_is_described_with_what_runs_before(self):
        self.assertEqual(Statement("m.sort()", "m = \\\n  l[:]").description, "m.sort()  # each after: m = \\ l[:]")
        self.assertEqual(Statement("m.sort()").description, "m.sort()")

    def test_refuses_a_set_up_that_is_no_code_or_leaves_the_loop(self):
        for each in ("m = ", "return", "break", "# nothing"):
            answer = _session.load([], {"statement": "1 + x", "setup": "x = 1", "each": each})
            self.assertIn("SyntaxError", answer["problems"][0]["error"])


class TheTimedLoop(unittest.TestCase):
    def test_holds_the_statement_unroll_times_and_nothing_else(self):
        for unroll in (1, 10):
            body = loop_body(inner(prepared("x + y", "x = 1.5; y = 2.5", unroll).batch))
            work = [i.opname for i in body if i.opname not in LOOP_OPCODES]
            adds = [name for name in work if name.startswith("BINARY_")]
            self.assertEqual(len(adds), unroll)
            self.assertEqual(work.count("POP_TOP"), unroll)
            rest = [n for n in work if not (n.startswith(("BINARY_", "LOAD_FAST")) or n in ("POP_TOP", "CACHE"))]
            self.assertEqual(rest, [])

    def test_reads_operands_as_fast_locals(self):
        body = loop_body(inner(prepared("x + y", "x = 1.5; y = 2.5").batch))
        self.assertFalse([i.opname for i in body if i.opname.startswith(("LOAD_GLOBAL", "LOAD_DEREF", "LOAD_NAME"))])

    def test_is_empty_for_the_floor(self):
        for unroll in (1, 10):
            body = loop_body(inner(prepared("x + y", "x = 1.5; y = 2.5", unroll).floor))
            self.assertEqual({i.opname for i in body} - (LOOP_OPCODES - {"STORE_FAST_LOAD_FAST"}) - {"CACHE"}, set())
            self.assertEqual(sum(i.opname == "FOR_ITER" for i in body), 1)

    def test_comes_alone_where_no_other_rung_is_asked_for(self):
        answer = load_expression("f(g())", "seen = []; f = lambda x: x; g = lambda: seen.append(None)")
        name = answer["cases"][0]["name"]
        alone = _session.prepare(name, 1, 3, ["python"])
        self.assertEqual([alone.floor, alone.call, alone.native, alone.cpp], [None] * 4)
        self.assertEqual(alone.operands["seen"], [], "the call rung evaluates the inner expressions")
        alone.batch(2)
        self.assertEqual(len(alone.operands["seen"]), 6)
        some = _session.prepare(name, 1, 3, ["python", "floor"])
        self.assertIsNone(some.floor(2))
        self.assertIsNone(some.call)
        self.assertIsNotNone(_session.prepare(name, 1, 3).call)

    def test_has_loops_of_fewer_copies_beside_it_where_its_line_is_asked_for(self):
        answer = load_expression("seen.append(None)", "seen = []")
        name = answer["cases"][0]["name"]
        self.assertEqual(_session.prepare(name, 1, 8).shorter, [])
        made = _session.prepare(name, 1, 8, ["python"], True)
        counts = []
        for loop in (*made.shorter, made.batch):
            made.operands["seen"].clear()
            loop(3)
            counts.append(len(made.operands["seen"]))
        self.assertEqual(counts, [3 * copies for copies in (2, 4, 8)])

    def test_executes_unroll_times_passes(self):
        counted = prepared("calls.append(None)", "calls = []", unroll=7)
        counted.batch(3)
        self.assertEqual(len(counted.operands["calls"]), 21)

    def test_hands_an_exception_on(self):
        with self.assertRaises(ZeroDivisionError):
            prepared("x / 0", "x = 1.0").batch(1)


class StatementForms(unittest.TestCase):
    def test_a_compound_statement_of_several_lines(self):
        seen = prepared("for e in v:\n    if e > 1:\n        out.append(e)", "v = [1, 2]; out = []", unroll=3)
        seen.batch(2)
        self.assertEqual(seen.operands["out"], [2] * 6)

    def test_an_assignment_and_an_augmented_one_write_to_the_operand(self):
        for statement in ("v[0] = 5", "v[0] += 1"):
            done = prepared(statement, "v = [4]", unroll=1)
            done.batch(1)
            self.assertEqual(done.operands["v"], [5])

    def test_an_operand_may_be_assigned_without_changing_the_next_batch(self):
        grown = prepared("x += 1.0", "x = 1.5")
        grown.batch(100)
        self.assertEqual(grown.operands["x"], 1.5)

    def test_comprehensions_and_lambdas_see_the_operands(self):
        prepared("out.append([e + k for e in v] == (lambda: [v[0] + k])())", "v = [1]; k = 2; out = []").batch(1)

    def test_del_and_with(self):
        prepared("with c:\n    pass", "import contextlib\nc = contextlib.suppress()").batch(2)
        held = prepared("del d['k']", "d = {'k': 1}", unroll=1)
        held.batch(1)
        self.assertEqual(held.operands["d"], {})

    def test_what_is_no_statement_on_its_own_is_a_problem(self):
        for text in ("return x", "yield x", "break", "x +", "", "await x"):
            with self.subTest(text):
                problems = load_expression(text, "x = 1")["problems"]
                self.assertEqual(len(problems), 1)
                self.assertIn("SyntaxError", problems[0]["error"])
                self.assertNotIn("<unknown>", problems[0]["error"])

    def test_an_unknown_name_is_named(self):
        load_expression("x + nowhere", "x = 1")
        with self.assertRaisesRegex(ValueError, "does not assign 'nowhere', only x"):
            _session.prepare("x + nowhere", 1, 1)


class TheOutermostCall(unittest.TestCase):
    SETUP = "import math\nx = 6; y = 4; v = [3, 1, 2]; d = {'a': 1}; f = max; z = 1j"

    def call(self, statement):
        answer = load_expression(statement, self.SETUP)
        made = _session.prepare(answer["cases"][0]["name"], 1, 1)
        self.assertEqual(made.call is None, made.call_problem is not None)
        no_call = "the statement has no single outermost call"
        self.assertEqual("call" in answer["cases"][0]["rungs"], made.call_problem != no_call)
        return made.call_problem or made.call

    def test_operators(self):
        names = {"+": "add", "-": "subtract", "*": "multiply", "/": "true_divide", "//": "floor_divide"}
        names.update({"%": "remainder", "**": "power", "<<": "lshift", ">>": "rshift", "@": "matmul"})
        names.update({"&": "and", "^": "xor", "|": "or"})
        for operator, name in names.items():
            if operator != "@":
                self.assertEqual(self.call(f"x {operator} y"), ("binary", name, 6, 4))
                self.assertEqual(self.call(f"x {operator}= y"), ("inplace", name, 6, 4))
        self.assertEqual(self.call("-x"), ("unary", "negative", 6))
        self.assertEqual(self.call("+x"), ("unary", "positive", 6))
        self.assertEqual(self.call("~x"), ("unary", "invert", 6))
        for operator in ("<", "<=", "==", "!=", ">", ">="):
            self.assertEqual(self.call(f"x {operator} y"), ("compare", operator, 6, 4))

    def test_inner_expressions_are_evaluated_once(self):
        self.assertEqual(self.call("(x + y) * (x - y)"), ("binary", "multiply", 10, 2))

    def test_subscripts_and_attributes(self):
        self.assertEqual(self.call("v[1]"), ("getitem", [3, 1, 2], 1))
        self.assertEqual(self.call("v[1:-1]"), ("getitem", [3, 1, 2], slice(1, -1, None)))
        self.assertEqual(self.call("v[::2]"), ("getitem", [3, 1, 2], slice(None, None, 2)))
        self.assertEqual(self.call("{(x, ...): 1}[x, ...]"), ("getitem", {(6, ...): 1}, (6, ...)))
        self.assertEqual(self.call("d['a'] = x + y"), ("setitem", {"a": 1}, "a", 10))
        self.assertEqual(self.call("z.imag"), ("getattr", 1j, "imag"))

    def test_calls(self):
        self.assertEqual(self.call("f(x, y, key=abs)"), ("vectorcall", max, (6, 4), {"key": abs}))
        self.assertEqual(self.call("v.index(1, 0)"), ("method", [3, 1, 2], "index", (1, 0), {}))
        self.assertEqual(self.call("math.sqrt(y)")[0], "vectorcall")
        self.assertEqual(self.call("r = x + y"), ("binary", "add", 6, 4))

    def test_none_where_no_single_call_does_it(self):
        statements = ("x < y < 9", "x in v", "not x", "x and y", "f(*v)", "f(x, **d)", "v[0] += 1", "x; y", "x")
        for statement in (*statements, "for e in v:\n    e"):
            with self.subTest(statement):
                self.assertEqual(self.call(statement), "the statement has no single outermost call")

    def test_none_that_would_meet_what_the_call_before_has_left(self):
        for statement in ("[3, 1, 2].pop()", "list(v).sort()", "{3}.pop()", "list(v)[0].real.hex()"):
            with self.subTest(statement):
                self.assertRegex(self.call(statement), r"makes the object of \.\w+\(\) anew")
        for statement in ("f(iter(v))", "f(x for x in v)", "f(0, key=iter(v))", "iter(v) + x"):
            with self.subTest(statement):
                self.assertRegex(self.call(statement), "makes an iterator anew")
        self.assertRegex(self.call("f(next(iter([])))"), "its operands, evaluated once: StopIteration")
        self.assertEqual(self.call("v[0].bit_length()"), ("method", 3, "bit_length", (), {}))
        self.assertEqual(self.call("(x + y).bit_length()"), ("method", 10, "bit_length", (), {}))
        self.assertEqual(self.call("'a'.upper()"), ("method", "a", "upper", (), {}))
        self.assertEqual(self.call("f([3], v)"), ("vectorcall", max, ([3], [3, 1, 2]), {}))


class AnExpression(unittest.TestCase):
    def test_that_compiles_to_nothing_is_a_problem(self):
        for text in ("1.5 + 2.5", "1", "'words'", "pass", "(1, 2)", "-1 ** 2; 3"):
            with self.subTest(text):
                (problem,) = load_expression(text, "")["problems"]
                self.assertIn("no instruction at all: give its operands names", problem["error"])
        for text in ("x", "[1, 2]", "{}", "f()", "x = 1", "1; x", "for i in 1, 2: pass", "with a: pass", "del x"):
            with self.subTest(text):
                self.assertEqual(load_expression(text, "")["problems"], [])


class APlacement(unittest.TestCase):
    def test_makes_new_operands_code_and_junk_each_time(self):
        one, two = prepared("v.count(1)", "v = [1]", seed=1), _session.prepare("v.count(1)", 2, 10)
        self.assertIsNot(one.operands["v"], two.operands["v"])
        self.assertIsNot(inner(one.batch).__code__, inner(two.batch).__code__)
        self.assertTrue(one._junk)

    def test_shifts_the_frame_by_a_number_of_locals_that_the_seed_decides(self):
        load_expression("x + 1", "x = 1")
        sizes = {seed: _session.prepare("x + 1", seed, 1).batch.__code__.co_nlocals for seed in range(40)}
        self.assertGreater(len(set(sizes.values())), 15)
        self.assertEqual(sizes[7], _session.prepare("x + 1", 7, 1).batch.__code__.co_nlocals)

    def test_dummy_locals_cost_no_time(self):
        def executed(dummies):
            return len(placement._trampoline_code(dummies, "repeat(None, m)").co_code)

        self.assertEqual(executed(63), executed(0))

    def test_runs_its_loops_over_an_iterator_too(self):
        for loop, executions in (("statement", 3), ("floor", 0)):
            made = prepared("seen.append(x)", "seen = []; x = 1", unroll=1)
            over = made.passes_over(loop)
            self.assertIsNot(inner(over).__code__, inner(made.batch).__code__)  # one that nothing has specialised
            self.assertEqual(over.__code__.co_nlocals, made.batch.__code__.co_nlocals)
            over(iter(range(3)))
            self.assertEqual(made.operands["seen"], [1] * executions)
        with self.assertRaisesRegex(ValueError, "not 'call'"):
            made.passes_over("call")

    def test_batch_and_floor_share_the_shape_of_the_trampoline(self):
        made = prepared("x + 1", "x = 1")
        self.assertIs(made.batch.__code__, made.floor.__code__)
        self.assertEqual(inner(made.batch).__code__.co_varnames, inner(made.floor).__code__.co_varnames)

    def test_is_freed_without_the_collector(self):
        made = prepared("v.add(1)", "v = set()")
        seen = weakref.ref(made.operands["v"])
        gc.disable()
        try:
            made.batch(1)
            del made
            self.assertIsNone(seen())
        finally:
            gc.enable()

    def test_refuses_unknown_cases_and_unrolls(self):
        load_expression("x + 1", "x = 1")
        for name, unroll in (("nothing", 1), ("x + 1", 0)):
            with self.assertRaises(ValueError):
                _session.prepare(name, 1, unroll)


if __name__ == "__main__":
    unittest.main()
