"""Rewritings of loops over the elements of a tensor."""

from __future__ import annotations

import ast

from ...finding import Edit
from ..place import Place, smallest
from ..syntax import bindings, is_path, is_written, method, uses


def elements_as_list(place: Place) -> list[Edit] | None:
    """Write `for n in t.tolist():` and `n` for `for n in t:` and `n.item()`, if nothing else is done with `n`."""
    module, loop = place.module, _loop(place)
    if loop is None or not isinstance(loop.target, ast.Name):
        return None
    name, scope, tensor = loop.target.id, module.scope(loop), module.text(loop.iter)
    if not isinstance(scope, ast.FunctionDef | ast.AsyncFunctionDef) or not is_path(loop.iter) or loop.orelse:
        return None
    if bindings(name, [scope]) != 1 or is_written(tensor, loop.body):
        return None
    inside = uses(name, loop.body)
    reads = [_read(each, module.parents.get(each), place) for each in inside]
    if not inside or len(inside) != len(uses(name, [scope])) or None in reads:
        return None
    items = [read for read in reads if isinstance(read, ast.Call) and isinstance(read.func, ast.Attribute)]
    edits = [smallest(module.replaced(loop.iter, f"{tensor}.tolist()"), tensor)]
    return edits + [smallest(module.replaced(each, name), module.text(each)) for each in items]


def _loop(place: Place) -> ast.For | None:
    """Return the loop over a tensor's elements that the place, where one of them is read, stands in."""
    node: ast.AST | None = place.node
    while node is not None and not isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda):
        if isinstance(node, ast.For) and isinstance(node.target, ast.Name) and uses(node.target.id, [place.node]):
            return node
        node = place.module.parents.get(node)
    return None


def _read(use: ast.Name, parent: ast.AST | None, place: Place) -> ast.Call | None:
    """Return the call that turns an element into a number, if it is no part of a nested function."""
    call = place.module.parents.get(parent) if isinstance(parent, ast.Attribute) else parent
    if place.module.scope(use) is not place.module.scope(place.node) or not isinstance(call, ast.Call):
        return None
    if isinstance(parent, ast.Attribute):
        is_item = method(call, "item") is call and call.func is parent and not call.args and not call.keywords
        return call if is_item and place.module.text(call) == f"{use.id}.item()" else None
    is_cast = isinstance(call.func, ast.Name) and call.func.id in ("int", "float", "bool")
    return call if is_cast and call.args == [use] and not call.keywords else None
