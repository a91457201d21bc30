"""Rewritings of conditions that the host decides."""

from __future__ import annotations

import ast
from itertools import pairwise, takewhile
from typing import Final

from ...offers import Edit
from ..module import Module
from ..place import Place, smallest
from ..syntax import is_alone, is_bound, is_name, is_path, method, number


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


def conditions_at_once(place: Place) -> list[Edit] | None:
    """Write `a.any() | b.any()` for `a.any() or b.any()` in a condition, and `&` for `and`; names must be bound.

    With the detail `same`, all must be about one tensor.
    """
    module, either = place.module, place.module.parents.get(place.node)
    if not isinstance(either, ast.BoolOp) or not _is_test(either, module):
        return None
    at = next(at for at, each in enumerate(either.values) if each is place.node)
    first = at - len(list(takewhile(lambda each: _judged(each, place), reversed(either.values[:at]))))
    run = list(takewhile(lambda each: _judged(each, place), either.values[first:]))
    names = {path.partition(".")[0] for each in run for path in [_judged(each, place)]}
    if len(run) < 2 or not all(is_bound(name, place.node, module) for name in names):
        return None
    if "same" in place.details and len({_judged(each, place) for each in run}) > 1:
        return None
    word, sign = ("or", "|") if isinstance(either.op, ast.Or) else ("and", "&")
    edits = [_joined(one, other, word, sign, module) for one, other in pairwise(run)]
    return None if None in edits else [each for each in edits if each]


def _is_test(node: ast.expr, module: Module) -> bool:
    """Whether nothing but the truth of an expression is asked for."""
    around = module.parents.get(node)
    if isinstance(around, ast.UnaryOp | ast.BoolOp):
        return (isinstance(around, ast.BoolOp) or isinstance(around.op, ast.Not)) and _is_test(around, module)
    return isinstance(around, ast.If | ast.While | ast.IfExp | ast.Assert) and around.test is node


def _judged(node: ast.expr, place: Place) -> str:
    """Return the path of the tensor of which `any()` or `all()` is asked; empty where asking could fail.

    What the rule does not take for a tensor may be an array.
    """
    call = method(node, "any", "all")
    if not any(each is node and offer.rewrite == "conditions-at-once" for each, offer in place.peers):
        return ""
    if call is None or not isinstance(call.func, ast.Attribute) or call.keywords:
        return ""
    given = call.args if is_name(call.func.value, place.module.torch or "") else [call.func.value, *call.args]
    if len(given) != 1:
        return ""
    subject = given[0]
    match subject:
        case ast.Compare(left=left, comparators=[right]) if number(right) is not None:
            subject = left
        case ast.Call(func=ast.Attribute(value=ast.Name(id=root), attr="isnan" | "isinf" | "isfinite"), args=[tensor]):
            subject = tensor if root == place.module.torch else subject
    return ast.unparse(subject) if is_path(subject) else ""


def _joined(one: ast.expr, other: ast.expr, word: str, sign: str, module: Module) -> Edit | None:
    """Return the edit that writes an operator on the device between two conditions, which stand on one line."""
    start, end = module.source.span(one), module.source.span(other)
    between = module.source.lines[start.end_row - 1][start.end_column - 1 : end.column - 1]
    if start.end_row != end.row or between != f" {word} ":
        return None
    return Edit(start.end_row, start.end_column + 1, end.row, end.column - 1, sign)


def filled_without_asking(place: Place) -> list[Edit] | None:
    """Write `x[mask] = 0` for `if mask.any(): x[mask] = 0`."""
    module, test = place.module, place.node
    statement, call = module.parents.get(test), method(test, "any")
    if not isinstance(statement, ast.If) or statement.test is not test or statement.orelse or call is None:
        return None
    given = call.args or [call.func.value if isinstance(call.func, ast.Attribute) else call]
    mask = ast.unparse(given[0])
    first = statement.body[0]
    fills = [_is_fill(each, mask) for each in statement.body]
    if call.keywords or len(call.args) > 1 or not is_path(given[0]) or not all(fills):
        return None
    span, inner = module.source.span(statement), module.source.span(first)
    lines = module.source.lines[span.row - 1 : span.end_row]
    if inner.row == span.row or any("#" in line or "\\" in line for line in lines):
        return None
    if not is_alone(statement, module) or any(each.lineno != each.end_lineno for each in statement.body):
        return None
    indent = lines[0][: span.column - 1]
    text = f"\n{indent}".join(module.text(each) for each in statement.body)
    return [Edit(span.row, span.column, span.end_row, span.end_column, text)]


def _is_fill(statement: ast.stmt, mask: str) -> bool:
    """Whether a statement writes a number to where a mask is true, in another tensor."""
    match statement:
        case ast.Assign(targets=[ast.Subscript(value=value, slice=index)], value=written):
            return is_path(value) and ast.unparse(index) == mask != ast.unparse(value) and number(written) is not None
    return False


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
