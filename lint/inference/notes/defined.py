"""Where the text of a file defines functions and classes, and how it names them elsewhere."""

from __future__ import annotations

import re
from functools import lru_cache
from typing import Final

from ...facts import lookups
from ...regex import in_lines_with, regex

DEFINITION: Final = regex(r"\n([ \t]*)(?:async[ \t]+)?(?:def|class)[ \t]+(\w+)")
_DECORATOR: Final = regex(r"\n[ \t]*@[ \t]*([\w.]+)")
_BINDS: Final = regex(r"[ \t]*=(?!=)")


def definitions(text: str) -> list[tuple[str, int, int]]:
    """Return the names of functions and classes in a text, where they stand, and how far they are indented."""
    found = {}  # by place, since a line may have both words
    for word in ("def", "class"):
        for each in in_lines_with(word, DEFINITION, text):
            found[each.start(2)] = each[2], len(each[1])
    return [(name, at, indentation) for at, (name, indentation) in found.items()]


def decorated(text: str) -> set[str]:
    """Return the names that are given to a decorator when they are defined, which may keep them for later."""
    found = set()
    for each in _DECORATOR.finditer(text):
        if each[1].rpartition(".")[2] not in lookups.PLAIN_DECORATORS:
            definition = DEFINITION.search(text, each.end())
            if definition is not None:
                found.add(definition[2])
    return found


def uses_of(name: str, places: list[tuple[int, int]], text: str) -> set[str]:
    """Return how a name stands outside of its definitions, which begin at these places and indentations."""
    found: set[str] = set()
    if text.count(name) == len(places):
        return found
    at, end, todo = text.find(name), 0, dict(places)
    while at >= 0:
        if at in todo:
            end = max(end, end_of(at, todo[at], text))
        elif at >= end and _is_word(at, at + len(name), text):
            found.update(_as_used(name, text[at - 1]) if not _BINDS.match(text, at + len(name)) else ())
        at = text.find(name, at + len(name))
    return found


def _as_used(name: str, before: str) -> tuple[str, ...]:
    """Return what a name may be by the character before it."""
    return (f".{name}", name) if before == "." else (name, f'"{name}') if before in "\"'" else (f":{name}",)


def _is_word(start: int, end: int, text: str) -> bool:
    before, after = text[start - 1 : start], text[end : end + 1]
    return not (before == "_" or before.isalnum() or after == "_" or after.isalnum())


def end_of(start: int, indentation: int, text: str) -> int:
    """Return where a definition ends: at the next line that is indented no more and does not close its header."""
    found = _outside(indentation).search(text, start)
    return len(text) if found is None else found.start()


@lru_cache(100)
def _outside(indentation: int) -> re.Pattern[str]:
    return re.compile(rf"\n[ \t]{{0,{indentation}}}[^ \t\n)\]]")
