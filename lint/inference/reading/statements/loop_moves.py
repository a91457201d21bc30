"""Finds loops that move their batches to the device themselves, so that their iterable yields them on the host."""

from __future__ import annotations

import ast

from ...often.moving import moved


def moves_its_batches(node: ast.For | ast.AsyncFor) -> bool:
    """Whether the loop's body moves what the loop binds, or a part of it, to a device."""
    names = _names(node.target)
    calls = []
    for each in (part for statement in node.body for part in ast.walk(statement)):
        match each:
            case ast.Assign(targets=targets, value=value) if _is_of(value, names):
                names |= {name for target in targets for name in _names(target)}
            case ast.comprehension(target=target, iter=iterable) if _is_of(iterable, names):
                names |= _names(target)
            case ast.Call(func=ast.Name(id="map"), args=[ast.Lambda(args=given), iterable]) if _is_of(iterable, names):
                names |= {each.arg for each in given.args}
            case ast.Call():
                calls.append(each)
    return any(_is_of(each, names) for call in calls for each in moved(call))


def _is_of(node: ast.expr, names: set[str]) -> bool:
    """Whether the expression is one of the names, or an item, attribute or method result of one."""
    while isinstance(node, ast.Attribute | ast.Subscript | ast.Call | ast.Starred):
        node = node.func if isinstance(node, ast.Call) else node.value
    return isinstance(node, ast.Name) and node.id in names


def _names(node: ast.expr) -> set[str]:
    return {each.id for each in ast.walk(node) if isinstance(each, ast.Name)}
