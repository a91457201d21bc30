"""Narrow numbers, which the CPU often has no kernel for, computed as wide ones: half precision above all."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

import torch

_WIDE: Final = {
    torch.float16: torch.float32,
    torch.bfloat16: torch.float32,
    torch.complex32: torch.complex64,
    **{each: torch.float32 for name in dir(torch) if name.startswith("float8") and (each := getattr(torch, name))},
}
CONVERSIONS: Final = frozenset({"half_to_float"})
"""Arguments that ask for a wide result of narrow numbers, which the CPU refuses and wide numbers give by themselves."""


def narrowest(values: Any) -> torch.dtype | None:
    """Return the type of the narrow numbers among arguments, if there are any."""
    if isinstance(values, torch.Tensor):
        return values.dtype if values.dtype in _WIDE else None
    if isinstance(values, torch.dtype):
        return values if values in _WIDE else None
    parts: Sequence[Any] = values if isinstance(values, list | tuple) else ()
    return next((found for found in map(narrowest, parts) if found is not None), None)


def wider(value: Any) -> Any:
    """Return an argument with wide numbers for narrow ones."""
    if isinstance(value, torch.Tensor):
        return value.to(_WIDE[value.dtype]) if value.dtype in _WIDE else value
    if isinstance(value, torch.dtype):
        return _WIDE.get(value, value)
    return [wider(each) for each in value] if isinstance(value, list | tuple) else value


def narrower(value: torch.Tensor, narrow: torch.dtype | None) -> torch.Tensor:
    """Return a result that was computed with wide numbers as that of narrow ones."""
    return value.to(narrow) if narrow is not None and value.dtype == _WIDE[narrow] else value
