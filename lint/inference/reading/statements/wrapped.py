"""Finds loaders under the names of what wraps them: `bar = tqdm(enumerate(loader))`, then `for step, batch in bar`.

A `with` statement binds such names, too: `with tqdm(loader) as bar`.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator

from ...often.gates import last_name, loader_name, names_evaluation, wrapped, wraps
from ...often.nested import statements
from ..state.frame import Frame


def iterated(frame: Frame, node: ast.expr) -> ast.expr:
    """Return what a loop goes through: what its name is bound to in this function, if that wraps a loader.

    So does a call that counts it: `enumerate(bar)`.
    """
    match node:
        case ast.Call(func=func, args=[ast.Name() as bar, *others], keywords=named) if wraps(node):
            inner = iterated(frame, bar)
            return node if inner is bar else ast.copy_location(ast.Call(func, [inner, *others], named), node)
        case ast.Name() if loader_name(node) is None:
            return bound(frame, node)
    return node


def bound(frame: Frame, node: ast.Name) -> ast.expr:
    """Return what a name is bound to in this function, last before it, if that wraps a loader; else the name."""
    body = frame.body
    if body[0] not in frame.file.wrapped:
        found = frame.file.wrapped[body[0]] = {}
        for name, value in (each for statement in statements(body) for each in _bindings(statement)):
            if wraps(value) and last_name(wrapped(value)) != name:  # `bar = tqdm(bar)` goes through the same
                found.setdefault(name, []).append(value)
    known = frame.file.wrapped[body[0]].get(node.id, [node])
    before = [each for each in known if each.lineno <= node.lineno]
    last = max(before or known, key=lambda each: each.lineno)
    return node if loader_name(last) is None and not names_evaluation(last) else last


def _bindings(statement: ast.stmt) -> Iterator[tuple[str, ast.expr]]:
    """Yield the name that a statement binds first, and those of its context managers, with what they are bound to."""
    match statement:
        case ast.Assign(targets=[ast.Name(id=name), *_], value=value):
            yield name, value
        case ast.With(items=items) | ast.AsyncWith(items=items):
            yield from (
                (each.optional_vars.id, each.context_expr) for each in items if isinstance(each.optional_vars, ast.Name)
            )
