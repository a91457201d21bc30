"""Branches that only tell somebody that something is wrong."""

from __future__ import annotations

import ast
from collections.abc import Sequence

from ...facts import naming
from .gates import last_name
from .states import not_finite


def out_of_range(test: ast.expr, code: Sequence[ast.stmt]) -> bool:
    """Whether code that runs if a condition holds begins with a message that a number is out of range, or is none."""
    match code:
        case [ast.Expr(value=ast.Call(func=func)), *_] if last_name(func) in naming.TELLING:
            return _passes_limit(test) or not_finite(test, True) is not None
    return False


def _passes_limit(test: ast.expr) -> bool:
    """Whether a condition compares what a call returns with a number: `norm(x) > 1e3`."""
    match test:
        case ast.Compare(left=ast.Call(), ops=[ast.Lt() | ast.LtE() | ast.Gt() | ast.GtE()], comparators=[limit]):
            return isinstance(limit, ast.Constant | ast.UnaryOp)
    return False
