"""Columns in the units that other programs count; ours are code points from 1, with an exclusive end."""

from __future__ import annotations

from collections.abc import Sequence

from ..finding import Span


def utf8(span: Span, lines: Sequence[str]) -> tuple[int, int]:
    """Return the first column of a span and the one after it, in UTF-8 bytes from 1; `lines` are those of the file.

    If the file can no longer be read, columns are left as they are, as are those of whole notebook lines.
    """
    if span.cell:
        return span.column, span.end_column
    return _utf8(span.row, span.column, lines), _utf8(span.end_row, span.end_column, lines)


def _utf8(row: int, column: int, lines: Sequence[str]) -> int:
    if row > len(lines) or lines[row - 1].isascii():
        return column
    before = lines[row - 1][: column - 1]
    return column + len(before.encode(errors="surrogatepass")) - len(before)
