"""Lists and dicts that are empty where they are made, and filled by other functions alone."""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator
from typing import Final

from ...often.nested import nodes
from ...values.joining import join
from ...values.ops import Op
from ...values.union import Deferred, Sequence, Value, defer
from ..state.frame import Frame, FunctionNode

ITEMS: Final = "[]"
"""What follows the name of a dict in that of what functions fill it with."""
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


def filled_by_functions(frame: Frame) -> set[str]:
    """Return the names that a module binds to empty dicts which its functions fill: registries."""
    text = frame.file.source.text
    empty = {name for name, value in frame.env.items() if _is_empty(value, "dict") and f"{name}[" in text}
    inner = (each.node for each in frame.inner if each.node is not None)
    return empty.intersection(each for function in inner for each in _filled(nodes(function))) if empty else empty


def dict_of_others(frame: Frame, name: str) -> Value:
    """Return a dict of the module that functions fill; linking tells with what."""
    return Sequence("dict", None, frame.recorder.same(defer(Op.NAME, f"{frame.file.module}.{name}{ITEMS}")))


def note_filled(frame: Frame, base: Value, value: Value) -> None:
    """Record what a function adds to such a dict."""
    match base:
        case Sequence("dict", None, Deferred(Op.NAME, name)) if name.endswith(ITEMS):
            known, name = frame.file.rebound_globals, name.removeprefix(f"{frame.file.module}.")
            known[name] = join(known[name], value) if name in known else value


def _empty(frame: Frame, names: Iterable[str]) -> set[str]:
    """Return those of the names that hold an empty list."""
    return {name for name in names if _is_empty(frame.env.get(name))}


def _is_empty(value: Value | None, kind: str = "list") -> bool:
    return isinstance(value, Sequence) and value.kind == kind and value.items == ()


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
