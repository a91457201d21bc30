"""Rewritings of subscripts with indices that the source shows."""

from __future__ import annotations

import ast

import libcst as cst

from ...limits import MOST_SLICES
from ...offers import Edit
from ..module import Module
from ..place import Place, smallest
from ..syntax import is_path, number


def listed_as_stack(place: Place) -> list[Edit] | None:
    """Write `torch.stack((x[..., 0], x[..., 2]), dim=-1)` for `x[..., [0, 2]]`."""
    node, module, torch = place.node, place.module, place.module.torch
    if torch is None or not isinstance(node, ast.Subscript) or not is_path(node.value):
        return None
    before, listed = _split(node.slice)
    if listed is None or "\n" in place.text or "#" in place.text:
        return None
    base = module.text(node.value)
    items = [f"{base}[{before}{module.text(each)}]" for each in listed.elts]
    joined = f"({', '.join(items)})"
    dim = "" if not before else ", dim=-1" if before.startswith("...") else f", dim={before.count(':')}"
    return place.written(f"{torch}.stack({joined}{dim})")


def _split(index: ast.expr) -> tuple[str, ast.List | None]:
    """Return what stands before the list, which must be the last index, and the list of two different integers or more.

    Listed twice, an element would be selected twice, and be longer to read than the list.
    """
    parts = index.elts if isinstance(index, ast.Tuple) else [index]
    *before, last = parts
    if not isinstance(last, ast.List) or not 1 < len(last.elts) <= MOST_SLICES or not all(map(_is_whole, last.elts)):
        return "", None
    if len({number(each) for each in last.elts}) < len(last.elts):
        return "", None
    if all(isinstance(each, ast.Slice) and ast.unparse(each) == ":" for each in before):
        return ":, " * len(before), last
    is_ellipsis = len(before) == 1 and isinstance(before[0], ast.Constant) and before[0].value is ...
    return ("..., ", last) if is_ellipsis else ("", None)


def _is_whole(node: ast.expr) -> bool:
    return type(number(node)) is int


def element_as_fill(place: Place) -> list[Edit] | None:
    """Write `x[0, 1].fill_(2.0)` for `x[0, 1] = 2.0`."""
    node, module = place.node, place.module
    statement = module.statement(node)
    if not isinstance(statement, ast.Assign) or statement.targets != [node] or number(statement.value) is None:
        return None
    before = module.text(statement)
    text = f"{place.text}.fill_({module.text(statement.value)})"
    return None if "#" in before else [smallest(module.replaced(statement, text), before)]


def written_as_full(place: Place) -> list[Edit] | None:
    """Write `x[rows, columns] = x.new_full((), 1)` for `x[rows, columns] = 1`."""
    node, module = place.node, place.module
    statement = module.statement(node)
    if not isinstance(statement, ast.Assign) or statement.targets != [node] or not isinstance(node, ast.Subscript):
        return None
    value = statement.value
    if not is_path(node.value) or not (is_path(value) or number(value) is not None):
        return None
    return [module.replaced(value, f"{module.text(node.value)}.new_full((), {module.text(value)})")]


def element_as_row(place: Place) -> list[Edit] | None:
    """Write `x[i.reshape(1)][0]` for `x[i]` with an index that is a tensor, where the result is only read."""
    node, module = place.node, place.module
    if not isinstance(node, ast.Subscript) or not is_path(node.slice) or not isinstance(node.ctx, ast.Load):
        return None
    around = module.parents.get(node)
    if isinstance(around, ast.Subscript | ast.Attribute) and not _is_read(around, module):
        return None
    length = len(module.text(node.value))
    base, index = place.text[:length], module.text(node.slice)
    return place.written(f"{base}[{index}.reshape(1)][0]")


def _is_read(around: ast.Subscript | ast.Attribute, module: Module) -> bool:
    """Whether a subscript or attribute of a value, and what is made of it in turn, changes nothing."""
    above: ast.AST | None = around
    while isinstance(above, ast.Subscript | ast.Attribute | ast.Call):
        if isinstance(above, ast.Attribute) and above.attr.endswith("_"):
            return False
        if not isinstance(above, ast.Call) and not isinstance(above.ctx, ast.Load):
            return False
        above = module.parents.get(above)
    return True


def sorted_boundaries(place: Place) -> list[Edit] | None:
    """Write `torch.searchsorted(v[order], x)` for `torch.searchsorted(v, x, sorter=order)`."""
    call, node = place.call, place.node
    if call is None or not isinstance(node, ast.Call) or len(node.args) != 2 or not is_path(node.args[0]):
        return None
    at = next((at for at, each in enumerate(call.args) if each.keyword and each.keyword.value == "sorter"), None)
    sorter = next((each.value for each in node.keywords if each.arg == "sorter"), None)
    if at is None or sorter is None or not is_path(sorter):
        return None
    sequence = cst.parse_expression(f"{place.module.text(node.args[0])}[{place.module.text(sorter)}]")
    args = [each for number, each in enumerate(call.args) if number != at]
    args[0] = args[0].with_changes(value=sequence)
    if at == len(call.args) - 1:
        args[-1] = args[-1].with_changes(comma=call.args[-1].comma)
    return place.rewritten(call.with_changes(args=args))
