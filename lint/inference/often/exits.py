"""Where statements are left early, and what that tells of those that follow: `if not mask.any(): return`."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Sequence
from typing import Final

LEAVING: Final = (ast.If, ast.With, ast.AsyncWith, ast.Try)
"""Statements in which another may leave, and which else lead to what follows them."""


def passed(statement: ast.stmt) -> Iterator[tuple[ast.If, bool]]:
    """Yield the branches past which a statement leads to the next one, whose conditions hold there, or do not.

    Of `if a: return` followed by `elif b: return` neither holds.
    """
    match statement:
        case ast.If(body=body, orelse=other):
            if leaves(body):
                yield statement, False
            elif leaves(other):
                yield statement, True
            if leaves(body) or _raises(body):
                yield from _passed_in(other)
            elif leaves(other) or _raises(other):
                yield from _passed_in(body)
        case ast.With(body=body) | ast.AsyncWith(body=body):
            yield from _passed_in(body)
        case ast.Try(body=body, handlers=handlers, orelse=other):
            if all(leaves(each.body) or _raises(each.body) for each in handlers):
                yield from _passed_in([*body, *other])


def passed_if_missing(statement: ast.stmt) -> Iterator[ast.expr]:
    """Yield what need not hold where a statement leads to the next one, which it asks before it may leave.

    After `if a: if b: return`, either does not hold.
    """
    match statement:
        case ast.If(test=test, body=[*_, ast.If(body=inner, orelse=[])], orelse=[]) if leaves(inner):
            yield test


def _passed_in(body: Sequence[ast.stmt]) -> Iterator[tuple[ast.If, bool]]:
    for each in body:
        yield from passed(each)


def leaves(body: Sequence[ast.stmt]) -> bool:
    """Whether a block never leads to what follows it, but returns, or goes on with the next pass of a loop."""
    match body:
        case [*_, ast.Return() | ast.Continue()]:
            return True
        case [*_, ast.With(body=inner)]:
            return leaves(inner)
        case [*_, ast.If(body=one, orelse=other)]:
            return (leaves(one) and (leaves(other) or _raises(other))) or (_raises(one) and leaves(other))
    return False


def _raises(body: Sequence[ast.stmt]) -> bool:
    return bool(body) and isinstance(body[-1], ast.Raise)
