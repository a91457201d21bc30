"""From rows and columns to protocol positions, whose columns count what editor and server have agreed on."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import accumulate

from lsprotocol import types

from ..finding import Span

_WIDTHS = {types.PositionEncodingKind.Utf8: ("utf-8", 1), types.PositionEncodingKind.Utf16: ("utf-16-le", 2)}


class Positions:
    """Positions in one file; ours count code points from 1, those of the protocol its own units from 0.

    `first` is the row at which the protocol begins to count: that of a cell in a notebook.
    """

    def __init__(self, lines: Sequence[str], encoding: str, first: int = 1) -> None:
        self._lines = lines
        self._first = first
        self._codec, self._bytes = _WIDTHS.get(types.PositionEncodingKind(encoding), ("utf-32-le", 4))

    def range_of(self, span: Span) -> types.Range:
        """Return the region; if the file has changed or cannot be read, as far as its lines exist."""
        return types.Range(self.position(span.row, span.column), self.position(span.end_row, span.end_column))

    def position(self, row: int, column: int) -> types.Position:
        """Return the position of a row and column."""
        line = self._line(row)
        return types.Position(
            max(row - self._first, 0), self._units(line[: max(column - 1, 0)]) if line else max(column - 1, 0)
        )

    def row(self, position: types.Position) -> int:
        """Return the row of a position."""
        return position.line + self._first

    def column(self, position: types.Position) -> int:
        """Return the column of a position; for one beyond the end of its line, the first after it."""
        line = self._line(self.row(position))
        if line.isascii():
            return min(position.character, len(line)) + 1
        ends = accumulate(map(self._units, line))
        return next((at for at, end in enumerate(ends, 1) if end > position.character), len(line) + 1)

    def _line(self, row: int) -> str:
        return self._lines[row - 1] if 0 < row <= len(self._lines) else ""

    def _units(self, text: str) -> int:
        return len(text) if text.isascii() else len(text.encode(self._codec, "surrogatepass")) // self._bytes
