"""Rewritings of loops over the elements of a tensor."""

from __future__ import annotations

import ast

from ...finding import Edit
from ..place import Place, smallest
from ..syntax import bindings, is_path, is_written, method, uses


def elements_as_list(place: Place) -> list[Edit] | None:
    """Write `for n in t.tolist():` and `n` for `for n in t:` and `n.item()`, if nothing else is done with `n`."""
    module, node = place.module, place.node
    loop = module.parents.get(node)
    if not isinstance(loop, ast.For) or loop.iter is not node or not isinstance(loop.target, ast.Name):
        return None
    name, scope = loop.target.id, module.scope(loop)
    if not isinstance(scope, ast.FunctionDef | ast.AsyncFunctionDef) or not is_path(node) or loop.orelse:
        return None
    if bindings(name, [scope]) != 1 or is_written(place.text, loop.body):
        return None
    inside = uses(name, loop.body)
    reads = [_read(each, module.parents.get(each), place) for each in inside]
    if not inside or len(inside) != len(uses(name, [scope])) or None in reads:
        return None
    items = [read for read in reads if isinstance(read, ast.Call) and isinstance(read.func, ast.Attribute)]
    edits = [smallest(module.replaced(node, f"{place.text}.tolist()"), place.text)]
    return edits + [smallest(module.replaced(each, name), module.text(each)) for each in items]


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
