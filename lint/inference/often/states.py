"""Conditions on the state of a program: whether it trains, evaluates, is traced, has gone wrong, or has something."""

from __future__ import annotations

import ast
from collections.abc import Callable
from functools import lru_cache

from ...facts import states
from ...regex import regex
from .gates import last_name
from .nested import nodes

_TRAINING = regex(states.TRAINING_FLAGS)
_EVALUATING = regex(states.EVALUATION_FLAGS)
_OVERFLOWS = regex(states.OVERFLOWS)
_CHECKED_FOR_FINITE = regex(states.CHECKED_FOR_FINITE)


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


def evaluating(test: ast.expr, holds: bool, is_given: Callable[[ast.Name], bool]) -> bool:
    """Whether a branch is taken only in evaluation: `if not self.training`, `mode == "val"`, `phase is Phase.VAL`.

    `is_given` tells the parameters of the function.
    """
    match test:
        case ast.UnaryOp(op=ast.Not(), operand=operand):
            return evaluating(operand, not holds, is_given)
        case ast.BoolOp(op=op, values=parts) if isinstance(op, ast.And) is holds:
            return any(evaluating(part, holds, is_given) for part in parts)
        case ast.Compare(
            left=left, ops=[op], comparators=[ast.Constant(value=str() as mode) | ast.Attribute(attr=mode)]
        ):
            named = last_name(left) in states.MODE_NAMES and mode.lower() in states.EVALUATION_MODES
            return named and isinstance(op, ast.Eq | ast.Is if holds else ast.NotEq | ast.IsNot)
        case ast.Name(id=name) if name in states.PLAIN_FLAGS and not is_given(test):
            return False
        case (
            ast.Name(id=name)
            | ast.Attribute(attr=name)
            | ast.Subscript(slice=ast.Constant(value=str() as name))
            | ast.Call(func=ast.Attribute(attr="get"), args=[ast.Constant(value=str() as name), *_])
        ):
            return (_EVALUATING if holds else _TRAINING).search(name.lower()) is not None
    return False


def trains(test: ast.expr, holds: bool, is_given: Callable[[ast.Name], bool]) -> bool:
    """Whether a branch is taken only in training, because a single flag says so: `if self.training`."""
    return isinstance(test, ast.Name | ast.Attribute) and evaluating(test, not holds, is_given)


def asked_for(test: ast.expr) -> tuple[ast.expr, bool] | None:
    """Return what a condition asks for, and whether it has to be None for it to hold: `x is None`, `exists(x)`."""
    match test:
        case ast.Compare(
            left=left,
            ops=[ast.Is() | ast.IsNot() | ast.Eq() | ast.NotEq() as op],
            comparators=[ast.Constant(value=None)],
        ):
            return left, isinstance(op, ast.Is | ast.Eq)
        case ast.Call(func=ast.Name(id=name), args=[asked], keywords=[]) if name in states.IS_THERE:
            return asked, False
    return None


def failing(test: ast.expr, holds: bool) -> str | None:
    """Return why a branch is taken only where training has gone wrong: a loss or a gradient is not finite."""
    match test:
        case ast.UnaryOp(op=ast.Not(), operand=operand):
            return failing(operand, not holds)
        case ast.BoolOp(op=op, values=parts):
            found = [failing(part, holds) for part in parts]
            return next(filter(None, found), None) if isinstance(op, ast.And) is holds or all(found) else None
    if (asked := not_finite(test, holds)) is not None:
        return next(filter(None, map(_checked_for_finite, asked)), None)
    name = last_name(test) if holds and isinstance(test, ast.Name | ast.Attribute | ast.Call) else ""
    return f"only where `{name}` is true" if _says_overflow(name) else None


@lru_cache(maxsize=4096)
def _says_overflow(name: str) -> bool:
    return _OVERFLOWS.search(name.lower()) is not None


def not_finite(test: ast.expr, holds: bool) -> list[ast.expr] | None:
    """Return what is not finite where a condition holds or does not: `x` of `not np.all(np.isfinite(x))`."""
    match test:
        case ast.UnaryOp(op=ast.Not(), operand=operand):
            return not_finite(operand, not holds)
        case ast.Call(func=ast.Name(id="bool" | "any" | "all"), args=[inner]):
            return not_finite(inner, holds)
        case ast.Call(func=ast.Attribute(value=ast.Name(), attr="any" | "all"), args=[ast.Call() as inner, *_]):
            return not_finite(inner, holds)
        case ast.Call(func=ast.Attribute(value=ast.Call() as inner, attr="any" | "all" | "item")):
            return not_finite(inner, holds)
        case ast.Call(func=func, args=given) if last_name(func) in (*states.NOT_FINITE, "isfinite"):
            wrong = last_name(func) != "isfinite"
            return ([*given, func.value] if isinstance(func, ast.Attribute) else given) if wrong is holds else None
    return None


def _checked_for_finite(node: ast.expr) -> str | None:
    names = (last_name(part).lower() for part in nodes(node) if isinstance(part, ast.Name | ast.Attribute))
    name = next(filter(_CHECKED_FOR_FINITE.search, names), None)
    return f"only where `{name}` is not finite" if name else None
