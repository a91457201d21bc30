"""What the text of a file does with its dicts: whether it looks something up by a computed key, or goes through all."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from ...regex import regex

_ASKED: Final = regex(r"\b(\w+)(?:\[|\.get\()\s*(?![\"'\s])")
_LOOP: Final = regex(r"\bfor[ \t][^\n:]*")
_GONE_THROUGH: Final = regex(r"\bin[ \t]+(?:\w+\()*(\w+)\b(?!\[)")
_ALL: Final = regex(r"(\w+)\.(?:items|values)\(\)")


@dataclass(frozen=True, slots=True)
class Tables:
    """The names of what is `asked` by keys that are computed, `heads[name]`, and of what is `gone_through`."""

    asked: frozenset[str]
    gone_through: frozenset[str]


def tables(text: str) -> Tables:
    """Return what the text of a file does with what it may keep under names."""
    loops = (name for loop in _LOOP.findall(text) for name in _GONE_THROUGH.findall(loop))
    return Tables(frozenset(_ASKED.findall(text)), frozenset(_ALL.findall(text)).union(loops))
