"""Conditions that hold once enough has passed since they last held: `if now - last > n: …; last = now`."""

from __future__ import annotations

import ast
from collections.abc import Sequence

from .nested import nodes, statements


def since_last(test: ast.expr, holds: bool, code: Sequence[ast.stmt]) -> str | None:
    """Return why code that runs if a condition holds, or does not, runs only every so often; None if nothing tells.

    The condition adds to what the code notes, or subtracts it, and compares that with what is noted.
    """
    match test:
        case ast.UnaryOp(op=ast.Not(), operand=operand):
            return since_last(operand, not holds, code)
        case ast.BoolOp(op=op, values=parts):
            asked = parts if isinstance(op, ast.And) is holds else parts[:1]  # what else lets it run is seldom too
            return next(filter(None, (since_last(each, holds, code) for each in asked)), None)
        case ast.Compare(ops=[ast.Lt() | ast.LtE() | ast.Gt() | ast.GtE()]):
            apart = [each for each in nodes(test) if isinstance(each, ast.BinOp)]
            kept = {ast.unparse(part) for each in apart for part in _terms(each)}
            noted = filter(None, (_noted(each, kept, test) for each in statements(code))) if kept else ()
            return next((f"only when enough has passed since `{name}` was set" for name in noted), None)
    return None


def _terms(node: ast.BinOp) -> list[ast.expr]:
    """Return the names and attributes that are added or subtracted here."""
    if not isinstance(node.op, ast.Add | ast.Sub):
        return []
    return [each for each in (node.left, node.right) if isinstance(each, ast.Name | ast.Attribute)]


def _noted(statement: ast.stmt, kept: set[str], test: ast.expr) -> str | None:
    """Return which of these a statement binds to something else in the condition; None if it binds none."""
    match statement:
        case ast.Assign(targets=[ast.Name() | ast.Attribute() as target], value=value):
            name, now = ast.unparse(target), ast.unparse(value)
            compared = (ast.unparse(each) for each in nodes(test) if isinstance(each, ast.expr))
            if name in kept and now != name and now in compared:
                return name
    return None
