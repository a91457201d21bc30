"""Columns in the units that other programs count in; ours are code points from 1, the end exclusive."""

from __future__ import annotations

from collections.abc import Sequence

from ..finding import Span


def utf8(span: Span, lines: Sequence[str]) -> tuple[int, int]:
    """The first column of a span and the one after it, in bytes of UTF-8, from 1; `lines` are those of the file.

    Where the file cannot be read any more, columns stay what they are, as do those of whole lines of a notebook.
    """
    if span.cell:
        return span.column, span.end_column
    return _utf8(span.row, span.column, lines), _utf8(span.end_row, span.end_column, lines)


def _utf8(row: int, column: int, lines: Sequence[str]) -> int:
    if row > len(lines) or lines[row - 1].isascii():
        return column
    before = lines[row - 1][: column - 1]
    return column + len(before.encode(errors="surrogatepass")) - len(before)
