"""From rows and columns to protocol positions, whose columns count what editor and server have agreed on."""

from __future__ import annotations

from collections.abc import Sequence

from lsprotocol import types

from ..finding import Span

_WIDTHS = {types.PositionEncodingKind.Utf8: ("utf-8", 1), types.PositionEncodingKind.Utf16: ("utf-16-le", 2)}


class Positions:
    """Positions in one file; ours count code points from 1, those of the protocol its own units from 0."""

    def __init__(self, lines: Sequence[str], encoding: str) -> None:
        self._lines = lines
        self._codec, self._bytes = _WIDTHS.get(types.PositionEncodingKind(encoding), ("utf-32-le", 4))

    def range_of(self, span: Span) -> types.Range:
        """Return the region; if the file has changed or cannot be read, as far as its lines exist."""
        return types.Range(self.position(span.row, span.column), self.position(span.end_row, span.end_column))

    def position(self, row: int, column: int) -> types.Position:
        """Return the position of a row and column."""
        line = self._line(row)
        return types.Position(max(row - 1, 0), self._units(line[: max(column - 1, 0)]) if line else max(column - 1, 0))

    def column(self, position: types.Position) -> int:
        """Return the column of a position; for one beyond the end of its line, the first after it."""
        line = self._line(position.line + 1)
        if line.isascii():
            return min(position.character, len(line)) + 1
        data = line.encode(self._codec, "surrogatepass")[: position.character * self._bytes]
        return len(data.decode(self._codec, "ignore")) + 1

    def _line(self, row: int) -> str:
        return self._lines[row - 1] if 0 < row <= len(self._lines) else ""

    def _units(self, text: str) -> int:
        return len(text) if text.isascii() else len(text.encode(self._codec, "surrogatepass")) // self._bytes
