"""Lists that are empty where they are made, and filled by other functions alone: nobody knows with what."""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator
from typing import Final

from ...often.nested import nodes
from ...values.union import Sequence, Value
from ..state.frame import Frame, FunctionNode

FILLING: Final = frozenset(("append", "appendleft", "insert", "extend"))
"""Methods that add to what they are called on."""


def filled_inside(frame: Frame, function: FunctionNode) -> None:
    """Forget that lists are empty which a nested function fills whenever it is called."""
    if frame.node is not None and (empty := _empty(frame, frame.env)):
        _forget(frame, frame.node, empty.intersection(_filled(nodes(function))))


def filled_by_call(frame: Frame, call: ast.Call) -> None:
    """Forget that lists are empty which are given to a function: there is nothing else to do with them."""
    given = [each.id for each in call.args if isinstance(each, ast.Name)]
    given += [each.value.id for each in call.keywords if isinstance(each.value, ast.Name)]
    if frame.node is not None and (empty := _empty(frame, given)):
        _forget(frame, frame.node, empty)


def _empty(frame: Frame, names: Iterable[str]) -> set[str]:
    """Return those of the names that hold an empty list."""
    return {name for name in names if _is_empty(frame.env.get(name))}


def _is_empty(value: Value | None) -> bool:
    return isinstance(value, Sequence) and value.kind == "list" and value.items == ()


def _forget(frame: Frame, function: FunctionNode, names: set[str]) -> None:
    """Forget what is in lists that the function does not fill itself, which would tell what they hold."""
    for name in names.difference(_filled(_own_code(function))) if names else ():
        frame.assign_name(name, Sequence("list"))


def _own_code(function: FunctionNode) -> list[ast.AST]:
    """Return what is in a function, but not in those nested in it."""
    code = nodes(function)
    nested = [
        each for each in code if isinstance(each, ast.FunctionDef | ast.AsyncFunctionDef) and each is not function
    ]
    inside = {inner for each in nested for inner in nodes(each)}
    return [each for each in code if each not in inside]


def _filled(code: Iterable[ast.AST]) -> Iterator[str]:
    """Yield the names of what is added to."""
    for node in code:
        match node:
            case ast.Call(func=ast.Attribute(value=ast.Name(id=name), attr=method)) if method in FILLING:
                yield name
            case ast.Subscript(value=ast.Name(id=name), ctx=ast.Store()) | ast.AugAssign(target=ast.Name(id=name)):
                yield name
