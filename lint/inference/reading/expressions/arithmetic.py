"""Reads operators: `a + b`, `-a`, `not a`, `text % values`."""

from __future__ import annotations

import ast

from ....limits import MOST_OPERATORS
from ...values.containers import element
from ...values.operators import METHODS, unary
from ...values.ops import Op
from ...values.union import DeviceRef, Host, Instance, Sequence, Value, defer
from ..conditions.ways import computed
from ..recording.conversions import convert, truth
from ..recording.copies import operands_read
from ..recording.evidence import note_computed
from ..recording.methods_run import note_special
from ..state.frame import Frame
from .device_texts import text_from

OPERATORS: dict[type[ast.operator], str] = {
    ast.Add: "+", ast.Sub: "-", ast.Mult: "*", ast.Div: "/", ast.FloorDiv: "//", ast.Mod: "%", ast.Pow: "**",
    ast.MatMult: "@", ast.BitAnd: "&", ast.BitOr: "|", ast.BitXor: "^", ast.LShift: "<<", ast.RShift: ">>",
}  # fmt: skip
UNARY: dict[type[ast.unaryop], str] = {ast.USub: "-", ast.UAdd: "+", ast.Invert: "~"}


def binary_operation(frame: Frame, node: ast.BinOp) -> Value:
    """Return `a + b`; a tensor that a sequence is repeated by is needed as a number."""
    left, right = left_chain(frame, node), frame.eval(node.right)
    if isinstance(node.op, ast.Mult) and isinstance(left, Sequence | Host) and not isinstance(right, Host):
        repeat(frame, node, left, right)
    return combined(frame, node, left, right)


def left_chain(frame: Frame, node: ast.BinOp) -> Value:
    """Return the left operand; a long `a + b + c + …` nests to the left and is read without recursion."""
    chain: list[ast.BinOp] = []
    left: ast.expr = node.left
    while isinstance(left, ast.BinOp) and len(chain) < MOST_OPERATORS:
        chain.append(left)
        left = left.left
    value = frame.eval(left)
    for inner in reversed(chain):
        value = combined(frame, inner, value, frame.eval(inner.right))
    return value


def combined(frame: Frame, node: ast.BinOp, left: Value, right: Value) -> Value:
    """Return the result of the operator; a `%` after a string formats."""
    operator = OPERATORS[type(node.op)]
    if operator == "%" and isinstance(left, Host) and left.kind == "str":
        format_values(frame, node, right)
        return text_from(frame, node, node.left)
    if operator == "+" and isinstance(left, Host | DeviceRef):
        begun = left if isinstance(left, DeviceRef) else text_from(frame, node, node.left)
        if isinstance(begun, DeviceRef):
            return begun
    operands_read(frame, node, left, right, f"`{operator}`")
    note_computed(frame, left)
    note_computed(frame, right)
    if isinstance(left, Instance) and operator in METHODS:
        note_special(frame, METHODS[operator], left, right)
        if (own := frame.file.inheritance.method(left.cls, METHODS[operator])) is not None:
            return frame.recorder.same(defer(Op.CALL, own, (left, right)))
    return computed(frame, operator, left, right)


def repeat(frame: Frame, node: ast.BinOp, left: Value, right: Value) -> None:
    """Note that `items * n` needs a number."""
    if isinstance(left, Sequence) or (isinstance(left, Host) and left.kind in ("str", "bytes")):
        convert(frame, node, right, "int", "repeating a sequence")


def format_values(frame: Frame, node: ast.BinOp, value: Value) -> None:
    """Note that `"%f" % value` formats one value or each of a tuple, including unpacked ones."""
    parts = node.right.elts if isinstance(node.right, ast.Tuple) else []
    if any(isinstance(part, ast.Starred) for part in parts):
        for part in parts:
            inner = part.value if isinstance(part, ast.Starred) else part
            each = element(frame.eval(inner)) if inner is not part else frame.eval(inner)
            convert(frame, inner, each, "str", "% formatting")
        return
    if not isinstance(value, Sequence) or value.kind != "tuple":
        convert(frame, node, value, "str", "% formatting")
        return
    for each in value.items or ():
        convert(frame, node, frame.recorder.same(each), "str", "% formatting")  # one report, whichever gives a tensor


def unary_operation(frame: Frame, node: ast.UnaryOp) -> Value:
    """Return `-a` or `not a`, which needs the truth value."""
    value = frame.eval(node.operand)
    if isinstance(node.op, ast.Not):
        truth(frame, node.operand, value, "not")
        return Host("bool")
    return frame.recorder.same(unary(UNARY[type(node.op)], value))
