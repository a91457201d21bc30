"""Conditions that hang on chance: `if random.random() < 0.5`."""

from __future__ import annotations

import ast

from ....facts.choices import DRAWN, PLAIN
from ...often.gates import last_name
from ..state.frame import Frame
from .kept_options import FURTHEST, bound_once


def hangs_on_chance(frame: Frame, test: ast.expr) -> bool:
    """Whether a condition is about a number that is drawn for it, or what a name of the body keeps of one."""
    if not frame.file.draws_numbers:
        return False
    parts = (test.left, *test.comparators) if isinstance(test, ast.Compare) else (test,)
    return any(_is_drawn(frame, each, FURTHEST) for each in parts)


def _is_drawn(frame: Frame, node: ast.expr, left: int) -> bool:
    match node:
        case ast.Call(func=ast.Name(id=name), args=[inner]) if name in PLAIN:
            return _is_drawn(frame, inner, left)
        case ast.Call(func=ast.Attribute(value=inner, attr="item")) | ast.Subscript(value=inner):
            return _is_drawn(frame, inner, left)
        case ast.Call():
            return last_name(node) in DRAWN
        case ast.Name(id=name) if left > 0:
            value = bound_once(frame).get(name)
            return value is not None and _is_drawn(frame, value, left - 1)
    return False
