"""Rewritings of loops over the elements of a tensor."""

from __future__ import annotations

import ast

from ...offers import Edit
from ..place import Place, smallest
from ..syntax import bindings, is_alone, is_free, is_name, is_path, is_written, method, uses


def elements_as_list(place: Place) -> list[Edit] | None:
    """Write `for n in t.tolist():` and `n` for `for n in t:` and `n.item()`, if nothing else is done with `n`."""
    module, loop = place.module, _loop(place)
    if loop is None or not isinstance(loop.target, ast.Name) or module.is_scripted:
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


def items_as_list(place: Place) -> list[Edit] | None:
    """Write `t_list = t.tolist()` before a loop `for i in range(…)`, and `t_list[i]` for `t[i].item()` in it."""
    node, module = place.node, place.module
    element = node.func.value if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) else None
    if module.is_scripted or not isinstance(element, ast.Subscript) or not isinstance(element.value, ast.Name):
        return None
    loop = _counting(place, element.slice)
    tensor = element.value.id
    if (
        loop is None
        or module.is_scripted
        or bindings(tensor, [loop])
        or is_written(tensor, loop.body)
        or not is_alone(loop, module)
    ):
        return None
    reads = [each for each in ast.walk(loop) if isinstance(each, ast.Call) and module.text(each) == place.text]
    new = f"{tensor}_list"
    if not is_free(new, module) or any(module.scope(each) is not module.scope(node) for each in reads):
        return None
    span = module.source.span(loop)
    indent = module.source.lines[span.row - 1][: span.column - 1]
    before = Edit(span.row, span.column, span.row, span.column, f"{new} = {tensor}.tolist()\n{indent}")
    index = module.text(element.slice)
    return [before, *(smallest(module.replaced(each, f"{new}[{index}]"), place.text) for each in reads)]


def _counting(place: Place, index: ast.expr) -> ast.For | None:
    """Return the innermost loop around a place, if it is over a `range`, and the index is what it counts."""
    loop = next((each for each in place.module.around(place.node) if isinstance(each, ast.For | ast.While)), None)
    if not isinstance(loop, ast.For) or not isinstance(index, ast.Name) or not is_name(loop.target, index.id):
        return None
    is_counted = isinstance(loop.iter, ast.Call) and is_name(loop.iter.func, "range")
    return loop if is_counted and bindings(index.id, [loop]) == 1 else None


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
