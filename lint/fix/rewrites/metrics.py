"""Rewritings of what metrics and loggers are given."""

from __future__ import annotations

import ast

import libcst as cst

from ...offers import Edit
from ..expression import code, expression
from ..place import Place
from ..syntax import is_path, method
from .arguments import added, with_argument


def update_only(place: Place) -> list[Edit] | None:
    """Write `metric.update(x)` for the statement `metric(x)`, unless the metric itself is logged."""
    node, module = place.node, place.module
    if not isinstance(node, ast.Call) or not isinstance(module.parents.get(node), ast.Expr):
        return None
    metric = ast.unparse(node.func)
    logs = (
        each
        for each in ast.walk(module.source.tree)
        if isinstance(each, ast.Call) and isinstance(each.func, ast.Attribute) and each.func.attr in ("log", "log_dict")
    )
    if not is_path(node.func) or any(metric in ast.unparse(each) for each in logs):
        return None
    before = module.text(node.func)
    return place.written(f"{before}.update{place.text[len(before) :]}")


def weight_like_value(place: Place) -> list[Edit] | None:
    """Write `metric.update(x, torch.ones_like(x))` for `metric.update(x)`."""
    node, torch = place.node, place.module.torch
    if torch is None or not isinstance(node, ast.Call) or len(node.args) != 1 or node.keywords:
        return None
    if not is_path(node.args[0]):
        return None
    return added(place, "weight", f"{torch}.ones_like({place.module.text(node.args[0])})")


def number_as_tensor(place: Place) -> list[Edit] | None:
    """Write `metric.update(torch.as_tensor(number))` for `metric.update(number)`."""
    call, torch = place.call, place.module.torch
    if call is None or torch is None or not call.args:
        return None
    wrapped = expression(f"{torch}.as_tensor({_bare(call.args[0].value)})")
    first = call.args[0].with_changes(value=wrapped)
    return place.rewritten(call.with_changes(args=[first, *call.args[1:]]))


def logged_as_full(place: Place) -> list[Edit] | None:
    """Write `self.log(name, torch.full((), float(n), device=self.device))` for `self.log(name, n)`."""
    call, torch = place.call, place.module.torch
    node = place.node
    if call is None or torch is None or not isinstance(node, ast.Call) or ast.unparse(node.func) != "self.log":
        return None
    if any(method(each, "item", "tolist") for each in ast.walk(node)):
        return None  # that waits as well, and passing the tensor itself spares both
    if len(node.args) < 2:
        value = next((each.value for each in node.keywords if each.arg == "value"), None)
        text = place.module.text(value) if value is not None else ""
        new = f"{torch}.full((), float({text}), device=self.device)"
        return place.rewritten(with_argument(call, "value", new)) if text else None
    first, given, *rest = call.args
    filled = expression(f"{torch}.full((), float({_bare(given.value)}), device=self.device)")
    return place.rewritten(call.with_changes(args=[first, given.with_changes(value=filled), *rest]))


def _bare(value: cst.BaseExpression) -> str:
    return code(value)
