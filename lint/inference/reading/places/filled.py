"""Lists and dicts that are empty where they are made, and filled by other functions: their contents are unknown."""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator
from typing import Final

from ...often.nested import nodes
from ...values.union import Sequence, Value
from ..state.frame import Frame, FunctionNode

FILLING: Final = frozenset(("append", "appendleft", "add", "insert", "extend", "update", "setdefault"))
"""Methods that add to what they are called on."""


def filled_inside(frame: Frame, function: FunctionNode) -> None:
    """Forget that containers are empty which a nested function fills whenever it is called."""
    if frame.scope and any(map(_is_empty, frame.env.values())):
        _forget(frame, _filled(nodes(function)))


def filled_by_call(frame: Frame, call: ast.Call) -> None:
    """Forget that containers are empty which are given to a function: there is nothing else to do with them."""
    given = (*call.args, *(keyword.value for keyword in call.keywords))
    _forget(frame, (each.id for each in given if isinstance(each, ast.Name)))


def _forget(frame: Frame, names: Iterable[str]) -> None:
    for name in names:
        if isinstance(known := frame.env.get(name), Sequence) and _is_empty(known):
            frame.assign_name(name, Sequence(known.kind))


def _is_empty(value: Value) -> bool:
    return isinstance(value, Sequence) and value.items == () and value.kind in ("list", "dict", "set")


def _filled(code: Iterable[ast.AST]) -> Iterator[str]:
    """Yield the names of what statements add to."""
    for node in code:
        match node:
            case ast.Call(func=ast.Attribute(value=ast.Name(id=name), attr=method)) if method in FILLING:
                yield name
            case ast.Subscript(value=ast.Name(id=name), ctx=ast.Store()):
                yield name
