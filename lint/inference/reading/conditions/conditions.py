"""Reads conditions: `and`, `or`, comparisons, `a if c else b`, and whatever needs a truth value."""

from __future__ import annotations

import ast

from ....limits import MOST_OPERANDS
from ...notes.operations import Truth
from ...often import on_devices
from ...often.nested import nodes
from ...often.regions import Region
from ...values.joining import any_item, join, join_all
from ...values.operators import binary
from ...values.union import NONE, UNKNOWN, Deferred, DeviceRef, Host, Sequence, Tensor, Value, options_of
from ..recording.conversions import truth
from ..recording.copies import operands_read
from ..state.frame import Frame
from ..state.scope import Names
from . import narrowing
from .branch_regions import region_if
from .ways import computed, note_choice

COMPARE: dict[type[ast.cmpop], str] = {
    ast.Lt: "<", ast.LtE: "<=", ast.Gt: ">", ast.GtE: ">=", ast.Eq: "==", ast.NotEq: "!=",
}  # fmt: skip

NUMBERS = ("int", "float", "bool")


def comparison(frame: Frame, node: ast.Compare) -> Value:
    """Return `a < b`; in a chain, the truth value of each but the last is needed."""
    left = frame.eval(node.left)
    result: Value = Host("bool")
    for at, (op, right_node) in enumerate(zip(node.ops, node.comparators)):
        right = frame.eval(right_node)
        operator = COMPARE.get(type(op))
        if operator is None:
            membership(frame, node, op, left, right)
            result = Host("bool", isinstance(op, ast.NotIn)) if _is_absent(left, right) else Host("bool")
        else:
            operands_read(frame, node, left, right, "a comparison")
            result = computed(frame, operator, left, right)
            if at + 1 < len(node.ops):
                truth(frame, node, result, "a chained comparison")
        left = right
    return result


def _is_absent(left: Value, right: Value) -> bool:
    """Whether a torch.device is looked for among texts, none of which it equals."""
    is_object = isinstance(left, DeviceRef) and left.is_object
    return is_object and isinstance(right, Sequence) and isinstance(any_item(right), Host)


def membership(frame: Frame, node: ast.Compare, op: ast.cmpop, left: Value, right: Value) -> None:
    """Record that `x in items` compares with every item and needs each result."""
    if not isinstance(op, ast.In | ast.NotIn):
        return
    if isinstance(right, Tensor):
        truth(frame, node, right, "in")
    elif isinstance(right, Deferred) and isinstance(left, Host) and left.kind in NUMBERS:
        truth(frame, node, frame.recorder.same(binary("==", left, right)), "in")
    elif isinstance(right, Sequence) and right.kind in ("list", "tuple"):
        compared = binary("==", left, any_item(right))
        if not (isinstance(compared, Host) or compared is UNKNOWN):
            truth(frame, node, compared, "in")


def boolean_operation(frame: Frame, node: ast.BoolOp) -> Value:
    """Evaluate `a and b`: the truth value of each operand but the last is needed, and narrows the ones after it."""
    how = "and" if isinstance(node.op, ast.And) else "or"
    values = operands(frame, node, how, None)
    if how == "or":
        values = [*(_truthy(value) for value in values[:-1]), values[-1]]
    joined = join_all(values)
    if how == "or" and len(values) == 2:
        note_choice(frame, node.values[0], joined, values)
    return joined


def operands(frame: Frame, node: ast.BoolOp, how: str, asked: str | None) -> list[Value]:
    """Return the values of the operands of `and` or `or`; `asked` is what needs the last one's truth value."""
    before: Names = frame.env
    values: list[Value] = []
    frame.env = dict(before)
    outer = frame.region
    for at, each in enumerate(node.values[:-1]):
        is_default = asked is None and how == "or" and _may_be_left_out(frame, each)
        values.append(_default(frame, each) if is_default else condition(frame, each, how))
        frame.region = frame.region if MOST_OPERANDS.is_exceeded(at + 1) else region_if(frame, each, how == "and")
        narrowing.assume(frame, each, how == "and")
    last = node.values[-1]
    values.append(frame.eval(last) if asked is None else condition(frame, last, asked))
    frame.region = outer
    walrus = {name: v for name, v in frame.env.items() if name not in before}
    frame.env = before
    frame.env.update(walrus)
    return values


def _default(frame: Frame, node: ast.expr) -> Value:
    """Return what may be left out; if a 0-dim tensor is passed for it, its truth value is needed."""
    value = frame.eval(node)
    if isinstance(value, Deferred):
        frame.emit(Truth, node, value=value, how="or", of_one=True)
    return value


def _may_be_left_out(frame: Frame, node: ast.expr) -> bool:
    """Whether this is a parameter that is None by default: `x or default` fails for tensors with several elements."""
    if not isinstance(node, ast.Name) or not frame.is_given(node, binds_it=True):
        return False
    return frame.file.summary.functions[frame.scope].defaults.get(node.id) == NONE


def conditional(frame: Frame, node: ast.IfExp) -> Value:
    """Return `a if test else b`, each side with what the test tells; there is a GPU."""
    condition(frame, node.test, "a conditional expression")
    before = frame.env
    frame.env = dict(before)
    outer = frame.region
    frame.region = _region_of(frame, node.body, node.test, True)
    narrowing.assume(frame, node.test, True)
    body = frame.eval(node.body)
    frame.env, frame.region = dict(before), outer
    narrowing.assume(frame, node.test, False)
    frame.region = _region_of(frame, node.orelse, node.test, False)
    other = frame.eval(node.orelse)
    frame.env, frame.region = before, outer
    on_gpu = with_gpu(frame, node.test)
    joined = join(body, other) if on_gpu is None else body if on_gpu else other
    note_choice(frame, node.test, joined, (body, other))
    if isinstance(joined, Host) and joined.kind == "str" and on_devices.asks_for_backend(node.test):
        return Host("str")
    return joined


def _region_of(frame: Frame, node: ast.expr, test: ast.expr, holds: bool) -> Region:
    """Return the region of a side of `a if test else b`; in a name or constant, nothing happens that depends on it."""
    return frame.region if isinstance(node, ast.Name | ast.Constant) else region_if(frame, test, holds)


def with_gpu(frame: Frame, test: ast.expr) -> bool | None:
    """Return whether a condition holds because there is a GPU; None if it asks no such thing, or of a known number."""
    found = on_devices.has_gpu(test, frame.conditions.tests, at_all=True)
    values = () if found is None else (frame.env.get(each.id) for each in nodes(test) if isinstance(each, ast.Name))
    return None if any(isinstance(each, Host) and each.constant is not ... for each in values) else found


def condition(frame: Frame, node: ast.expr, how: str) -> Value:
    """Evaluate a condition: `and`, `or` and `not` test their parts, everything else is tested as a whole."""
    if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.Not):
        condition(frame, node.operand, how)
        return Host("bool")
    if isinstance(node, ast.BoolOp):
        return join_all(operands(frame, node, "and" if isinstance(node.op, ast.And) else "or", how))
    value = frame.eval(node)
    truth(frame, node, value, how)
    return value


def _truthy(value: Value) -> Value:
    """Return what remains of an operand of `or` that was true."""
    return join_all(o for o in options_of(value) if o != NONE) if len(options_of(value)) > 1 else value
