"""Branches that only tell somebody that something is wrong."""

from __future__ import annotations

import ast
from collections.abc import Sequence

from ...facts import naming, states
from .gates import last_name


def out_of_range(test: ast.expr, code: Sequence[ast.stmt]) -> bool:
    """Whether code that runs if a condition holds begins with a message that a number is out of range, or is none."""
    match test, code:
        case (
            ast.Compare(left=ast.Call(), ops=[ast.Lt() | ast.LtE() | ast.Gt() | ast.GtE()], comparators=[limit]),
            [ast.Expr(value=ast.Call(func=func)), *_],
        ):
            return isinstance(limit, ast.Constant | ast.UnaryOp) and last_name(func) in naming.TELLING
        case ast.Call(func=ast.Attribute(value=ast.Call() as asked, attr="any")), [
            ast.Expr(value=ast.Call(func=func)),
            *_,
        ]:
            return last_name(asked) in states.NOT_FINITE and last_name(func) in naming.TELLING
    return False
