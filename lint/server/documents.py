"""The documents that are open in the editor."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Final

from ..files.source import encoding_of

_PASS: Final = "surrogatepass"
"""An unpaired UTF-16 surrogate, which an editor may send, is not text; it becomes bytes that the linter reports."""


@dataclass(frozen=True)
class Document:
    """One open document at one moment; `name` is its file's, which need not exist, and `text` may be unsaved."""

    uri: str
    name: str
    version: int | None
    text: str

    @cached_property
    def lines(self) -> tuple[str, ...]:
        """The lines without their ends, as the protocol counts them."""
        return tuple(self.text.replace("\r\n", "\n").replace("\r", "\n").split("\n"))

    @cached_property
    def data(self) -> bytes:
        """The bytes that the file would contain if it were saved now."""
        data = self.text.encode("utf-8", _PASS)
        try:
            encoding = encoding_of(data)
            return data if encoding.startswith("utf-8") else self.text.encode(encoding)
        except (SyntaxError, LookupError, ValueError):
            return data
