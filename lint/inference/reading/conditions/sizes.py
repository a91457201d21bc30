"""Remainders that let no step pass: of sizes of tensors, `x.shape[1] % 8`, and of batches whose gradients add up."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from ...often import gates
from ...often.nested import nodes
from ..state.frame import Frame


def divides_size(frame: Frame, test: ast.expr) -> bool:
    """Whether each remainder that a condition asks for is that of a tensor's size."""
    remainders = [each for each in nodes(test) if isinstance(each, ast.BinOp) and isinstance(each.op, ast.Mod)]
    return bool(remainders) and all(_is_size(frame, each.left) for each in remainders)


def accumulates(test: ast.expr, holds: bool) -> bool:
    """Whether a condition lets the batches through with which added gradients make a step, by its names."""
    match test:
        case ast.UnaryOp(op=ast.Not(), operand=operand):
            return accumulates(operand, not holds)
        case ast.BoolOp(values=parts):
            return any(accumulates(each, holds) for each in parts)
        case ast.BinOp(op=ast.Mod(), right=count):
            return not holds and gates.adds_up(count)
        case ast.Compare(left=ast.BinOp(op=ast.Mod(), right=count), ops=[op]):
            return gates.adds_up(count) and isinstance(op, ast.NotEq) is not holds
    return False


def _is_size(frame: Frame, node: ast.expr) -> bool:
    """Whether a number is made from the sizes of tensors, by themselves or under names that this body binds to them."""
    match node:
        case ast.BinOp(left=left, right=right):
            return _is_size(frame, left) or _is_size(frame, right)
        case ast.Name(id=name):
            bound = [*bound_to(frame, name)]
            return bool(bound) and all(map(_reads_size, bound))
    return _reads_size(node)


def bound_to(frame: Frame, name: str) -> Iterator[ast.expr]:
    """Yield what a name is bound to in this body, by itself or in a tuple."""
    for each in frame.file.bodies.binding(frame.body).get(name, ()):
        if isinstance(each, ast.Assign):
            yield each.value


def _reads_size(node: ast.expr) -> bool:
    """Whether an expression is the size of a tensor, or several."""
    match node:
        case ast.Tuple(elts=parts):
            return all(map(_reads_size, parts))
        case ast.Attribute(attr="shape") | ast.Subscript(value=ast.Attribute(attr="shape")):
            return True
        case ast.Call(func=ast.Attribute(attr="size")) | ast.Subscript(value=ast.Call(func=ast.Attribute(attr="size"))):
            return True
    return False
