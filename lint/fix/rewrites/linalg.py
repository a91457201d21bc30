"""Rewritings of routines that check for errors on the host."""

from __future__ import annotations

import ast
from typing import Final

from ...offers import Edit
from ..place import Place

_RESULTS: Final = {"inv": "[0]", "cholesky": "[0]", "solve": "[0]", "lu_factor": "[:2]", "ldl_factor": "[:2]"}
"""The results of the `_ex` variant that the routine itself returns; the last of them is `info`."""


def unchecked(place: Place) -> list[Edit] | None:
    """Write `torch.linalg.inv_ex(x)[0]` for `torch.linalg.inv(x)`, where nobody handles the error."""
    node = place.node
    if not isinstance(node, ast.Call) or not isinstance(node.func, ast.Attribute) or node.func.attr not in _RESULTS:
        return None
    if any(each.arg == "out" for each in node.keywords):
        return None
    if any(isinstance(each, ast.Try) for each in place.module.around(node)):
        return None
    is_attribute = isinstance(place.module.parents.get(node), ast.Attribute)  # `.L`, `.LU` of a named tuple
    if is_attribute and node.func.attr in ("lu_factor", "ldl_factor"):
        return None
    name = node.func.attr
    length = len(place.module.text(node.func))
    return place.written(f"{place.text[:length]}_ex{place.text[length:]}{_RESULTS[name]}")
