"""Branches that only tell somebody that something is wrong."""

from __future__ import annotations

import ast
from collections.abc import Sequence

from ...facts import naming
from .gates import last_name


def out_of_range(test: ast.expr, code: Sequence[ast.stmt]) -> bool:
    """Whether code that runs if a condition holds begins with a message that a computed number is out of range."""
    match test, code:
        case (
            ast.Compare(left=ast.Call(), ops=[ast.Lt() | ast.LtE() | ast.Gt() | ast.GtE()], comparators=[limit]),
            [ast.Expr(value=ast.Call(func=func)), *_],
        ):
            return isinstance(limit, ast.Constant | ast.UnaryOp) and last_name(func) in naming.TELLING
    return False
