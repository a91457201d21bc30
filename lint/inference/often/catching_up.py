"""Loops that catch up with something: `while self.length.item() < length: self.grow()`, which seldom have to."""

from __future__ import annotations

import ast
from collections.abc import Sequence

from ...facts import naming
from .gates import last_name
from .nested import nodes, statements


def catches_up(loop: ast.While, body: Sequence[ast.stmt]) -> str:
    """Return why a loop in a function's body seldom has to run; empty if it may run each time.

    It asks tensors that the object keeps between calls, changes them in its passes, and does not begin with them anew.
    """
    kept = {
        ast.unparse(each.func.value)
        for each in nodes(loop.test)
        if isinstance(each, ast.Call) and isinstance(each.func, ast.Attribute) and each.func.attr == "item"
        if isinstance(each.func.value, ast.Attribute)
    }
    if not kept or any(map(_steps, statements(loop.body))):
        return ""
    begun = {name for each in statements(body) if each.lineno < loop.lineno for name in _assigned(each)}
    changed = {name for each in statements(loop.body) for name in _changed(each)}
    found = sorted(name for name in kept - begun if name in changed or "self" in changed)
    return f"only until `{found[0]}` has caught up" if found else ""


def _steps(statement: ast.stmt) -> bool:
    """Whether a statement is a loop, or a step of training."""
    if isinstance(statement, ast.For | ast.AsyncFor | ast.While):
        return True
    calls = (last_name(each) for each in nodes(statement) if isinstance(each, ast.Call))
    return any(name in ("step", *naming.BACKWARD_FUNCTIONS) or "train" in name for name in calls)


def _assigned(statement: ast.stmt) -> list[str]:
    targets = statement.targets if isinstance(statement, ast.Assign) else ()
    return [ast.unparse(each) for each in targets if isinstance(each, ast.Attribute)]


def _changed(statement: ast.stmt) -> list[str]:
    """Return the attributes that a statement changes; `self` if it does no more than call a method of its object."""
    match statement:
        case ast.AugAssign(target=ast.Attribute() as target):
            return [ast.unparse(target)]
        case ast.Expr(value=ast.Call(func=ast.Attribute(value=ast.Name(id="self")))):
            return ["self"]
        case ast.Expr(value=ast.Call(func=ast.Attribute(value=ast.Attribute() as changed))):
            return [ast.unparse(changed)]
    return _assigned(statement)
