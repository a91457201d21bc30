"""Reads displays: lists, tuples, sets, dicts."""

from __future__ import annotations

import ast
from collections import deque

from ....limits import MOST_ITEMS
from ...values.containers import element
from ...values.joining import any_item, join_all
from ...values.operators import binary
from ...values.union import UNKNOWN, Batch, Sequence, Value
from ..state.frame import Frame
from .alternatives import alternative


def items_of(frame: Frame, nodes: list[ast.expr], kind: str) -> Value:
    """Return a list, tuple or set of these elements."""
    if MOST_ITEMS.is_exceeded(len(nodes)) or any(isinstance(node, ast.Starred) for node in nodes):
        return Sequence(kind, None, any_of(frame, nodes))
    return Sequence(kind, tuple(map(frame.eval, nodes)))


def any_of(frame: Frame, nodes: list[ast.expr]) -> Value:
    """Return what an element of a display is, without keeping each of them."""
    values = (element(frame.eval(n.value)) if isinstance(n, ast.Starred) else frame.eval(n) for n in nodes)
    found = join_all(values)
    deque(values, maxlen=0)  # where the answer is known early, the rest is read all the same
    return found


def list_display(frame: Frame, node: ast.List) -> Value:
    """Return `[a, b]`."""
    return items_of(frame, node.elts, "list")


def tuple_display(frame: Frame, node: ast.Tuple) -> Value:
    """Return `a, b`."""
    return items_of(frame, node.elts, "tuple")


def set_display(frame: Frame, node: ast.Set) -> Value:
    """Return `{a, b}`."""
    return items_of(frame, node.elts, "set")


def dict_display(frame: Frame, node: ast.Dict, chosen_from: str = "") -> Value:
    """Return `{a: b, **c}`; if it has a name and is one of alternatives, each is made where it is chosen from that."""
    values = [
        alternative(frame, chosen_from, key, value) if chosen_from and key is not None else frame.eval(value)
        for key, value in zip(node.keys, node.values)
    ]
    for key in node.keys:
        if key is not None:
            frame.eval(key)
    keys = tuple(key.value for key in node.keys if isinstance(key, ast.Constant))
    if len(keys) + node.keys.count(None) < len(values) or MOST_ITEMS.is_exceeded(len(values)):
        each = [value if key is not None else _items_of(value) for key, value in zip(node.keys, values)]
        return Sequence("dict", None, join_all(each))
    if len(keys) == len(values):
        return Sequence("dict", tuple(values), keys=keys)
    parts = (
        Sequence("dict", (value,), keys=(key.value,)) if isinstance(key, ast.Constant) else value
        for key, value in zip(node.keys, values)
    )
    made: Value = Sequence("dict", ())
    for part in parts:
        made = binary("|", made, part)
    return frame.recorder.same(made)


def _items_of(value: Value) -> Value:
    """Return what a dict holds that is unpacked into another."""
    return any_item(value) if isinstance(value, Sequence) else value if isinstance(value, Batch) else UNKNOWN
