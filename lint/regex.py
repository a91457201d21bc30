"""Regular expressions that are compiled when they are first used: one file needs few of them."""

from __future__ import annotations

import re
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
