"""Names that are None but for what a gate sets them to: `snapshot = None`, then `if step % n == 0: snapshot = …`."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping, Sequence

from .gates import gate
from .nested import BLOCKS, bound_by, statements


def set_seldom(body: Sequence[ast.stmt]) -> Mapping[str, str]:
    """Return the names that are given a value only now and then, after None in the same block, and why."""
    found: dict[str, str] = {}
    kept: set[ast.stmt] = set()
    for block in _blocks(body):
        empty: set[str] = set()
        for statement in block:
            if names := _emptied(statement):
                empty |= names
                kept.add(statement)
            elif isinstance(statement, ast.If) and empty and (words := gate(statement.test, True)) is not None:
                for each in statements(statement.body):
                    for name in empty.intersection(bound_by(each)):
                        found[name] = words
                        kept.add(each)
    if not found:
        return found
    others = {name for each in statements(body) if each not in kept for name in bound_by(each)}
    return {name: words for name, words in found.items() if name not in others}


def sets(test: ast.expr, holds: bool) -> str:
    """Return the name that has been given a value, and not None, if a condition holds, or does not."""
    match test:
        case ast.BoolOp(op=op, values=parts) if isinstance(op, ast.And) is holds:
            return next(filter(None, (sets(each, holds) for each in parts)), "")
        case ast.UnaryOp(op=ast.Not(), operand=operand):
            return sets(operand, not holds)
        case ast.Compare(left=ast.Name(id=name), ops=[op], comparators=[ast.Constant(value=None)]):
            return name if isinstance(op, ast.IsNot if holds else ast.Is) else ""
        case ast.Name(id=name) if holds:
            return name
    return ""


def _blocks(body: Sequence[ast.stmt]) -> Iterator[Sequence[ast.stmt]]:
    yield body
    for each in statements(body):
        for block in BLOCKS.get(type(each), ()):
            yield getattr(each, block)


def _emptied(statement: ast.stmt) -> set[str]:
    """Return the names that a statement binds to None."""
    match statement:
        case ast.Assign(targets=targets, value=ast.Constant(value=None)):
            return {each.id for each in targets if isinstance(each, ast.Name)}
    return set()
