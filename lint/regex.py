"""Regular expressions that are compiled when they are first used: one file needs few of them."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any, cast


class _Uncompiled:
    """A pattern of which each method takes the place of `__getattr__` once it was asked for."""

    def __init__(self, text: str, flags: int) -> None:
        self._text = text
        self._flags = flags

    def __getattr__(self, name: str) -> Any:
        found = getattr(re.compile(self._text, self._flags), name)
        setattr(self, name, found)
        return found


def regex(text: str, flags: int = 0) -> re.Pattern[str]:
    """Return a regular expression that is compiled when it is first used."""
    return cast("re.Pattern[str]", _Uncompiled(text, flags))


def in_lines_with(word: str, pattern: re.Pattern[str], text: str) -> Iterator[re.Match[str]]:
    """Yield the matches of a pattern at beginnings of lines that have a word, which is found faster than a line.

    A match may include the line feed before its line; it may be longer than a line.
    """
    at = text.find(word)
    while at >= 0:
        line = text.rfind("\n", 0, at)
        found = pattern.match(text, max(line, 0))
        yield from () if found is None else (found,)
        end = text.find("\n", at if found is None else found.end())
        at = text.find(word, end) if end >= 0 else -1
