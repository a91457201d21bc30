"""The lines of a run's files, read again only where a finding needs them."""

from __future__ import annotations

from collections.abc import Mapping

from ..limits import MOST_TEXTS
from .source import Source, Unreadable, content, parse, text_of


class Texts:
    """Lines by the names of files; `given` are the contents of those that are not read from disk.

    Findings are ordered by file, so that only the lines of the last are kept, and the last few texts.
    """

    def __init__(self, given: Mapping[str, bytes]) -> None:
        self._given = given
        self._texts: dict[str, str | None] = {}
        self._last: tuple[str, tuple[str, ...]] = "", ()

    def lines(self, filename: str) -> tuple[str, ...]:
        """Return the file's lines without line ends; none if it cannot be read."""
        name, lines = self._last
        if name != filename:
            text = self._text(filename)
            lines = () if text is None else tuple(text.split("\n"))
            self._last = filename, lines
        return lines

    def source(self, filename: str) -> Source | None:
        """Return the file as it was parsed; None if it cannot be."""
        data = self._given[filename] if filename in self._given else content(filename, filename)
        source = None if isinstance(data, Unreadable) else parse(data, filename, wanted=True)
        is_same = isinstance(source, Source) and (bool(source.cells) or source.lines == self.lines(filename))
        return source if isinstance(source, Source) and is_same else None

    def _text(self, filename: str) -> str | None:
        if filename not in self._texts:
            data = self._given[filename] if filename in self._given else content(filename, filename)
            text = data if isinstance(data, Unreadable) else text_of(data, filename)
            if len(self._texts) == MOST_TEXTS:
                del self._texts[next(iter(self._texts))]
            self._texts[filename] = None if isinstance(text, Unreadable) else text
        return self._texts[filename]
