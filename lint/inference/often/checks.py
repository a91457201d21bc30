"""Functions that check what they are given, or what their object has: `validate` need not be of a model."""

from __future__ import annotations

import ast
from collections.abc import Sequence

from ...facts import naming
from .gates import last_name


def only_checks(body: Sequence[ast.stmt]) -> bool:
    """Whether all that a function does is to raise exceptions, or to call what does: it runs no model."""
    return any(map(_may_raise, body)) and _checks(body)


def _may_raise(statement: ast.stmt) -> bool:
    match statement:
        case ast.Assert() | ast.Raise():
            return True
        case ast.If(body=body, orelse=others):
            return any(map(_may_raise, (*body, *others)))
    return False


def _checks(body: Sequence[ast.stmt]) -> bool:
    """Whether all statements only raise, name something, call what checks, or give back what was checked."""
    return all(map(_is_of_check, body))


def _is_of_check(statement: ast.stmt) -> bool:
    match statement:
        case ast.Assert() | ast.Raise() | ast.Pass() | ast.Expr(value=ast.Constant()):
            return True
        case ast.If(body=body, orelse=others):
            return _checks((*body, *others))
        case ast.Expr(value=ast.Call() as call):
            return last_name(call).lstrip("_").startswith(naming.CHECKING_PREFIXES)
        case ast.Assign(value=value) | ast.AnnAssign(value=value) | ast.Return(value=value):
            return not isinstance(value, ast.Call | ast.Await)
    return False
