"""What a class's source shows before it is read: its fields, and how often its attributes are bound."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from typing import Final

from ...often.nested import statements

_ITSELF: Final = ("self", "ctx")
_BINDING: Final = (ast.Assign, ast.AnnAssign, ast.AugAssign, ast.For, ast.With)


def fields_of(node: ast.ClassDef) -> tuple[str, ...]:
    """Return the annotated names of a class's body, in order."""
    declared = (each.target for each in node.body if isinstance(each, ast.AnnAssign))
    return tuple(target.id for target in declared if isinstance(target, ast.Name))


def bindings_of_self(node: ast.ClassDef) -> dict[str, int]:
    """Return how often the class binds each attribute of `self` or `ctx`; a `for` or `with` that binds one is two."""
    counts: dict[str, int] = {}
    for statement in statements(node.body):
        for target, weight in _targets(statement) if isinstance(statement, _BINDING) else ():
            if isinstance(target, ast.Attribute) and isinstance(target.value, ast.Name) and target.value.id in _ITSELF:
                counts[target.attr] = counts.get(target.attr, 0) + weight
    return counts


def _targets(statement: ast.stmt) -> Iterator[tuple[ast.expr, int]]:
    """Yield what a statement binds, each with its weight."""
    match statement:
        case ast.Assign(targets=targets):
            for target in targets:
                for part in target.elts if isinstance(target, ast.Tuple | ast.List) else (target,):
                    yield part, 1
        case ast.AnnAssign(target=target, value=value) if value is not None:
            yield target, 1
        case ast.AugAssign(target=target):
            yield target, 2
        case ast.For(target=target):
            for part in target.elts if isinstance(target, ast.Tuple | ast.List) else (target,):
                yield part, 2
        case ast.With(items=items):
            for item in items:
                if item.optional_vars is not None:
                    yield item.optional_vars, 2
