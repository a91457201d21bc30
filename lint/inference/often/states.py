"""Conditions on the state of a program: whether it trains, evaluates, is traced, has gone wrong, or has something."""

from __future__ import annotations

import ast

from ...facts import states
from ...regex import regex
from .gates import last_name

_TRAINING = regex(states.TRAINING_FLAGS)
_EVALUATING = regex(states.EVALUATION_FLAGS)


def traced(test: ast.expr, holds: bool) -> bool:
    """Whether a branch of the condition is taken only while the code is scripted, traced or exported."""
    match test:
        case ast.UnaryOp(op=ast.Not(), operand=operand):
            return traced(operand, not holds)
        case ast.BoolOp(op=op, values=parts) if isinstance(op, ast.And) is holds:
            return any(traced(part, holds) for part in parts)
        case ast.Call(func=func):
            return holds and last_name(func).startswith(states.TRACING)
    return False


def evaluating(test: ast.expr, holds: bool) -> bool:
    """Whether a branch is taken only in evaluation: `if not self.training`, `if args.evaluate`."""
    match test:
        case ast.UnaryOp(op=ast.Not(), operand=operand):
            return evaluating(operand, not holds)
        case ast.BoolOp(op=op, values=parts) if isinstance(op, ast.And) is holds:
            return any(evaluating(part, holds) for part in parts)
        case (
            ast.Name(id=name)
            | ast.Attribute(attr=name)
            | ast.Subscript(slice=ast.Constant(value=str() as name))
            | ast.Call(func=ast.Attribute(attr="get"), args=[ast.Constant(value=str() as name), *_])
        ):
            return (_EVALUATING if holds else _TRAINING).search(name.lower()) is not None
    return False


def trains(test: ast.expr, holds: bool) -> bool:
    """Whether a branch is taken only in training, because a single flag says so: `if self.training`."""
    return isinstance(test, ast.Name | ast.Attribute) and evaluating(test, not holds)


def asked_for(test: ast.expr) -> tuple[ast.expr, bool] | None:
    """Return what a condition asks for, and whether it has to be None for it to hold: `x is None`."""
    match test:
        case ast.Compare(
            left=left,
            ops=[ast.Is() | ast.IsNot() | ast.Eq() | ast.NotEq() as op],
            comparators=[ast.Constant(value=None)],
        ):
            return left, isinstance(op, ast.Is | ast.Eq)
    return None


def failing(test: ast.expr, holds: bool) -> bool:
    """Whether a branch is taken only where numbers have gone wrong: something is not finite."""
    match test:
        case ast.UnaryOp(op=ast.Not(), operand=operand):
            return failing(operand, not holds)
        case ast.BoolOp(op=op, values=parts):
            found = [failing(part, holds) for part in parts]
            return any(found) if isinstance(op, ast.And) is holds else all(found)
    return not_finite(test, holds)


def not_finite(test: ast.expr, holds: bool) -> bool:
    """Whether a condition that holds, or does not, says that something is not finite: `not np.all(np.isfinite(x))`."""
    match test:
        case ast.UnaryOp(op=ast.Not(), operand=operand):
            return not_finite(operand, not holds)
        case ast.Call(func=ast.Name(id="bool" | "any" | "all"), args=[inner]):
            return not_finite(inner, holds)
        case ast.Call(func=ast.Attribute(value=ast.Name(), attr="any" | "all"), args=[ast.Call() as inner, *_]):
            return not_finite(inner, holds)
        case ast.Call(func=ast.Attribute(value=ast.Call() as inner, attr="any" | "all" | "item")):
            return not_finite(inner, holds)
        case ast.Call(func=func) if (name := last_name(func)) in (states.FINITE, *states.NOT_FINITE):
            return (name != states.FINITE) is holds
    return False
