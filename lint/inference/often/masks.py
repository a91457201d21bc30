"""Which expressions are named like masks, through what is done to them."""

from __future__ import annotations

import ast

from ...facts import naming
from ...facts.attributes import RESHAPING
from ...regex import regex
from .gates import last_name

_MASK = regex(naming.MASKS)


def mask_name(node: ast.expr) -> str | None:
    """Return the name of a mask, even behind `~`, `&`, `|`, `cat` and views; None if no name says so."""
    match node:
        case ast.UnaryOp(op=ast.Invert(), operand=operand):
            return mask_name(operand)
        case ast.BinOp(op=ast.BitAnd() | ast.BitOr() | ast.BitXor(), left=left, right=right):
            return mask_name(left) or mask_name(right)
        case ast.Call(func=ast.Attribute(attr="cat" | "concat" | "stack"), args=[masks, *_]):
            return mask_name(masks)
        case ast.Call(func=ast.Attribute(value=viewed, attr=method)) if method in RESHAPING:
            return mask_name(viewed)
        case ast.Name() | ast.Attribute():
            name = last_name(node)
            return name if _MASK.search(name.lower()) else None
    return None
