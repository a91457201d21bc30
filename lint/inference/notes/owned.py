"""Which classes of a text name attributes of their own objects: `self.scaled` is no method of an unrelated class."""

from __future__ import annotations

from typing import Final

from ...regex import in_lines_with, regex
from .defined import end_of

SELF: Final = "self"
_CLASS: Final = regex(r"\nclass[ \t]+(\w+)[ \t]*(?:\([\w., \t=]*\))?[ \t]*:")
"""A class whose bases are written there: what a call makes of classes, others may add to."""
_OPEN: Final = regex(r"\n[ \t]+class[ \t]|__getattr|\bself[ \t]*=(?!=)")
"""What a class has in it where `self` is another object, or where that takes attributes from others."""


def apart(text: str) -> list[tuple[str, str]]:
    """Return a text in parts: those in which `self` is an object of a class, with its name, and the rest."""
    parts, end = [], 0
    for each in in_lines_with("class", _CLASS, text):
        close = end_of(each.start(1), 0, text)
        body = text[each.start() : close]
        if each.start() >= end and _OPEN.search(body) is None:
            parts += [("", text[end : each.start()]), (each[1], body)]
            end = close
    return [*parts, ("", text[end:])]
