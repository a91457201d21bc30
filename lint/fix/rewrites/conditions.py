"""Rewritings of conditions that the host decides."""

from __future__ import annotations

import ast
from typing import Final

from ...finding import Edit
from ..place import Place, smallest
from ..syntax import is_alone, is_path, method


def not_finite(place: Place) -> list[Edit] | None:
    """Write `not torch.isfinite(x).all()` for `torch.isnan(x).any() or torch.isinf(x).any()`, in a condition."""
    module, torch = place.module, place.module.torch
    either = module.parents.get(place.node)
    if torch is None or not isinstance(either, ast.BoolOp) or not isinstance(either.op, ast.Or):
        return None
    around = module.parents.get(either)
    is_test = isinstance(around, ast.If | ast.While | ast.IfExp | ast.Assert) and around.test is either
    found = {_tested(each, place) for each in either.values}
    tensors = {tensor for _, tensor in found}
    if not is_test or len(either.values) != 2 or {name for name, _ in found} != {"isnan", "isinf"} or len(tensors) != 1:
        return None
    before = module.text(either)
    text = f"not {torch}.isfinite({tensors.pop()}).all()"
    return None if "#" in before else [smallest(module.replaced(either, text), before)]


def _tested(node: ast.expr, place: Place) -> tuple[str, str]:
    """Return which test `torch.isnan(x).any()` or `x.isnan().any()` is, and of what."""
    whole = method(node, "any")
    call = whole.func.value if whole is not None and isinstance(whole.func, ast.Attribute) and not whole.args else None
    if not isinstance(call, ast.Call) or not isinstance(call.func, ast.Attribute) or call.keywords:
        return "", ""
    is_function = isinstance(call.func.value, ast.Name) and call.func.value.id == place.module.torch
    given = call.args if is_function else [call.func.value, *call.args]
    return (call.func.attr, place.module.text(given[0])) if len(given) == 1 and is_path(given[0]) else ("", "")


_NOT_PROMISED: Final = ("ArithmeticError", "AssertionError", "FloatingPointError", "RuntimeError")
"""Errors that no caller expects of a function by its interface, as a `ValueError` is for arguments that are wrong."""


def asynchronous_refusal(place: Place) -> list[Edit] | None:
    """Write `torch._assert_async(good.all(), message)` for `if not good.all(): raise Error(message)`, and the like."""
    module, torch, test = place.module, place.module.torch, place.node
    negated = module.parents.get(test)
    test_of = negated if isinstance(negated, ast.UnaryOp) and isinstance(negated.op, ast.Not) else test
    statement = module.parents.get(test_of)
    if torch is None or not isinstance(statement, ast.If) or statement.test is not test_of or statement.orelse:
        return None
    if not _is_reduced(test):
        return None
    if any(isinstance(each, ast.Try) for each in module.around(statement)) or not is_alone(statement, module):
        return None
    match statement.body:
        case [
            ast.Raise(
                exc=ast.Call(func=ast.Name(id=error), args=[ast.Constant(value=str()) as message], keywords=[]),
                cause=None,
            )
        ] if error in _NOT_PROMISED:
            condition = place.text if test_of is not test else _negated(place)
        case _:
            return None
    before = module.text(statement)
    text = f"{torch}._assert_async({condition}, {module.text(message)})"
    return None if "#" in before else [module.replaced(statement, text)]


def _is_reduced(node: ast.expr) -> bool:
    """Whether this is `x.any()` or `x.all()`: of other conditions, Python may know the value."""
    return method(node, "any", "all") is not None


def _negated(place: Place) -> str:
    """Return the negation of a condition on the device, of whatever dtype."""
    return f"{place.text}.logical_not()"


def asynchronous_assertion(place: Place) -> list[Edit] | None:
    """Write `torch._assert_async(condition)` for `assert condition`, with the message if it is a plain text."""
    module, torch = place.module, place.module.torch
    statement = module.parents.get(place.node)
    if torch is None or not isinstance(statement, ast.Assert) or statement.test is not place.node:
        return None
    if not _is_reduced(place.node):
        return None
    if any(isinstance(each, ast.Try) for each in module.around(statement)):
        return None
    message = statement.msg
    if message is not None and not (isinstance(message, ast.Constant) and isinstance(message.value, str)):
        return None
    said = "" if message is None else f", {module.text(message)}"
    before = module.text(statement)
    text = f"{torch}._assert_async({place.text}{said})"
    return None if "#" in before else [smallest(module.replaced(statement, text), before)]
