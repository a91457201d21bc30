"""Flags that are off by default: what they turn on runs only where somebody asks for it."""

from __future__ import annotations

import ast
from collections.abc import Iterator


def flag_in(test: ast.expr, holds: bool) -> str | None:
    """Return the flag that must be set for a condition to hold, or not to: a name, or an attribute of `self`."""
    match test:
        case ast.UnaryOp(op=ast.Not(), operand=operand):
            return flag_in(operand, not holds)
        case ast.BoolOp(op=op, values=parts) if isinstance(op, ast.And) is holds:
            return next(filter(None, (flag_in(part, holds) for part in parts)), None)
        case ast.Name(id=name) | ast.Attribute(value=ast.Name(id="self"), attr=name) if holds:
            return name
    return None


def off_by_default(tree: ast.Module) -> frozenset[str]:
    """Return the parameters whose default is False, and that nothing in the file sets to anything else."""
    off: set[str] = set()
    on: set[str] = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.arguments):
            for name, default in _defaults(node):
                (off if _is_false(default) else on).add(name)
        else:
            on.update(_set_to(node))
    return frozenset(off - on)


def _defaults(given: ast.arguments) -> Iterator[tuple[str, ast.expr]]:
    plain = [*given.posonlyargs, *given.args]
    yield from ((each.arg, value) for each, value in zip(plain[len(plain) - len(given.defaults) :], given.defaults))
    yield from ((each.arg, value) for each, value in zip(given.kwonlyargs, given.kw_defaults) if value is not None)


def _set_to(node: ast.AST) -> Iterator[str]:
    """Yield the names to which a node gives another value than False or a flag of the same name."""
    match node:
        case ast.keyword(arg=str() as name, value=value) if not _hands_on(name, value):
            yield name
        case ast.Assign(targets=targets, value=value):
            names = (each.id if isinstance(each, ast.Name) else getattr(each, "attr", "") for each in targets)
            yield from (name for name in names if not _hands_on(name, value))


def _hands_on(name: str, value: ast.expr) -> bool:
    """Whether a flag is only handed on under its own name, or is False."""
    match value:
        case ast.Name(id=given) | ast.Attribute(attr=given):
            return given == name
    return _is_false(value)


def _is_false(value: ast.expr) -> bool:
    return isinstance(value, ast.Constant) and value.value is False
