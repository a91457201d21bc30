"""Numbers in a program's text that Python reads and then refuses to write out, which takes it long."""

from __future__ import annotations

from typing import Final

from ..regex import regex

_LONG: Final = regex(r"0[xXoObB][0-9a-fA-F_]{2000,}")


def with_short_numbers(text: str) -> str:
    """Return the text with zeros, which take as much room, in the place of numbers of thousands of digits."""
    return _LONG.sub(lambda found: f"0x{'0' * (len(found[0]) - 2)}", text)
