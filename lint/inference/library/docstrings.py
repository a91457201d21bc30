"""Reads types of parameters from docstrings: `x (torch.Tensor)`, `x : Tensor`, `:type x: Tensor`."""

from __future__ import annotations

import re
from typing import Final

from ...facts.typing_names import HOST_TYPES
from ...regex import regex
from ..values.joining import join_all
from ..values.union import NONE, UNKNOWN, Host, Tensor, Value

_GOOGLE: Final = regex(r"^\s*\*{0,2}(?P<name>\w+)\s*\((?P<type>[^()]*(?:\([^()]*\)[^()]*)*)\)\s*:", re.MULTILINE)
_NUMPY: Final = regex(r"^\s*(?P<name>\w+)\s*:\s(?P<type>[^\n]*)$", re.MULTILINE)
_SPHINX: Final = regex(r"^\s*:type\s+(?P<name>\w+):\s*(?P<type>[^\n]*)$", re.MULTILINE)
_SPHINX_SHORT: Final = regex(r"^\s*:param\s+(?P<type>[^:\n]*\S)\s+(?P<name>\w+):", re.MULTILINE)

_TENSOR: Final = regex(r"(torch\.)?(\w+\.)*((Float|Long|Int|Bool|Half|Byte|Double)?Tensor|tensor)s?")
_NOISE: Final = regex(r":\w+:|[`~!]|\boptional\b|\bdefault\w*\b.*|\bof (shape|size)\b.*|\bshape\b.*|\[.*\]", re.I)
_OR: Final = regex(r"\s*(?:\||/|,|\bor\b)\s*")


def declared(docstring: str | None) -> dict[str, Value]:
    """Return what the docstring promises for parameters, by name; only those with a tensor among the alternatives."""
    if not docstring or "ensor" not in docstring:
        return {}
    found: dict[str, Value] = {}
    for pattern in (_NUMPY, _SPHINX_SHORT, _SPHINX, _GOOGLE):
        for match in pattern.finditer(docstring):
            value = _value(match["type"])
            if value is not UNKNOWN:
                found[match["name"]] = value
    return found


def _value(text: str) -> Value:
    """Return the value for the text of a type; Unknown unless each part of it is understood and one is a tensor."""
    parts = [part.strip(" .") for part in _OR.split(_NOISE.sub(" ", text))]
    values = [_part(part) for part in parts if part]
    if not any(isinstance(value, Tensor) for value in values) or UNKNOWN in values:
        return UNKNOWN
    return join_all(values)


def _part(text: str) -> Value:
    if _TENSOR.fullmatch(text):
        return Tensor(by_use="its docstring says so")
    if text == "None":
        return NONE
    return Host(text) if text in HOST_TYPES else UNKNOWN
