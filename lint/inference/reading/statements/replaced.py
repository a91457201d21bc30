"""Functions and classes that nothing can call, because the same body defines their names again before."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Sequence
from typing import Final, TypeAlias

from ...often.nested import nodes

_FUNCTIONS: Final = (ast.FunctionDef, ast.AsyncFunctionDef)
_KEEPING: Final = frozenset(("property", "staticmethod", "classmethod"))
"""Decorators that hand what they are given to nobody."""

Definition: TypeAlias = ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef


def replaced(body: Sequence[ast.stmt]) -> Iterator[Definition]:
    """Yield what a body of a module or class defines and, before anything can use it, defines again."""
    known: dict[str, int] = {}
    for at, statement in enumerate(body):
        if not isinstance(statement, Definition):
            continue
        first = known.get(statement.name)
        known[statement.name] = at
        if first is not None and not _is_used(body, first, at):
            yield body[first]  # type: ignore[misc]


def _is_used(body: Sequence[ast.stmt], first: int, second: int) -> bool:
    """Whether something may use what one statement defines before another defines the name again."""
    old, new = body[first], body[second]
    assert isinstance(old, Definition)
    if not all(isinstance(each, ast.Name) and each.id in _KEEPING for each in old.decorator_list):
        return True
    at_once = [part for each in (*body[first + 1 : second], new) for part in _run_at_once(each)]
    if any(isinstance(each, ast.Name) and each.id == old.name for each in at_once):
        return True
    if not any(isinstance(each, ast.Call) for each in at_once):
        return False
    others = (each for at, each in enumerate(body[:second]) if at != first)
    return any(isinstance(part, ast.Name) and part.id == old.name for each in others for part in nodes(each))


def _run_at_once(statement: ast.AST) -> Iterator[ast.AST]:
    """Yield the nodes of a statement that run with it, and not only when a function is called."""
    todo = [statement]
    while todo:
        node = todo.pop()
        yield node
        for name, value in ast.iter_fields(node):
            if name == "body" and isinstance(node, (*_FUNCTIONS, ast.Lambda)):
                continue
            todo += [each for each in (value if isinstance(value, list) else [value]) if isinstance(each, ast.AST)]
