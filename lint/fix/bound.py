"""What a name or an attribute always stands for: the call whose result it is given."""

from __future__ import annotations

import ast

from .module import Module
from .place import Place
from .syntax import bindings, is_name


def made(node: ast.expr, place: Place) -> ast.Call | None:
    """Return the call whose result is all that a name of the function or an attribute of `self` ever stands for."""
    module = place.module
    if isinstance(node, ast.Name):
        scope = module.scope(place.node)
        if isinstance(scope, ast.ClassDef) or bindings(node.id, [scope]) != 1:
            return None
        found = [each for each in ast.walk(scope) if isinstance(each, ast.Assign) and _is_bound(each, node.id)]
    elif isinstance(node, ast.Attribute) and is_name(node.value, "self"):
        found = [each for each in ast.walk(module.source.tree) if isinstance(each, ast.Assign) and _is_set(each, node)]
        if _stores(node.attr, module) != 1:
            return None
    else:
        return None
    value = found[0].value if len(found) == 1 else None
    return value if isinstance(value, ast.Call) else None


def _is_bound(statement: ast.Assign, name: str) -> bool:
    return len(statement.targets) == 1 and is_name(statement.targets[0], name)


def _is_set(statement: ast.Assign, node: ast.Attribute) -> bool:
    target = statement.targets[0]
    return len(statement.targets) == 1 and isinstance(target, ast.Attribute) and target.attr == node.attr


def _stores(name: str, module: Module) -> int:
    """Return how often an attribute of that name is set, of whatever object."""
    every = (each for each in ast.walk(module.source.tree) if isinstance(each, ast.Attribute) and each.attr == name)
    return sum(not isinstance(each.ctx, ast.Load) for each in every)
