"""What the text of a file does with its dicts: whether it looks something up by a computed key, or goes through all."""

from __future__ import annotations

import re
from functools import cached_property
from typing import Final

from ...regex import regex

_ASKED: Final = regex(r"(?:\[|\.get\()\s*(?![\"'\s])")
_LOOP: Final = regex(r"for[ \t](?<=\bfor[ \t])[^\n:]*")
_GONE_THROUGH: Final = regex(r"\bin[ \t]+(?:\w+\()*(\w+)\b(?!\[)")
_ALL: Final = regex(r"\.(?:items|values)\(\)")


class Tables:
    """What a text does with the dicts by some name: few are asked for, so each is looked up by itself."""

    def __init__(self, text: str) -> None:
        self._text = text

    def asked(self, name: str) -> bool:
        """Whether something is looked up there by a key that is computed: `heads[name]`."""
        return self._is_followed(name, _ASKED)

    def gone_through(self, name: str) -> bool:
        """Whether there is a loop over what is kept there."""
        return name in self._looped or self._is_followed(name, _ALL)

    @cached_property
    def _looped(self) -> frozenset[str]:
        return frozenset(name for loop in _LOOP.findall(self._text) for name in _GONE_THROUGH.findall(loop))

    def _is_followed(self, name: str, by: re.Pattern[str]) -> bool:
        """Whether a word of the text is followed by something."""
        text, at = self._text, self._text.find(name)
        while at >= 0:
            end = at + len(name)
            if by.match(text, end) and not _is_in_word(text[at - 1 : at]):
                return True
            at = text.find(name, end)
        return False


def _is_in_word(character: str) -> bool:
    return character == "_" or character.isalnum()
