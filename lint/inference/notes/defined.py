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
_LINE: Final = regex(r"([ \t]*)[^\s)\]}#]")
"""A line that neither is empty nor closes what others open."""


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
    """Return how a name stands outside of its definitions, which begin at these places and indentations.

    What a function binds to it is a variable, wherever the name stands in that function.
    """
    found: set[str] = set()
    if text.count(name) == len(places):
        return found
    at, end, todo = text.find(name), 0, dict(places)
    while at >= 0:
        if at in todo:
            end = max(end, end_of(at, todo[at], text))
        elif at >= end and _is_word(at, at + len(name), text):
            if _BINDS.match(text, at + len(name)):
                end = max(end, _end_of_variable(name, at, text))
            else:
                found.update(_as_used(name, text[at - 1]))
        at = text.find(name, at + len(name))
    return found


def _end_of_variable(name: str, at: int, text: str) -> int:
    """Return where the function ends that binds a name as its variable; 0 if it binds something else, or none does."""
    start = text.rfind("\n", 0, at) + 1
    indented = text[start:at]
    header = _header(start, len(indented), text) if indented.isspace() and f"global {name}" not in text else None
    return 0 if header is None else end_of(header.start(2), len(header[1]), text)


def _header(start: int, indentation: int, text: str) -> re.Match[str] | None:
    """Return the header of the function that a line is in, which starts there; None if it is in none, or in a class."""
    while indentation and start > 0:
        start = text.rfind("\n", 0, start - 1) + 1
        line = _LINE.match(text, start)
        if line is None or len(line[1]) >= indentation:
            continue
        header = DEFINITION.match(text, start - 1)
        if header is not None:
            return header if header[0].split()[-2] == "def" else None
        indentation = len(line[1])
    return None


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
