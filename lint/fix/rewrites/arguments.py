"""Rewritings that give a call one more argument."""

from __future__ import annotations

import ast

import libcst as cst

from ...finding import Edit
from ..expression import code, expression
from ..place import Place
from ..syntax import is_path, method, reads_device


def with_keyword(place: Place) -> list[Edit] | None:
    """Pass the keyword and value that the details name, instead of the value given so far."""
    name, value = place.details[:2]
    return added(place, name, value)


def asynchronous_copy(place: Place) -> list[Edit] | None:
    """Pass `non_blocking=` as far as the target is CUDA: of other devices, some read what is written after the call."""
    call = place.call
    if call is None or not isinstance(place.node, ast.Call) or len(place.node.args) > 1 or reads_device(place.node):
        return None
    if _is_beside_others(place):
        return None
    if place.details[0] == "always":
        return added(place, "non_blocking", "True")
    if place.details[0] == "tensor":
        target = place.node.args[0] if place.node.args else None
        is_plain = target is not None and is_path(target)
        return added(place, "non_blocking", f"{place.module.text(target)}.is_cuda") if target and is_plain else None
    torch = place.module.torch
    if torch is None or place.module.is_scripted or not is_readable(place):
        return None
    return added(place, "non_blocking", f"{torch}.cuda.is_available()")


def _is_beside_others(place: Place) -> bool:
    """Whether other copies in the same tuple would stay as they are."""
    around = place.module.parents.get(place.node)
    copies = [each for each in around.elts if method(each, "to", "cuda")] if isinstance(around, ast.Tuple) else []
    known = [node for node, offer in place.peers if offer.rewrite == "asynchronous-copy"]
    return any(each not in known for each in copies)


def is_readable(place: Place) -> bool:
    """Whether a longer call could be read well: as a value or an argument, but not inside a formula."""
    inner: ast.AST = place.node
    for outer in place.module.around(place.node):
        if isinstance(outer, ast.Call) and inner is not outer.func:
            return True
        if not isinstance(outer, ast.Tuple | ast.List | ast.Dict | ast.keyword | ast.Attribute | ast.Call):
            return isinstance(outer, ast.Assign | ast.AnnAssign | ast.Return)
        inner = outer
    return False


def pinned_loader(place: Place) -> list[Edit] | None:
    """Pass `pin_memory=` where there is a GPU; elsewhere it would only warn."""
    torch = place.module.torch
    return added(place, "pin_memory", f"{torch}.cuda.is_available()") if torch else None


def added(place: Place, name: str, value: str) -> list[Edit] | None:
    """Return the edits that pass one more argument by keyword."""
    call = place.call
    return None if call is None else place.rewritten(with_argument(call, name, value))


def with_argument(call: cst.Call, name: str, value: str) -> cst.Call:
    """Return the call with an argument by keyword, in the style of the others; one of that name is replaced."""
    for at, each in enumerate(call.args):
        if each.keyword is not None and each.keyword.value == name:
            args = [*call.args[:at], each.with_changes(value=expression(value)), *call.args[at + 1 :]]
            return call.with_changes(args=args)
    equal = cst.AssignEqual(cst.SimpleWhitespace(""), cst.SimpleWhitespace(""))
    new = cst.Arg(keyword=cst.Name(name), value=expression(value), equal=equal)
    if not call.args:
        return call.with_changes(args=[new])
    *rest, last = call.args
    comma = cst.Comma(whitespace_after=_separator(call))
    new = new.with_changes(comma=last.comma, whitespace_after_arg=last.whitespace_after_arg)
    last = last.with_changes(comma=comma, whitespace_after_arg=cst.SimpleWhitespace(""))
    return call.with_changes(args=[*rest, last, new])


def _separator(call: cst.Call) -> cst.BaseParenthesizableWhitespace:
    """Return the white space between arguments, without comments."""
    if len(call.args) > 1:
        comma = call.args[-2].comma
        found = comma.whitespace_after if isinstance(comma, cst.Comma) else None
    else:
        found = call.whitespace_before_args if "\n" in code(call.whitespace_before_args) else None
    plain = found is not None and "#" not in code(found) and bool(code(found))
    return found if plain and found is not None else cst.SimpleWhitespace(" ")
