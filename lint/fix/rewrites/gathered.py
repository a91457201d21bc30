"""Rewritings that make a tensor of others without reading them to the host."""

from __future__ import annotations

import ast
from typing import Final

from ...offers import Edit
from ..place import Place, smallest
from ..syntax import is_path, number

LISTS: Final = (ast.List, ast.Tuple, ast.ListComp)


def listed_as_stack(place: Place) -> list[Edit] | None:
    """Write `torch.stack([a, b]).detach()` for `torch.tensor([a, b], device=…)` of tensors without dimensions."""
    call = _made(place)
    if call is None or not isinstance(place.node, LISTS) or (isinstance(place.node, ast.List) and not place.node.elts):
        return None
    return _written(call, f"{place.module.torch}.stack({place.text}).detach()", place)


def repeated_as_expand(place: Place) -> list[Edit] | None:
    """Write `t.detach().expand(n).clone()` for `torch.tensor([t] * n, device=…)`; n must be written, and positive."""
    call = _made(place)
    match place.node:
        case ast.BinOp(left=ast.List(elts=[item]), op=ast.Mult(), right=times) if is_path(item) and call is not None:
            if not (number(times) or 0) >= 1:
                return None
            text = f"{place.module.text(item)}.detach().expand({place.module.text(times)}).clone()"
            return _written(call, text, place)
    return None


def filled_by_tensor(place: Place) -> list[Edit] | None:
    """Write `torch.empty(size, …).fill_(t.detach())` for `torch.full(size, t, …)`."""
    module, node = place.module, place.node
    call = module.parents.get(node)
    if not isinstance(call, ast.Call) or len(call.args) != 2 or call.args[1] is not node or not is_path(node):
        return None
    if not _is_torch(call, "full", place) or "device" not in [each.arg for each in call.keywords]:
        return None
    if not {each.arg for each in call.keywords} <= {"device", "dtype"} or "#" in module.text(call):
        return None
    given = [module.text(call.args[0]), *(f"{each.arg}={module.text(each.value)}" for each in call.keywords)]
    text = f"{module.torch}.empty({', '.join(given)}).fill_({place.text}.detach())"
    return [smallest(module.replaced(call, text), module.text(call))]


def _made(place: Place) -> ast.Call | None:
    """Return the call `torch.tensor(data, device=…)` of which the place is the data."""
    call = place.module.parents.get(place.node)
    if not isinstance(call, ast.Call) or call.args != [place.node] or not _is_torch(call, "tensor", place):
        return None
    return call if [each.arg for each in call.keywords] == ["device"] else None


def _is_torch(call: ast.Call, name: str, place: Place) -> bool:
    torch = place.module.torch
    return torch is not None and ast.unparse(call.func) == f"{torch}.{name}"


def _written(call: ast.Call, text: str, place: Place) -> list[Edit] | None:
    """Return the edit that writes a text for a call, on the device that the call names."""
    module = place.module
    before = module.text(call)
    text = f"{text}.to({module.text(call.keywords[0].value)})"
    return None if "#" in before else [smallest(module.replaced(call, text), before)]
