"""Rewritings that give a call one more argument."""

from __future__ import annotations

import ast
from typing import Final

import libcst as cst

from ...offers import ASKED, Edit
from ..bound import made
from ..expression import code, expression
from ..place import Place
from ..syntax import bindings, is_path, method, reads_device

_MAKERS: Final = frozenset(
    ("zeros", "ones", "full", "empty", "eye", "arange", "linspace", "rand", "randn", "randint", "tensor")
)


def with_keyword(place: Place) -> list[Edit] | None:
    """Pass the keyword and value that the details name, instead of the value given so far."""
    name, value = place.details[:2]
    return added(place, name, value)


def asynchronous_copy(place: Place) -> list[Edit] | None:
    """Pass `non_blocking=` as far as the target is CUDA: copies to other devices, the host above all, would race."""
    call, node = place.call, place.node
    if call is None or not isinstance(node, ast.Call) or len(node.args) > 1 or reads_device(node):
        return None
    if _is_beside_others(place) or place.module.is_scripted:
        return None
    given = [*node.args, *(each.value for each in node.keywords if each.arg in ("device", "other"))]
    if not given:
        return added(place, "non_blocking", "True") if method(node, "cuda") else None
    how = f"{place.module.text(given[0])}.is_cuda" if place.details[0] == "tensor" else is_cuda(given[0], place)
    return added(place, "non_blocking", how) if how and (is_path(given[0]) or how == "True") else None


def is_cuda(device: ast.expr, place: Place) -> str | None:
    """Return the test whether a device is CUDA; None if it cannot be read well, or may raise where that is not offered.

    Only a literal is known without a test: what a name stands for may be another device elsewhere. `torch.device`
    takes texts and numbers, too, but not None.
    """
    if isinstance(device, ast.Constant):
        return "True" if isinstance(device.value, str) and device.value.startswith("cuda") else None
    torch = place.module.torch
    if torch is None or not is_path(device) or not is_readable(place):
        return None
    text = place.module.text(device)
    if isinstance(device, ast.Attribute) and device.attr == "device" and _is_tensor(device.value, place):
        return f"{place.module.text(device.value)}.is_cuda"
    if _is_device(device, place):
        return f'{text}.type == "cuda"'
    is_named = _annotation(device, place) in ("str", "int", "str | int", "int | str")
    is_asked = ASKED in place.details and not _is_none_somewhere(device, place)
    return f'{torch}.device({text}).type == "cuda"' if is_named or is_asked else None


def _is_device(node: ast.expr, place: Place) -> bool:
    """Whether something is seen to be a `torch.device`, and no text or number: it is made here, or annotated so."""
    device = f"{place.module.torch}.device"
    call = made(node, place)
    if call is not None:
        return ast.unparse(call.func) == device
    return _annotation(node, place) == device


def _is_tensor(node: ast.expr, place: Place) -> bool:
    """Whether something is seen to be a tensor: it is made here by torch, or annotated so."""
    call = made(node, place)
    return _annotation(node, place) == f"{place.module.torch}.Tensor" if call is None else _is_of_torch(call, place)


def _annotation(node: ast.expr, place: Place) -> str:
    """Return the annotation of a parameter that is never bound to anything else, nor None by default."""
    scope = place.module.scope(place.node)
    if not isinstance(node, ast.Name) or not isinstance(scope, ast.FunctionDef | ast.AsyncFunctionDef):
        return ""
    given = [each.annotation for each in ast.walk(scope.args) if isinstance(each, ast.arg) and each.arg == node.id]
    is_one = len(given) == 1 and bindings(node.id, [scope]) == 1 and not _is_none_by_default(node.id, scope.args)
    return ast.unparse(given[0]) if is_one and given[0] is not None else ""


def _is_none_by_default(name: str, given: ast.arguments) -> bool:
    positional = [*given.posonlyargs, *given.args]
    plain = zip(positional[len(positional) - len(given.defaults) :], given.defaults)
    return any(
        each.arg == name and _is_none(default) for each, default in (*plain, *zip(given.kwonlyargs, given.kw_defaults))
    )


def _is_none_somewhere(node: ast.expr, place: Place) -> bool:
    """Whether a name, or an attribute of that name, is None by default or is bound to None in the module."""
    scope = place.module.scope(place.node)
    if isinstance(node, ast.Name) and isinstance(scope, ast.FunctionDef | ast.AsyncFunctionDef):
        return _is_none_by_default(node.id, scope.args) and bindings(node.id, [scope]) == 1
    name = node.attr if isinstance(node, ast.Attribute) else ast.unparse(node)
    bound = (
        each for each in ast.walk(place.module.source.tree) if isinstance(each, ast.Assign) and _is_none(each.value)
    )
    return any(ast.unparse(target).rpartition(".")[2] == name for each in bound for target in each.targets)


def _is_none(node: ast.expr | None) -> bool:
    return isinstance(node, ast.Constant) and node.value is None


def _is_beside_others(place: Place) -> bool:
    """Whether other copies in the same tuple would stay as they are."""
    around = place.module.parents.get(place.node)
    copies = [each for each in around.elts if method(each, "to", "cuda")] if isinstance(around, ast.Tuple) else []
    known = [node for node, offer in place.peers if offer.rewrite == "asynchronous-copy"]
    return any(each not in known and not _is_asynchronous(each) for each in copies)


def _is_asynchronous(copy: ast.expr) -> bool:
    """Whether a copy is already asynchronous, such as after an earlier pass."""
    return isinstance(copy, ast.Call) and any(each.arg == "non_blocking" for each in copy.keywords)


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
    """Pass `pin_memory=` where there is a GPU; elsewhere it would only warn.

    With the detail `here`, the data set must be made of tensors that are created on the host beside it: what others
    hand over may be on the device, which raises.
    """
    torch, node = place.module.torch, place.node
    if "here" in place.details and not (
        isinstance(node, ast.Call) and node.args and _is_made_here(node.args[0], place)
    ):
        return None
    return added(place, "pin_memory", f"{torch}.cuda.is_available()") if torch else None


def _is_made_here(data: ast.expr, place: Place) -> bool:
    """Whether a value is a data set of tensors, or a tensor, that is created on the host in the same function."""
    call = data if isinstance(data, ast.Call) else made(data, place) if isinstance(data, ast.Name) else None
    if call is None or any(each.arg is None or _is_elsewhere(each) for each in call.keywords):
        return False
    name = ast.unparse(call.func).rpartition(".")[2]
    if name == "TensorDataset":
        return bool(call.args) and all(_is_made_here(each, place) for each in call.args)
    return _is_of_torch(call, place)


def _is_elsewhere(given: ast.keyword) -> bool:
    return given.arg == "device" and not (isinstance(given.value, ast.Constant) and given.value.value == "cpu")


def _is_of_torch(call: ast.Call, place: Place) -> bool:
    return ast.unparse(call.func) in {f"{place.module.torch}.{each}" for each in _MAKERS}


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
    if isinstance(found, cst.ParenthesizedWhitespace):
        first = found.first_line.with_changes(whitespace=cst.SimpleWhitespace(""))
        found = found.with_changes(first_line=first)
    plain = found is not None and "#" not in code(found) and bool(code(found))
    return found if plain and found is not None else cst.SimpleWhitespace(" ")
