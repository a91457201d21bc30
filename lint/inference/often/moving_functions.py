"""The functions of a file that move what they are given in place: `for k in batch: batch[k] = batch[k].to(device)`."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping
from typing import Final, TypeAlias

from ...regex import regex
from .gates import last_name
from .moving import moved

AnyFunction: TypeAlias = ast.FunctionDef | ast.AsyncFunctionDef
_MOVES: Final = regex(r"(?:\]\s*=[^=\n][^\n]*|setattr\([^\n]*)(?:\.(?:to|cuda)\(|device\(|cuda\(|gpu\()")
"""A pattern for text without which no function of a file does so."""
NOWHERE: Final = -1
"""The position of what is only passed by its name."""
_THROUGH: Final = frozenset(("items", "keys"))
_OF_FIELDS: Final = frozenset(("vars", "fields"))


def moving_functions(tree: ast.Module, text: str) -> Mapping[str, Mapping[str, int]]:
    """Return the functions of a file, methods with their class, and the parameters whose items or attributes they move.

    These have their positions, in methods without the object. Whoever has called such a function holds what is on the
    device.
    """
    lines = {text.count("\n", 0, each.start()) + 1 for each in _MOVES.finditer(text)}
    if not lines:
        return {}
    found: dict[str, dict[str, int]] = {}
    for name, node in _functions(tree):
        if lines.isdisjoint(range(node.lineno, (node.end_lineno or node.lineno) + 1)):
            continue
        is_bound = "." in name and "staticmethod" not in map(last_name, node.decorator_list)
        for each in moved_parameters(node):
            names = [argument.arg for argument in (*node.args.posonlyargs, *node.args.args)]
            found.setdefault(name, {})[each] = names.index(each) - is_bound if each in names else NOWHERE
    return found


def handed(call: ast.Call, parameters: Mapping[str, int]) -> Iterator[ast.expr]:
    """Yield what a call passes for some parameters, by their names or positions."""
    for name, at in parameters.items():
        if 0 <= at < len(call.args):
            yield call.args[at]
        yield from (each.value for each in call.keywords if each.arg == name)


def _functions(tree: ast.Module) -> Iterator[tuple[str, AnyFunction]]:
    for node in tree.body:
        if isinstance(node, AnyFunction):
            yield node.name, node
        elif isinstance(node, ast.ClassDef):
            yield from ((f"{node.name}.{each.name}", each) for each in node.body if isinstance(each, AnyFunction))


def moved_parameters(function: AnyFunction) -> frozenset[str]:
    """Return the parameters of which a loop in the function moves each item, or attribute, in place."""
    nodes = [*ast.walk(function)]
    rebound = {each.id for each in nodes if isinstance(each, ast.Name) and isinstance(each.ctx, ast.Store)}
    given = {each.arg for each in nodes if isinstance(each, ast.arg)} - rebound
    loops = [(_gone_through(each.iter), each) for each in nodes if isinstance(each, ast.For)]
    return frozenset(name for name, loop in loops if name in given and _moves_each(loop, name))


def _gone_through(iterable: ast.expr) -> str:
    """Return the name of what a loop over `x`, `x.items()`, `range(len(x))`, `vars(x)` or the like goes through."""
    match iterable:
        case ast.Name(id=name):
            return name
        case ast.Call(func=ast.Name(id=name), args=[inner, *_]) if name in _OF_FIELDS:
            return _gone_through(inner)
        case ast.Call(func=ast.Attribute(attr="fields"), args=[inner]):
            return _gone_through(inner)
        case ast.Call(func=ast.Name(id="range" | "len" | "enumerate" | "list" | "tuple" | "sorted"), args=[inner]):
            return _gone_through(inner)
        case ast.Call(func=ast.Attribute(value=holder, attr=name), args=[]) if name in _THROUGH:
            return _gone_through(holder)
        case ast.Attribute(value=holder, attr="__dict__"):
            return _gone_through(holder)
    return ""


def _moves_each(loop: ast.For, name: str) -> bool:
    """Whether a loop binds the items, or attributes, of what it goes through to what is moved, under their names."""
    keys = {each.id for each in ast.walk(loop.target) if isinstance(each, ast.Name)}
    return any(_moves(each, name, keys) for statement in loop.body for each in ast.walk(statement))


def _moves(node: ast.AST, name: str, keys: set[str]) -> bool:
    match node:
        case ast.Assign(targets=[ast.Subscript(value=holder, slice=key)], value=ast.Call() as value):
            return _gone_through(holder) == name and _is_one_of(key, keys) and _is_moved(value)
        case ast.Call(func=ast.Name(id="setattr"), args=[ast.Name(id=holder), key, ast.Call() as value]):
            return holder == name and _is_one_of(key, keys) and _is_moved(value)
    return False


def _is_moved(call: ast.Call) -> bool:
    """Whether a call moves an item to a device, which a helper may name as it likes: `v.to(d)`."""
    match call:
        case ast.Call(func=ast.Attribute(attr="to"), args=[ast.Name() as where]):
            return "type" not in where.id
    return any(True for _ in moved(call))


def _is_one_of(key: ast.expr, keys: set[str]) -> bool:
    """Whether a key, or the name of an attribute, is what the loop binds, or of that: `field.name`."""
    key = key.value if isinstance(key, ast.Attribute) else key
    return isinstance(key, ast.Name) and key.id in keys
