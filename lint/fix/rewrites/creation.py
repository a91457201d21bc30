"""Rewritings that create a tensor on the device instead of copying it there."""

from __future__ import annotations

import ast
from typing import Final

import libcst as cst

from ...offers import Edit
from ..expression import code, expression
from ..place import Place
from ..syntax import is_path, number, reads_device
from .arguments import is_cuda, is_readable, with_argument

_FULL: Final = {"tensor": "full", "as_tensor": "full", "new_tensor": "new_full"}
_PASSED_ON: Final = frozenset(("dtype", "device", "requires_grad", "pin_memory"))
_CREATED: Final = frozenset(("zeros", "ones", "full", "empty", "eye"))
_EXACT: Final = frozenset((
    "triu", "tril", "unsqueeze", "squeeze", "view", "reshape", "expand", "repeat", "permute", "transpose", "flatten",
    "bool", "long", "int", "float", "contiguous", "clone", "t",
))  # fmt: skip
"""What gives the same on every device."""
_NOT_ON_DEVICE: Final = frozenset(("device", "out", "pin_memory", "requires_grad", "names", "generator"))


def number_as_full(place: Place) -> list[Edit] | None:
    """Write `torch.full((), number, …)` for `torch.tensor(number, …)`: a fill takes the number as an argument."""
    call = place.call
    return None if call is None else place.rewritten(_full(call, "()", None))


def equal_numbers_as_full(place: Place) -> list[Edit] | None:
    """Write `torch.full((3,), number, …)` for `torch.tensor([number, number, number], …)`."""
    call = place.call
    data = call.args[0].value if call is not None and call.args else None
    if call is None or not isinstance(data, cst.List | cst.Tuple) or not data.elements:
        return None
    return place.rewritten(_full(call, f"({len(data.elements)},)", data.elements[0].value))


def _full(call: cst.Call, size: str, value: cst.BaseExpression | None) -> cst.Call | None:
    """Return the call of `full` with a size before the first argument, which may be replaced."""
    func = call.func
    if not isinstance(func, cst.Attribute) or func.attr.value not in _FULL or not call.args:
        return None
    data, *rest = call.args
    if data.keyword is not None or any(each.keyword is None or each.keyword.value not in _PASSED_ON for each in rest):
        return None
    first = cst.Arg(expression(size), comma=cst.Comma(whitespace_after=cst.SimpleWhitespace(" ")))
    data = data if value is None else data.with_changes(value=value)
    named = func.with_changes(attr=cst.Name(_FULL[func.attr.value]))
    return call.with_changes(func=named, args=[first, data, *rest])


def copied_when_built(place: Place) -> list[Edit] | None:
    """Write `torch.tensor(data).to(device, non_blocking=…)` for `torch.tensor(data, device=device)`."""
    call, node, torch = place.call, place.node, place.module.torch
    if (
        call is None
        or torch is None
        or not isinstance(node, ast.Call)
        or not is_readable(place)
        or place.module.is_scripted
        or reads_device(node)
    ):
        return None
    names = [each.arg for each in node.keywords]
    if (
        len(node.args) != 1
        or not _is_torch(node, place)
        or sorted(map(str, names)) not in (["device"], ["device", "dtype"])
    ):
        return None
    if (filled := _repeated(call, node)) is not None:
        return place.rewritten(filled)
    at = 1 + names.index("device")
    device = node.keywords[names.index("device")].value
    args = [*call.args[:at], *call.args[at + 1 :]]
    args[-1] = args[-1].with_changes(comma=call.args[-1].comma, whitespace_after_arg=call.args[-1].whitespace_after_arg)
    how = is_cuda(device, place)
    if how is None:
        return None
    copy = expression(f"x.to({place.module.text(device)}, non_blocking={how})")
    if not isinstance(copy, cst.Call) or not isinstance(copy.func, cst.Attribute):
        return None
    return place.rewritten(copy.with_changes(func=copy.func.with_changes(value=call.with_changes(args=args))))


def _repeated(call: cst.Call, node: ast.Call) -> cst.Call | None:
    """Return `torch.full((len(x),), 1.0, …)` for `torch.tensor([1.0] * len(x), …)`; of none, the dtype is a float's."""
    data = call.args[0].value
    match node.args[0]:
        case ast.BinOp(left=ast.List(elts=[value]), op=ast.Mult(), right=ast.Call(func=ast.Name(id="len"))):
            is_typed = isinstance(number(value), float) or any(each.arg == "dtype" for each in node.keywords)
            if is_typed and number(value) is not None and isinstance(data, cst.BinaryOperation):
                left = data.left.elements[0].value if isinstance(data.left, cst.List) else None
                return _full(call, f"({code(data.right)},)", left)
    return None


def created_on_device(place: Place) -> list[Edit] | None:
    """Write `torch.zeros(n, device=device)` for `torch.zeros(n).to(device)`."""
    inner, device = _creation(place), _target(place.node, place)
    return None if inner is None or device is None else place.rewritten(with_argument(inner, "device", device))


def created_inside(place: Place) -> list[Edit] | None:
    """Write `torch.triu(torch.ones(n, device=device))` for `torch.triu(torch.ones(n)).to(device)`."""
    device, node = _target(place.node, place), place.node
    moved = node.func.value if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) else None
    inner = None if moved is None else _innermost(moved, place)
    if inner is None or moved is None or device is None or "#" in place.text:
        return None
    made = Place(place.module, inner).call
    if made is None or any(each.arg in _NOT_ON_DEVICE for each in inner.keywords):
        return None
    before, text = place.module.text(inner), place.module.text(moved)
    return place.written(text.replace(before, code(with_argument(made, "device", device)), 1))


def _innermost(node: ast.expr, place: Place) -> ast.Call | None:
    """Return the creation that is all that the device has to know of a value: what is made of it is the same there."""
    while True:
        match node:
            case ast.Subscript(value=value):
                if not isinstance(node.slice, ast.Constant | ast.Slice | ast.Tuple):
                    return None
                node = value
            case ast.Call(func=ast.Attribute(value=value, attr=name), args=args) if _is_torch(node, place):
                if name in _CREATED or name in place.details:
                    return node
                if name not in _EXACT or not args:
                    return None
                node = args[0]
            case ast.Call(func=ast.Attribute(value=value, attr=name)) if name in _EXACT:
                node = value
            case _:
                return None


def created_beside(place: Place) -> list[Edit] | None:
    """Write `torch.arange(n, device=x.device).to(x)` for `torch.arange(n).to(x)`: the dtype is converted there."""
    call, node, inner = place.call, place.node, _creation(place)
    if call is None or inner is None or not isinstance(node, ast.Call) or not isinstance(call.func, cst.Attribute):
        return None
    given = [*node.args[:1], *(each.value for each in node.keywords if each.arg == "device")]
    if not given or not is_path(given[0]):
        return None
    device = place.module.text(given[0]) + (".device" if place.details[0] == "tensor" else "")
    return place.rewritten(call.with_changes(func=call.func.with_changes(value=with_argument(inner, "device", device))))


def _creation(place: Place) -> cst.Call | None:
    """Return the call of torch whose result is moved, if nothing in it says where it creates, or how."""
    call, node = place.call, place.node
    inner = call.func.value if call is not None and isinstance(call.func, cst.Attribute) else None
    made = node.func.value if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) else None
    if not isinstance(made, ast.Call) or not isinstance(inner, cst.Call) or any(each.star for each in inner.args):
        return None
    is_free = all(each.arg not in _NOT_ON_DEVICE for each in made.keywords)
    return inner if is_free and _is_torch(made, place) else None


def moved_number_as_full(place: Place) -> list[Edit] | None:
    """Write `torch.full((), 0, device=device)` for `torch.tensor(0).to(device)`."""
    call, node = place.call, place.node
    made = node.func.value if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) else None
    if call is None or not isinstance(node, ast.Call) or not isinstance(made, ast.Call) or not _is_torch(made, place):
        return None
    if len(made.args) != 1 or number(made.args[0]) is None or any(each.arg != "dtype" for each in made.keywords):
        return None
    inner, device = call.func.value if isinstance(call.func, cst.Attribute) else None, _target(node, place)
    filled = _full(inner, "()", None) if isinstance(inner, cst.Call) and device is not None else None
    return place.rewritten(with_argument(filled, "device", device)) if filled and device else None


def _is_torch(made: ast.Call, place: Place) -> bool:
    """Whether the creation is written as `torch.name(…)`, with nothing that might be a device among its arguments."""
    func = made.func
    name = func.value.id if isinstance(func, ast.Attribute) and isinstance(func.value, ast.Name) else None
    return name is not None and name == place.module.torch


def _target(node: ast.AST, place: Place) -> str | None:
    """Return what is written for the device; None unless that is the only argument."""
    if not isinstance(node, ast.Call):
        return None
    if isinstance(node.func, ast.Attribute) and node.func.attr == "cuda" and not node.args and not node.keywords:
        return '"cuda"'
    given = [*node.args, *(each.value for each in node.keywords if each.arg == "device")]
    if len(given) != 1 or len(node.args) + len(node.keywords) != 1:
        return None
    return place.module.text(given[0])


def number_beside_tensor(place: Place) -> list[Edit] | None:
    """Write `Normal(mean, mean.new_full((), 1.0))` for `Normal(mean, 1.0)`; the details name the two parameters."""
    call, node = place.call, place.node
    if call is None or not isinstance(node, ast.Call):
        return None
    tensor_at, number_at = (_at(node, each) for each in place.details)
    if tensor_at is None or number_at is None:
        return None
    tensor = [*node.args, *(each.value for each in node.keywords)][tensor_at]
    value = call.args[number_at]
    if not is_path(tensor):
        return None
    fill = expression(f"{place.module.text(tensor)}.new_full((), 0)")
    if not isinstance(fill, cst.Call):
        return None
    filled = fill.with_changes(args=[fill.args[0], fill.args[1].with_changes(value=value.value)])
    args = [*call.args[:number_at], value.with_changes(value=filled), *call.args[number_at + 1 :]]
    return place.rewritten(call.with_changes(args=args))


def _at(node: ast.Call, parameter: str) -> int | None:
    """Return the place of an argument that is given as `name` or as a position."""
    if parameter.isdigit():
        return int(parameter) if int(parameter) < len(node.args) else None
    names = [each.arg for each in node.keywords]
    return len(node.args) + names.index(parameter) if parameter in names else None
