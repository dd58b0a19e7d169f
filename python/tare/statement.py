# A statement's text turned into code: the timed loop, the outermost call, the value to verify.
# Code is compiled once and kept as marshal bytes: loading those (about 1 us) gives a code object at a new place in
# memory that CPython has not specialised yet, which is what a fresh placement needs.
from __future__ import annotations

import ast
import builtins
import dis
import functools
import marshal
from collections.abc import Callable, Iterator
from types import CodeType, FunctionType, ModuleType
from typing import Any

Names = dict[str, Any]

STATEMENT_FILE = "<statement>"
EACH_FILE = "<set-up of each>"
PASSES = "_tare_passes"
CLOCK = "_tare_clock"
KEY = "_tare_key"
_BINARY = {
    ast.Add: "add",
    ast.Sub: "subtract",
    ast.Mult: "multiply",
    ast.MatMult: "matmul",
    ast.Div: "true_divide",
    ast.FloorDiv: "floor_divide",
    ast.Mod: "remainder",
    ast.Pow: "power",
    ast.LShift: "lshift",
    ast.RShift: "rshift",
    ast.BitAnd: "and",
    ast.BitXor: "xor",
    ast.BitOr: "or",
}
_UNARY = {ast.USub: "negative", ast.UAdd: "positive", ast.Invert: "invert"}
_OPERATORS = (ast.BinOp, ast.UnaryOp, ast.Compare)  # their values are numbers and arrays
_COMPARE = {ast.Lt: "<", ast.LtE: "<=", ast.Eq: "==", ast.NotEq: "!=", ast.Gt: ">", ast.GtE: ">="}


class NoCall(Exception):
    """Why a statement has no call rung."""


class _KeyOf:
    """`_KeyOf()[1:2, ...]` is the key itself: slices are no expressions outside a subscript."""

    def __getitem__(self, key: object) -> object:
        return key


class Statement:
    """Parsed once per text. Errors: SyntaxError, also for `return`, `yield` or `break` outside of their place.

    `each`: code that runs before each execution, whose names the statement may use. The statement is then timed alone:
    it stands in a loop over a clock, an iterator that gives one item, and then none, for each execution.
    """

    def __init__(self, text: str, each: str = ""):
        self.text = text
        self.each = each
        self.body = ast.parse(text, STATEMENT_FILE).body
        if not self.body:
            raise SyntaxError("the statement is empty")
        self._each = ast.parse(each, EACH_FILE).body
        if each and not self._each:
            raise SyntaxError("the set-up of each execution is empty", (EACH_FILE, 1, 1, each))
        for code, name in ((text, STATEMENT_FILE), (each, EACH_FILE)):
            compile(code, name, "exec")  # our generated function would allow a `return`
        self.timed_alone = bool(self._each)
        self.outermost = _outermost(self.body[0]) if len(self.body) == 1 and not self.timed_alone else None
        self._functions: dict[tuple[object, ...], bytes] = {}

    @property
    def description(self) -> str:
        """The text, and what runs before each execution."""
        return f"{self.text}  # each after: {' '.join(self.each.split())}" if self.timed_alone else self.text

    def is_nothing(self) -> bool:
        """No instruction is left of it: CPython drops constants, and folds operators upon them before."""
        if any(isinstance(node, (ast.Name, ast.Call)) for tree in self.body for node in ast.walk(tree)):
            return False  # what has a name is looked up
        return _instructions(_loop([], self.body)) == _instructions(_loop([], [ast.Pass()]))

    def free_names(self) -> set[str]:
        """Names that the code reads and nothing in it binds before: operands, globals or builtins."""
        read, bound = names_of(self.body)
        read_before, bound_before = names_of(self._each)
        return (read - bound - bound_before) | (read_before - bound_before)

    def unknown_names(self, operands: Names, module_globals: Names) -> list[str]:
        known = vars(builtins)
        return sorted(n for n in self.free_names() if not (n in operands or n in module_globals or n in known))

    def loop(self, operands: Names, module_globals: Names, unroll: int) -> FunctionType:
        """`batch(passes, *operands)`: for each pass the statement `unroll` times, operands as fast locals.

        One that is timed alone: `batch(passes, *operands, clock)`, once a pass.
        """
        if self.timed_alone:
            return self._alone("alone", operands, module_globals, self.body)
        return self._function((unroll, *operands), module_globals, lambda: _loop(operands, self.body * unroll))

    def floor(self, operands: Names, module_globals: Names) -> FunctionType:
        """The same loop over nothing. `pass` compiles to nothing, however often it is written."""
        if self.timed_alone:
            return self._alone("floor", operands, module_globals, [ast.Pass()])
        return self._function(("floor", *operands), module_globals, lambda: _loop(operands, [ast.Pass()]))

    def call(self, operands: Names, module_globals: Names) -> tuple[Any, ...]:
        """The outermost call with its inner expressions evaluated once, for the C API.

        Errors: NoCall where there is none that does the same each time; whatever an inner expression raises.
        """
        if self.outermost is None:
            raise NoCall("the statement has no single outermost call")
        kind, fixed, parts = self.outermost
        if kind == "method" and not _outlasts(parts[0]) and not isinstance(parts[0], _OPERATORS):
            raise NoCall(f"each execution makes the object of .{fixed}() anew, and the call may change it")
        function = self._function(
            ("call", *operands), module_globals, lambda: _function([KEY, *operands], [_return_tuple(parts)])
        )
        values = function(_KeyOf(), *operands.values())
        if any(_is_used_up(part, value) for part, value in zip(parts, values, strict=True)):
            raise NoCall("each execution makes an iterator anew, and the call uses it up")
        if kind == "method" and isinstance(values[0], ModuleType):  # np.add(x, y): the attribute of a module
            return ("vectorcall", getattr(values[0], fixed), *values[1:])
        if kind in ("method", "getattr"):
            return (kind, values[0], fixed, *values[1:])
        return (kind, *((fixed,) if fixed else ()), *values)

    def value(self, operands: Names, module_globals: Names) -> Any:
        """Executes the statement once and returns its value: of the expression, or of the assignment's target.

        Errors: ValueError for a statement that has neither.
        """
        parts = self._value_of_last()
        if parts is None:
            raise ValueError(f"{self.text!r} has no value to verify")
        returned, before = parts
        function = self._function(
            ("value", *operands), module_globals, lambda: _function(operands, [*before, ast.Return(returned)])
        )
        return function(*operands.values())

    def executions(self, operands: Names, module_globals: Names) -> FunctionType:
        """`f(*operands)`: an iterator that executes the statement once for each item, which is its value, or None where
        it has none that can be had without executing more. Names that it binds stay bound, as in a batch.
        """
        returned, before = self._value_of_last() or (ast.Constant(None), self.body)
        if before is self.body and not isinstance(returned, ast.Name):  # a[f()] = 1 has f() in its target
            returned = ast.Constant(None)

        def build() -> ast.Module:
            forever = ast.parse("while True: pass").body[0]
            assert isinstance(forever, ast.While)
            forever.body = [*before, ast.Expr(ast.Yield(returned))]
            return _function(operands, [forever])

        return self._function(("executions", *operands), module_globals, build)

    def _value_of_last(self) -> tuple[ast.expr, list[ast.stmt]] | None:
        """The expression that is the statement's value, and what is executed before it; None where it has none."""
        last = self.body[-1]
        if isinstance(last, ast.Expr):
            return last.value, self.body[:-1]
        if isinstance(last, (ast.Assign, ast.AugAssign)):
            return _as_load(last.targets[0] if isinstance(last, ast.Assign) else last.target), self.body
        return None

    def _alone(self, key: str, operands: Names, module_globals: Names, body: list[ast.stmt]) -> FunctionType:
        def build() -> ast.Module:
            execution = _over(CLOCK, "_tare_execution", body)
            return _function([PASSES, *operands, CLOCK], [_over(PASSES, "_tare_pass", [*self._each, execution])])

        return self._function((key, *operands), module_globals, build)

    def forget(self) -> None:
        """Drops the code compiled so far."""
        self._functions.clear()

    def _function(
        self, key: tuple[object, ...], module_globals: Names, build: Callable[[], ast.Module]
    ) -> FunctionType:
        code = self._functions.get(key)
        if code is None:
            module = compile(ast.fix_missing_locations(build()), "<tare>", "exec")
            code = marshal.dumps(next(c for c in module.co_consts if isinstance(c, CodeType)))
            self._functions[key] = code
        return FunctionType(marshal.loads(code), module_globals)


def evaluate(text: str, operands: Names, module_globals: Names) -> Any:
    """An operand expression of a spec, such as `x` or `A.T`."""
    try:
        return operands[text]
    except KeyError:
        return eval(_expression_code(text), module_globals, operands)


@functools.cache
def _expression_code(text: str) -> CodeType:
    return compile(text, "<operand>", "eval")


def _function(parameters: Any, body: list[ast.stmt]) -> ast.Module:
    tree = ast.parse("def batch(): pass")
    function = tree.body[0]
    assert isinstance(function, ast.FunctionDef)
    function.args.args = [ast.arg(name) for name in parameters]
    function.body = body
    return tree


def _loop(operands: Any, body: list[ast.stmt]) -> ast.Module:
    return _function([PASSES, *operands], [_over(PASSES, "_tare_pass", body)])


def _over(iterator: str, target: str, body: list[ast.stmt]) -> ast.For:
    loop = ast.parse(f"for {target} in {iterator}: pass").body[0]
    assert isinstance(loop, ast.For)
    loop.body = body
    return loop


def names_of(body: list[ast.stmt]) -> tuple[set[str], set[str]]:
    """Names that the code reads, and those that it binds anywhere."""
    read: set[str] = set()
    bound: set[str] = set()
    for tree in body:
        for node in ast.walk(tree):
            if isinstance(node, ast.Name):
                # The target of `x += y` has to exist before: it counts as read.
                (read if isinstance(node.ctx, (ast.Load, ast.Del)) else bound).add(node.id)
            elif isinstance(node, ast.arg):
                bound.add(node.arg)
            elif isinstance(node, ast.alias):
                bound.add((node.asname or node.name).partition(".")[0])
            elif isinstance(node, (ast.FunctionDef, ast.ClassDef, ast.ExceptHandler)) and node.name:
                bound.add(node.name)
    for tree in body:
        if isinstance(tree, ast.AugAssign) and isinstance(tree.target, ast.Name):
            read.add(tree.target.id)
            bound.discard(tree.target.id)
    return read, bound


def _instructions(tree: ast.Module) -> list[str]:
    module = compile(ast.fix_missing_locations(tree), "<tare>", "exec")
    code = next(c for c in module.co_consts if isinstance(c, CodeType))
    return [each.opname for each in dis.get_instructions(code) if each.opname != "NOP"]


def _outlasts(node: ast.expr) -> bool:
    """The expression's value is there before an execution and after it."""
    while isinstance(node, (ast.Attribute, ast.Subscript)):
        node = node.value
    return isinstance(node, (ast.Name, ast.Constant))


def _is_used_up(node: ast.expr, value: Any) -> bool:
    if isinstance(node, ast.Tuple):
        return any(_is_used_up(part, each) for part, each in zip(node.elts, value, strict=True))
    if isinstance(node, ast.Dict):
        return any(_is_used_up(part, each) for part, each in zip(node.values, value.values(), strict=True))
    return isinstance(value, Iterator) and not _outlasts(node)


def _return_tuple(parts: list[ast.expr]) -> ast.Return:
    return ast.Return(ast.Tuple(list(parts), ast.Load()))


def _as_load(target: ast.expr) -> ast.expr:
    return ast.parse(ast.unparse(target), mode="eval").body


def _key(node: ast.Subscript) -> ast.expr:
    return ast.Subscript(ast.Name(KEY, ast.Load()), node.slice, ast.Load())


def _outermost(node: ast.stmt) -> tuple[str, str, list[ast.expr]] | None:
    """(kind, operator or attribute, expressions to evaluate once), or None where no single C API call does it."""
    if isinstance(node, ast.AugAssign) and isinstance(node.target, ast.Name):
        return "inplace", _BINARY[type(node.op)], [ast.Name(node.target.id, ast.Load()), node.value]
    if isinstance(node, ast.Assign) and len(node.targets) == 1:
        target = node.targets[0]
        if isinstance(target, ast.Subscript):
            return "setitem", "", [target.value, _key(target), node.value]
        return _outermost_expression(node.value) if isinstance(target, ast.Name) else None
    return _outermost_expression(node.value) if isinstance(node, ast.Expr) else None


def _outermost_expression(node: ast.expr) -> tuple[str, str, list[ast.expr]] | None:
    if isinstance(node, ast.BinOp):
        return "binary", _BINARY[type(node.op)], [node.left, node.right]
    if isinstance(node, ast.UnaryOp) and type(node.op) in _UNARY:
        return "unary", _UNARY[type(node.op)], [node.operand]
    if isinstance(node, ast.Compare) and len(node.ops) == 1 and type(node.ops[0]) in _COMPARE:
        return "compare", _COMPARE[type(node.ops[0])], [node.left, node.comparators[0]]
    if isinstance(node, ast.Subscript):
        return "getitem", "", [node.value, _key(node)]
    if isinstance(node, ast.Attribute):
        return "getattr", node.attr, [node.value]
    if isinstance(node, ast.Call):
        if any(isinstance(a, ast.Starred) for a in node.args) or any(k.arg is None for k in node.keywords):
            return None
        names: list[ast.expr | None] = [ast.Constant(k.arg) for k in node.keywords]
        arguments = [ast.Tuple(node.args, ast.Load()), ast.Dict(names, [k.value for k in node.keywords])]
        if isinstance(node.func, ast.Attribute):
            return "method", node.func.attr, [node.func.value, *arguments]
        return "vectorcall", "", [node.func, *arguments]
    return None
