"""Finds loaders under the names of what wraps them: `bar = tqdm(enumerate(loader))`, then `for step, batch in bar`."""

from __future__ import annotations

import ast

from ....facts.naming import WRAPPING
from ...often.gates import last_name, loader_name
from ...often.nested import statements
from ..state.frame import Frame


def iterated(frame: Frame, node: ast.expr) -> ast.expr:
    """Return what a loop goes through: what its name is bound to in this function, if that wraps a loader.

    So does a call that counts it: `enumerate(bar)`.
    """
    match node:
        case ast.Call(func=func, args=[ast.Name() as bar, *others], keywords=named) if _is_wrapping(node):
            inner = iterated(frame, bar)
            return node if inner is bar else ast.copy_location(ast.Call(func, [inner, *others], named), node)
        case ast.Name() if loader_name(node) is None:
            return bound(frame, node)
    return node


def bound(frame: Frame, node: ast.Name) -> ast.expr:
    """Return what a name is bound to in this function, if that wraps a loader; else the name."""
    body = frame.body
    if body[0] not in frame.file.wrapped:
        frame.file.wrapped[body[0]] = {
            each.targets[0].id: each.value
            for each in statements(body)
            if isinstance(each, ast.Assign) and isinstance(each.targets[0], ast.Name) and _wraps(each.value)
        }
    return frame.file.wrapped[body[0]].get(node.id, node)


def _wraps(node: ast.expr) -> bool:
    return _is_wrapping(node) and loader_name(node) is not None


def _is_wrapping(node: ast.expr) -> bool:
    return isinstance(node, ast.Call) and last_name(node).lower() in WRAPPING
