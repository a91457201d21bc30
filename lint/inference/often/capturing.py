"""Conditions that ask whether a CUDA graph is captured, or whether `torch.compile` reads the code."""

from __future__ import annotations

import ast
from typing import Final

from ...facts import states
from ...regex import regex
from .gates import last_name

_CAPTURES: Final = regex(states.CAPTURES)


def while_capturing(test: ast.expr, holds: bool) -> bool | None:
    """Whether a branch of a condition is only taken while a CUDA graph is captured; False if only while none is.

    None if the condition does not tell. A name that speaks of capture, or of CUDA graphs, tells that none is there.
    """
    match test:
        case ast.UnaryOp(op=ast.Not(), operand=operand):
            return while_capturing(operand, not holds)
        case ast.BoolOp(op=op, values=parts) if isinstance(op, ast.And) is holds:
            return next((found for each in parts if (found := while_capturing(each, holds)) is not None), None)
        case ast.Call(func=ast.Name() | ast.Attribute() as func):
            return holds if last_name(func) in states.CAPTURING else _named(func, holds)
        case ast.Name() | ast.Attribute():
            return _named(test, holds)
    return None


def only_uncompiled(test: ast.expr, holds: bool) -> bool:
    """Whether a branch of a condition is never taken while `torch.compile` reads it."""
    match test:
        case ast.UnaryOp(op=ast.Not(), operand=operand):
            return only_uncompiled(operand, not holds)
        case ast.BoolOp(op=op, values=parts) if isinstance(op, ast.And) is holds:
            return any(only_uncompiled(each, holds) for each in parts)
        case ast.Call(func=ast.Name() | ast.Attribute() as func):
            return not holds and last_name(func).lstrip("_") in states.COMPILING
    return False


def _named(node: ast.expr, holds: bool) -> bool | None:
    return False if not holds and _CAPTURES.search(last_name(node).lower()) else None
