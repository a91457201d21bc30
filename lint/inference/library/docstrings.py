"""Reads types of parameters from docstrings: `x (torch.Tensor)`, `x : Tensor`, `:type x: Meter`."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Final

from ...facts.typing_names import HOST_TYPES
from ...regex import regex
from ..values.joining import join_all
from ..values.union import NONE, UNKNOWN, Host, Tensor, Value

DOCUMENTED: Final = "documented"
"""Follows the class of a parameter that only a docstring tells, which may mean one outside of the project."""
_GOOGLE: Final = regex(r"^\s*\*{0,2}(?P<name>\w+)\s*\((?P<type>[^()]*(?:\([^()]*\)[^()]*)*)\)\s*:", re.MULTILINE)
_NUMPY: Final = regex(r"^\s*(?P<name>\w+)\s*:\s(?P<type>[^\n]*)$", re.MULTILINE)
_SPHINX: Final = regex(r"^\s*:type\s+(?P<name>\w+):\s*(?P<type>[^\n]*)$", re.MULTILINE)
_SPHINX_SHORT: Final = regex(r"^\s*:param\s+(?P<type>[^:\n]*\S)\s+(?P<name>\w+):", re.MULTILINE)

_CLASS: Final = regex(r"(?:\w+\.)*[A-Z]\w*")
_MAY_NAME_CLASS: Final = regex(rf"\w\s*[(:]\s*{_CLASS.pattern}\s*[),\n]|:param\s+{_CLASS.pattern}\s")
_TENSOR: Final = regex(r"(torch\.)?(\w+\.)*((Float|Long|Int|Bool|Half|Byte|Double)?Tensor|tensor)s?")
_NOISE: Final = regex(r":\w+:|[`~!]|\boptional\b|\bdefault\w*\b.*|\bof (shape|size)\b.*|\bshape\b.*|\[.*\]", re.I)
_OR: Final = regex(r"\s*(?:\||/|,|\bor\b)\s*")


def declared(docstring: str | None, class_named: Callable[[str], Value]) -> dict[str, Value]:
    """Return what the docstring promises for parameters, by name: a tensor, among other things, or an object.

    `class_named` returns an instance of the class with that name; Unknown if it is none of the project's.
    """
    if not docstring or not ("ensor" in docstring or _MAY_NAME_CLASS.search(docstring)):
        return {}
    found: dict[str, Value] = {}
    for pattern in (_NUMPY, _SPHINX_SHORT, _SPHINX, _GOOGLE):
        for match in pattern.finditer(docstring):
            value = _value(match["type"], class_named)
            if value is not UNKNOWN:
                found[match["name"]] = value
    return found


def _value(text: str, class_named: Callable[[str], Value]) -> Value:
    """Return the value for the text of a type; Unknown unless each part of it is understood and one is a tensor.

    An object stands alone.
    """
    parts = [each for part in _OR.split(_NOISE.sub(" ", text)) if (each := part.strip(" ."))]
    values = [_part(part) for part in parts]
    if any(isinstance(value, Tensor) for value in values) and UNKNOWN not in values:
        return join_all(values)
    return class_named(parts[0]) if len(parts) == 1 and _CLASS.fullmatch(parts[0]) else UNKNOWN


def _part(text: str) -> Value:
    if _TENSOR.fullmatch(text):
        return Tensor(by_use="its docstring says so")
    if text == "None":
        return NONE
    return Host(text) if text in HOST_TYPES else UNKNOWN
