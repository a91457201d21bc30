"""Conditions in the words of their source, shortened."""

from __future__ import annotations

import ast
from typing import Final

from ....limits import LONGEST_CONDITION
from ...notes.quotation import CUT, one_line, quotation
from ..state.frame import Frame

WORDS: Final[dict[type[ast.cmpop], str]] = {
    ast.Is: "is", ast.IsNot: "is not", ast.Eq: "==", ast.NotEq: "!=", ast.In: "in", ast.NotIn: "not in",
    ast.Lt: "<", ast.GtE: ">=", ast.Gt: ">", ast.LtE: "<=",
}  # fmt: skip
OPPOSITES: Final[dict[type[ast.cmpop], type[ast.cmpop]]] = {
    ast.Is: ast.IsNot, ast.IsNot: ast.Is, ast.Eq: ast.NotEq, ast.NotEq: ast.Eq, ast.In: ast.NotIn, ast.NotIn: ast.In,
    ast.Lt: ast.GtE, ast.GtE: ast.Lt, ast.Gt: ast.LtE, ast.LtE: ast.Gt,
}  # fmt: skip
ORDERS: Final = (ast.Lt, ast.LtE, ast.Gt, ast.GtE)


def worded(frame: Frame, test: ast.expr, holds: bool) -> str:
    """Return a condition, or its opposite, in the words of its source."""
    text = frame.recorder.source.segment
    match test:
        case ast.Compare(left=left, ops=[op], comparators=[right]):
            left = left.value if isinstance(left, ast.NamedExpr) else left
            words = f"{text(left)} {WORDS[OPPOSITES[type(op)] if not holds else type(op)]} {text(right)}"
        case ast.BoolOp(op=op, values=[first, *_]):
            words = one_line(text(test))
            if len(words) > LONGEST_CONDITION:  # cut in the middle, it would tell nothing
                words = f"{text(first)} {'or' if isinstance(op, ast.Or) else 'and'} {CUT}"
            words = words if holds else f"not ({words})"
        case _:
            words = text(test) if holds else f"not {text(test)}"
    return quotation(words, LONGEST_CONDITION)
