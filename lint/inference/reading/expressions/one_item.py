"""Knows what goes through a single item: `[0]`, `{"loss": loss}.items()`, `enumerate(heads)` of one head."""

from __future__ import annotations

import ast
from typing import Final

from ....facts import naming
from ...often.gates import last_name
from ...often.nested import nodes
from ...values.union import Sequence, Value
from ..state.frame import Frame

_SAME: Final = frozenset(("reversed", "sorted", "list", "tuple"))
"""Functions that give what they are given, perhaps in another order."""
_VIEWS: Final = frozenset(("items", "keys", "values"))
_READING: Final = _VIEWS | {"get", "copy"}


def holds_one(frame: Frame, node: ast.expr, iterable: Value) -> bool:
    """Whether what goes through an expression, which has this value, finds a single item that is known."""
    match iterable:
        case Sequence("list" | "tuple", (_,)):
            return True
        case Sequence("dict", (_,), _, (_,)) if isinstance(node, ast.Name):
            return not _may_grow(frame, node.id)
    match node:
        case ast.Call(func=ast.Name(id="range"), args=[ast.Constant(value=1)]):
            return True
        case ast.Call(func=ast.Attribute(value=held, attr=view), args=[]) if view in _VIEWS:
            return _holds_one(frame, held)
        case ast.Call(args=[held, *others]) if (name := last_name(node).lower()) in _SAME | naming.WRAPPING:
            return _holds_one(frame, held) or (name == "zip" and any(_holds_one(frame, each) for each in others))
    return False


def _holds_one(frame: Frame, node: ast.expr) -> bool:
    """Whether an expression that has been read before has one item; other calls are not read twice."""
    match node:
        case ast.List(elts=[item]) | ast.Tuple(elts=[item]):
            return not isinstance(item, ast.Starred)
        case ast.Dict(keys=[key]):
            return key is not None
        case ast.Name() if not frame.is_given(node):  # `Tuple[int]` is written for any number of them
            return holds_one(frame, node, frame.eval(node))
        case ast.Call():
            return holds_one(frame, node, Sequence("iter"))
    return False


def _may_grow(frame: Frame, name: str) -> bool:
    """Whether anything in the function may add to a dict: a key, a method, a function that it is given to."""
    body = frame.body
    return any(_adds(each, name) for statement in body for each in nodes(statement))


def _adds(node: ast.AST, name: str) -> bool:
    match node:
        case ast.Subscript(value=ast.Name(id=held), ctx=ast.Store()) | ast.AugAssign(target=ast.Name(id=held)):
            return held == name
        case ast.Call(func=ast.Attribute(value=ast.Name(id=held), attr=method)) if held == name:
            return method not in _READING
        case ast.Call(args=given, keywords=named) if last_name(node).lower() not in _SAME | naming.WRAPPING | {"len"}:
            values = (*given, *(each.value for each in named if each.arg is not None))
            return any(isinstance(each, ast.Name) and each.id == name for each in values)
    return False
