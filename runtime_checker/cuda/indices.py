"""What an index waits for: the same brackets copy a list to the device, read a number, or count what a mask selects."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from types import FrameType
from typing import Any

from ..observe import Kind


def kind_of_index(index: ast.expr, frame: FrameType) -> Kind | None:
    """Return what the index waits for, as far as its text and the values of its names tell."""
    parts = list(_parts(index))
    kinds = [kind for part in parts if (kind := _kind(part, frame))]
    return kinds[0] if kinds else "unknown" if any(map(_is_open, parts)) else None


def _is_open(part: ast.expr) -> bool:
    """Whether the part may be an index of any kind."""
    return isinstance(part, (ast.Name, ast.Attribute, ast.Call, ast.Subscript))


def _parts(index: ast.expr) -> Iterator[ast.expr]:
    yield from index.elts if isinstance(index, ast.Tuple) else (index,)


def _kind(part: ast.expr, frame: FrameType) -> Kind | None:
    if isinstance(part, (ast.List, ast.ListComp)):
        return "copy to device"
    if isinstance(part, ast.Compare):
        return "data-dependent shape"
    if isinstance(part, ast.Slice):
        return "reads value" if part.lower or part.upper or part.step else None
    return _kind_of_value(_value(part, frame))


def _value(part: ast.expr, frame: FrameType) -> Any:
    """Return the value of a name, or of an attribute that an object itself has; no code of the program is run."""
    if isinstance(part, ast.Name):
        return frame.f_locals.get(part.id, frame.f_globals.get(part.id))
    if isinstance(part, ast.Attribute):
        return getattr(_value(part.value, frame), "__dict__", {}).get(part.attr)
    return None


def _kind_of_value(value: Any) -> Kind | None:
    dtype, device = str(getattr(value, "dtype", "")), getattr(value, "device", None)
    if dtype.endswith(("bool", "uint8")):
        return "data-dependent shape"
    if isinstance(value, (list, range)) or (dtype and device is None) or getattr(device, "type", "") == "cpu":
        return "copy to device"
    return "reads value" if dtype and not value.shape else None
