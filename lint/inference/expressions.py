"""Reads expressions: each becomes a value, and what happens on the way is written down as operations."""

from __future__ import annotations

import ast
from collections.abc import Callable
from typing import Any

from . import narrowing
from .access import attribute
from .frequency import Region
from .lattice import GPU, Device
from .names import builtin
from .operations import Convert, Index, Truth
from .recorder import Recorder
from .scope import Names, forget
from .tensors import binary, device_named, element, index, unary
from .values import (
    NONE,
    UNKNOWN,
    Batch,
    Class,
    Deferred,
    DeviceRef,
    Function,
    Host,
    Instance,
    Module,
    Sequence,
    Tensor,
    Value,
    defer,
    join,
    join_all,
    options_of,
)

OPERATORS: dict[type[ast.operator], str] = {
    ast.Add: "+", ast.Sub: "-", ast.Mult: "*", ast.Div: "/", ast.FloorDiv: "//", ast.Mod: "%", ast.Pow: "**",
    ast.MatMult: "@", ast.BitAnd: "&", ast.BitOr: "|", ast.BitXor: "^", ast.LShift: "<<", ast.RShift: ">>",
}  # fmt: skip
UNARY: dict[type[ast.unaryop], str] = {ast.USub: "-", ast.UAdd: "+", ast.Invert: "~"}
COMPARE: dict[type[ast.cmpop], str] = {
    ast.Lt: "<", ast.LtE: "<=", ast.Gt: ">", ast.GtE: ">=", ast.Eq: "==", ast.NotEq: "!=",
}  # fmt: skip
MOST_ITEMS = 64
MOST_KEY = 40


class Expressions:
    """The part of the interpreter that evaluates expressions in the current environment and region."""

    recorder: Recorder
    env: Names
    closure: tuple[Names, ...]
    region: Region
    statement: ast.stmt
    scope: str
    has_paths: bool

    def eval(self, node: ast.expr) -> Value:
        """The value of an expression."""
        evaluate = EVALUATORS.get(type(node))
        return evaluate(self, node) if evaluate else UNKNOWN

    def emit(self, kind: Any, node: ast.expr, **operands: Any) -> None:
        """Note an operation at this place."""
        self.recorder.emit(kind, node, self.statement, self.region, self.scope, **operands)

    # -- names ---------------------------------------------------------------------------------------------------------

    def lookup(self, name: str) -> Value:
        """The value of a name: of the function, of the functions around it, of the module, of a star import, builtin."""
        value = self.env.get(name)
        if value is not None:
            return value
        for names in self.closure:
            if (value := names.get(name)) is not None:
                return value
        if (value := builtin(name)) is not UNKNOWN:
            return value
        for names in self.closure:
            if (star := names.get("*")) is not None:
                return attribute(star, name)
        return self.recorder.same(defer("name", name))

    def name(self, node: ast.Name) -> Value:
        return self.gpu_device(node) if node.id in self.gpu_names else self.lookup(node.id)

    gpu_names: frozenset[str]

    def gpu_device(self, node: ast.expr) -> Value:
        """A device that the settings name."""
        return DeviceRef(Device(GPU, None, self.recorder.reason(node, "the settings say that this device is on the GPU")))

    def constant(self, node: ast.Constant) -> Value:
        value = node.value
        if value is ...:
            return Host("ellipsis")
        return Host(type(value).__name__, value)

    def attribute(self, node: ast.Attribute) -> Value:
        if self.gpu_names and path(node) in self.gpu_names:
            return self.gpu_device(node)
        if self.has_paths and (key := path(node)) and (known := self.env.get(key)) is not None:
            return known
        base = self.eval(node.value)
        return self.read_attribute(base, node.attr)

    def read_attribute(self, base: Value, name: str) -> Value:
        """The value of an attribute; a use that only a tensor has is evidence."""
        if name in self.tensor_attributes:
            for option in options_of(base):
                self.recorder.saw_tensor(option, f"its attribute `.{name}` is one of tensors", self.scope)
        if isinstance(base, Deferred):
            return self.recorder.same(defer("attribute", name, (base,)))
        if isinstance(base, Instance):
            return self.instance_attribute(base, name)
        return self.recorder.same(attribute(base, name))

    tensor_attributes: frozenset[str]

    def instance_attribute(self, base: Instance, name: str) -> Value:
        """The value of an attribute of an object; classes of the file are looked up by the interpreter."""
        return self.recorder.same(attribute(base, name))

    # -- displays ------------------------------------------------------------------------------------------------------

    def items(self, nodes: list[ast.expr], kind: str) -> Value:
        values = [self.eval(node.value if isinstance(node, ast.Starred) else node) for node in nodes]
        if len(nodes) > MOST_ITEMS or any(isinstance(node, ast.Starred) for node in nodes):
            each = [element(v) if isinstance(n, ast.Starred) else v for n, v in zip(nodes, values)]
            return Sequence(kind, None, join_all(each))
        return Sequence(kind, tuple(values))

    def list_display(self, node: ast.List) -> Value:
        return self.items(node.elts, "list")

    def tuple_display(self, node: ast.Tuple) -> Value:
        return self.items(node.elts, "tuple")

    def set_display(self, node: ast.Set) -> Value:
        return self.items(node.elts, "set")

    def dict_display(self, node: ast.Dict) -> Value:
        values = [self.eval(value) for value in node.values]
        keys: list[object] = []
        for key in node.keys:
            if key is not None:
                self.eval(key)
            keys.append(key.value if isinstance(key, ast.Constant) else None)
        if None in keys or len(keys) > MOST_ITEMS:
            each = [element_of_dict(v) if k is None else v for k, v in zip(node.keys, values)]
            return Sequence("dict", None, join_all(each))
        return Sequence("dict", tuple(values), keys=tuple(keys))

    # -- operators -----------------------------------------------------------------------------------------------------

    def binary(self, node: ast.BinOp) -> Value:
        left, right = self.left_chain(node)
        operator = OPERATORS[type(node.op)]
        if operator == "%" and isinstance(left, Host) and left.kind == "str":
            self.format_values(node, right)
            return Host("str")
        if operator == "*" and isinstance(left, Sequence | Host) and not isinstance(right, Host):
            self.repeat(node, left, right)
        return self.recorder.same(binary(operator, left, right))

    def left_chain(self, node: ast.BinOp) -> tuple[Value, Value]:
        """Both operands; a long `a + b + c + …` leans to the left and is read without recursion."""
        chain = []
        left: ast.expr = node.left
        while isinstance(left, ast.BinOp) and len(chain) < 10_000:
            chain.append(left)
            left = left.left
        value = self.eval(left)
        for inner in reversed(chain):
            right = self.eval(inner.right)
            operator = OPERATORS[type(inner.op)]
            if operator == "%" and isinstance(value, Host) and value.kind == "str":
                self.format_values(inner, right)
                value = Host("str")
            else:
                value = self.recorder.same(binary(operator, value, right))
        return value, self.eval(node.right)

    def repeat(self, node: ast.BinOp, left: Value, right: Value) -> None:
        if isinstance(left, Sequence) or (isinstance(left, Host) and left.kind in ("str", "bytes")):
            self.convert(node, right, "int", "repeating a sequence")

    def format_values(self, node: ast.expr, value: Value) -> None:
        """`"%f" % value` formats one value or each of a tuple."""
        for each in value.items or () if isinstance(value, Sequence) and value.kind == "tuple" else (value,):
            self.convert(node, each, "str", "% formatting")

    def unary(self, node: ast.UnaryOp) -> Value:
        value = self.eval(node.operand)
        if isinstance(node.op, ast.Not):
            self.truth(node.operand, value, "not")
            return Host("bool")
        return self.recorder.same(unary(UNARY[type(node.op)], value))

    def compare(self, node: ast.Compare) -> Value:
        left = self.eval(node.left)
        result: Value = Host("bool")
        for at, (op, right_node) in enumerate(zip(node.ops, node.comparators)):
            right = self.eval(right_node)
            operator = COMPARE.get(type(op))
            if operator is None:
                self.membership(node, op, left, right)
                result = Host("bool")
            else:
                result = self.recorder.same(binary(operator, left, right))
                if at + 1 < len(node.ops):
                    self.truth(node, result, "a chained comparison")
            left = right
        return result

    def membership(self, node: ast.Compare, op: ast.cmpop, left: Value, right: Value) -> None:
        """`x in items` compares with every item, and needs each answer."""
        if not isinstance(op, ast.In | ast.NotIn):
            return
        if isinstance(right, Tensor):
            self.truth(node, right, "in")
        elif isinstance(right, Sequence) and right.kind in ("list", "tuple"):
            compared = binary("==", left, right.any_item())
            if not (isinstance(compared, Host) or compared is UNKNOWN):
                self.truth(node, compared, "in")

    def boolean(self, node: ast.BoolOp) -> Value:
        """`a and b`: each operand but the last is asked for its truth, and narrows those behind it."""
        how = "and" if isinstance(node.op, ast.And) else "or"
        values = self.operands(node, how)
        if how == "or":
            values = [*(_truthy(value) for value in values[:-1]), values[-1]]
        return join_all(values)

    def operands(self, node: ast.BoolOp, how: str) -> list[Value]:
        """The values of the operands of `and` or `or`."""
        before: Names = self.env
        values: list[Value] = []
        self.env = dict(before)
        for each in node.values[:-1]:
            value = self.eval(each)
            self.truth(each, value, how)
            values.append(value)
            narrowing.assume(self, each, how == "and")
        values.append(self.eval(node.values[-1]))
        walrus = {name: v for name, v in self.env.items() if name not in before}
        self.env = before
        self.env.update(walrus)
        return values

    def conditional(self, node: ast.IfExp) -> Value:
        self.condition(node.test, "a conditional expression")
        before = self.env
        self.env = dict(before)
        narrowing.assume(self, node.test, True)
        body = self.eval(node.body)
        self.env = dict(before)
        narrowing.assume(self, node.test, False)
        other = self.eval(node.orelse)
        self.env = before
        return join(body, other)

    def condition(self, node: ast.expr, how: str) -> None:
        """A condition: `and`, `or` and `not` ask their parts, all else is asked as a whole."""
        if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.Not):
            self.condition(node.operand, how)
        elif isinstance(node, ast.BoolOp):
            values = self.operands(node, "and" if isinstance(node.op, ast.And) else "or")
            self.truth(node.values[-1], values[-1], how)
        else:
            self.truth(node, self.eval(node), how)

    # -- what is asked of values ---------------------------------------------------------------------------------------

    def truth(self, node: ast.expr, value: Value, how: str) -> None:
        """Python asks a value whether it is true."""
        if can_wait(value):
            self.emit(Truth, node, value=value, how=how)

    def convert(self, node: ast.expr, value: Value, to: str, by: str) -> None:
        """Python turns a value into one of its own."""
        if can_wait(value):
            self.emit(Convert, node, value=value, to=to, by=by)

    # -- subscriptions -------------------------------------------------------------------------------------------------

    def subscript(self, node: ast.Subscript) -> Value:
        if self.has_paths and (key := path(node)) and (known := self.env.get(key)) is not None:
            return known
        base = self.eval(node.value)
        indices = self.indices(node.slice)
        self.note_index(node, base, indices)
        if isinstance(base, Function | Module | Class):
            return base
        return self.recorder.same(index(base, indices))

    def indices(self, node: ast.expr) -> tuple[Value, ...]:
        """The values of a subscription, one for each dimension."""
        if isinstance(node, ast.Tuple):
            return tuple(self.eval(each.value if isinstance(each, ast.Starred) else each) for each in node.elts)
        return (self.eval(node),)

    def note_index(self, node: ast.Subscript, base: Value, indices: tuple[Value, ...]) -> None:
        if isinstance(base, Host | Module | Class | Function) or base is UNKNOWN:
            return
        if isinstance(base, Sequence):
            if base.kind in ("list", "tuple"):
                self.convert(node.slice, indices[0], "index", "indexing a sequence")
            return
        if any(isinstance(each, Tensor) or can_wait(each) or _is_host_index(each) for each in indices):
            self.emit(Index, node, base=base, indices=indices)

    def slice(self, node: ast.Slice) -> Value:
        parts = []
        for bound in (node.lower, node.upper, node.step):
            if bound is not None:
                value = self.eval(bound)
                self.convert(bound, value, "index", "a slice bound")
                parts.append(value)
        return Sequence("slice", tuple(parts))

    # -- text ----------------------------------------------------------------------------------------------------------

    def joined(self, node: ast.JoinedStr) -> Value:
        for part in node.values:
            if isinstance(part, ast.FormattedValue):
                value = self.eval(part.value)
                self.convert(part.value, value, "str", "an f-string")
                if part.format_spec is not None:
                    self.eval(part.format_spec)
        match node.values:
            case [ast.Constant(value=str() as head), *_] if head.startswith(("cuda", "cpu", "mps", "xpu", "npu", "hpu")):
                return DeviceRef(device_named(head, self.recorder.reason(node, f"`{head}…` names the device")))
        return Host("str")

    # -- comprehensions and lambdas ------------------------------------------------------------------------------------

    def comprehension(self, node: ast.ListComp | ast.SetComp | ast.GeneratorExp, kind: str) -> Value:
        return self.in_comprehension(node.generators, lambda: Sequence(kind, None, self.eval(node.elt)))

    def dict_comprehension(self, node: ast.DictComp) -> Value:
        def make() -> Value:
            self.eval(node.key)
            return Sequence("dict", None, self.eval(node.value))

        return self.in_comprehension(node.generators, make)

    def in_comprehension(self, generators: list[ast.comprehension], make: Callable[[], Value]) -> Value:
        """Evaluate in the scope of a comprehension, whose body repeats."""
        before, region = self.env, self.region
        self.env = dict(before)
        for generator in generators:
            iterable = self.eval(generator.iter)
            self.region = Region("loop", self.region, self.recorder.reason(generator.iter, "a comprehension repeats it"))
            self.bind(generator.target, self.elements(generator.iter, iterable))
            for test in generator.ifs:
                self.condition(test, "a comprehension's condition")
                narrowing.assume(self, test, True)
        value = make()
        self.env, self.region = before, region
        return value

    def bind(self, target: ast.expr, value: Value) -> None:
        """Bind a target (the statements part knows how)."""
        raise NotImplementedError

    def elements(self, node: ast.expr, value: Value) -> Value:
        """What iterating over an evaluated expression yields."""
        return self.recorder.same(element(value))

    def lambda_(self, node: ast.Lambda) -> Value:
        """A lambda's body is read where it stands, with unknown parameters; without any it is left for later or never."""
        if not (node.args.args or node.args.posonlyargs or node.args.vararg):
            return UNKNOWN
        before = self.env
        self.env = dict(before)
        for argument in (*node.args.posonlyargs, *node.args.args, *node.args.kwonlyargs):
            self.env[argument.arg] = UNKNOWN
        self.eval(node.body)
        self.env = before
        return UNKNOWN

    def walrus(self, node: ast.NamedExpr) -> Value:
        value = self.eval(node.value)
        self.bind(node.target, value)
        return value

    def await_(self, node: ast.Await) -> Value:
        return self.eval(node.value)

    def yield_(self, node: ast.Yield | ast.YieldFrom) -> Value:
        if node.value is not None:
            self.yielded(self.eval(node.value), isinstance(node, ast.YieldFrom))
        return UNKNOWN

    def yielded(self, value: Value, many: bool) -> None:
        """A generator yields a value (the function part collects it)."""

    def starred(self, node: ast.Starred) -> Value:
        return element(self.eval(node.value))

    def formatted(self, node: ast.FormattedValue) -> Value:
        return self.eval(node.value)

    def call(self, node: ast.Call) -> Value:
        """A call (see `calls`)."""
        raise NotImplementedError

    def assign_name(self, name: str, value: Value) -> None:
        """Bind a plain name."""
        self.env[name] = value
        if self.has_paths:
            forget(self.env, name)


def can_wait(value: Value) -> bool:
    """Reading this value on the host might wait: it is a tensor that may be on the GPU, or an open question."""
    match value:
        case Tensor() | Batch():
            return bool(value.device.flags & GPU)
        case Deferred():
            return True
        case _:
            return any(map(can_wait, options_of(value))) if len(options_of(value)) > 1 else False


def _is_host_index(value: Value) -> bool:
    """As an index into a tensor, this value is copied to its device: a list, a numpy array."""
    return value == Host("ndarray") or (isinstance(value, Sequence) and value.kind == "list")


def _truthy(value: Value) -> Value:
    """What is left of an operand of `or` that was true."""
    return join_all(o for o in options_of(value) if o != NONE) if len(options_of(value)) > 1 else value


def element_of_dict(value: Value) -> Value:
    """The values of a dict that is spread into another."""
    return value.any_item() if isinstance(value, Sequence) else UNKNOWN


def path(node: ast.expr) -> str | None:
    """The key of an attribute or item that an environment can hold: `self.x`, `batch['y']`; None for all else."""
    if isinstance(node, ast.Name):
        return node.id
    if isinstance(node, ast.Attribute):
        base = path(node.value)
        return f"{base}.{node.attr}" if base else None
    if isinstance(node, ast.Subscript) and isinstance(node.slice, ast.Constant):
        base = path(node.value)
        return f"{base}[{node.slice.value!r:.{MOST_KEY}}]" if base and isinstance(node.slice.value, str | int) else None
    return None


EVALUATORS: dict[type[ast.expr], Callable[[Any, Any], Value]] = {
    ast.Name: Expressions.name,
    ast.Constant: Expressions.constant,
    ast.Attribute: Expressions.attribute,
    ast.List: Expressions.list_display,
    ast.Tuple: Expressions.tuple_display,
    ast.Set: Expressions.set_display,
    ast.Dict: Expressions.dict_display,
    ast.BinOp: Expressions.binary,
    ast.UnaryOp: Expressions.unary,
    ast.Compare: Expressions.compare,
    ast.BoolOp: Expressions.boolean,
    ast.IfExp: Expressions.conditional,
    ast.Subscript: Expressions.subscript,
    ast.Slice: Expressions.slice,
    ast.JoinedStr: Expressions.joined,
    ast.FormattedValue: Expressions.formatted,
    ast.ListComp: lambda self, node: self.comprehension(node, "list"),
    ast.SetComp: lambda self, node: self.comprehension(node, "set"),
    ast.GeneratorExp: lambda self, node: self.comprehension(node, "iter"),
    ast.DictComp: Expressions.dict_comprehension,
    ast.Lambda: Expressions.lambda_,
    ast.NamedExpr: Expressions.walrus,
    ast.Await: Expressions.await_,
    ast.Yield: Expressions.yield_,
    ast.YieldFrom: Expressions.yield_,
    ast.Starred: Expressions.starred,
    ast.Call: lambda self, node: self.call(node),
}
