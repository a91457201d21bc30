"""Finds the constants that a module binds to options: in a dict of defaults, or as attributes of a configuration."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Sequence

from ...often.nested import statements


def declared_options(body: Sequence[ast.stmt]) -> Iterator[tuple[str, ast.Constant]]:
    """Yield the options that a module's body declares, also in functions that return what they set them on."""
    for statement in body:
        match statement:
            case ast.Assign(targets=[ast.Attribute() as target], value=value):
                yield from _held(target.attr, value)
            case ast.Assign(targets=[ast.Name()], value=ast.Dict() | ast.Call(func=ast.Name(id="dict")) as value):
                yield from _items(value)
            case ast.FunctionDef(body=inner):
                inside = [*statements(inner)]
                returned = {_name(each.value) for each in inside if isinstance(each, ast.Return)} - {None}
                yield from (each for part in inner if _root(part) in returned for each in declared_options([part]))


def _held(name: str, value: ast.expr) -> Iterator[tuple[str, ast.Constant]]:
    if isinstance(value, ast.Constant):
        yield name, value
    else:
        yield from _items(value)


def _items(value: ast.expr) -> Iterator[tuple[str, ast.Constant]]:
    """Yield the constants of a dict by their keys, and those of dicts in it."""
    match value:
        case ast.Dict(keys=keys, values=values):
            for key, each in zip(keys, values):
                if isinstance(key, ast.Constant) and isinstance(key.value, str):
                    yield from _held(key.value, each)
        case ast.Call(func=ast.Name(id="dict"), keywords=given):
            for keyword in given:
                yield from _held(keyword.arg, keyword.value) if keyword.arg else ()


def _root(statement: ast.stmt) -> str | None:
    """Return the name on an attribute of which a statement sets something."""
    match statement:
        case ast.Assign(targets=[ast.Attribute() as node]):
            inner: ast.expr = node
            while isinstance(inner, ast.Attribute):
                inner = inner.value
            return inner.id if isinstance(inner, ast.Name) else None
    return None


def _name(node: ast.expr | None) -> str | None:
    return node.id if isinstance(node, ast.Name) else None
