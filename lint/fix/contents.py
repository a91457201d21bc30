"""A file's bytes with edits made in them: the encoding, the line ends and everything else stay as they are."""

from __future__ import annotations

from collections.abc import Iterable

from ..files.edits import applied
from ..files.notebook import NotebookError
from ..files.source import NOTEBOOK, Source, encoding_of, parse, text_of
from ..offers import Edit
from ..suppression.ignore_comments import LeftAlone, physical_lines


def changed(data: bytes, source: Source, edits: Iterable[Edit]) -> bytes:
    """Return the bytes of a file after edits of its module. Raises LeftAlone."""
    edits = list(edits)
    after = _notebook(data, source, edits) if source.filename.endswith(NOTEBOOK) else _module(data, edits)
    parsed = parse(after, source.filename, wanted=True)
    if not isinstance(parsed, Source) or (parsed.broken and not source.broken):
        raise LeftAlone("it would no longer be Python")
    return after


def _module(data: bytes, edits: Iterable[Edit]) -> bytes:
    encoding = encoding_of(data)
    physical = physical_lines(data.decode(encoding))
    if "".join(physical).encode(encoding) != data:
        raise LeftAlone("its encoding cannot be preserved")
    try:
        return applied(physical, edits).encode(encoding)
    except UnicodeEncodeError as error:
        raise LeftAlone(f"what would be written cannot be encoded in {encoding}") from error


def _notebook(data: bytes, source: Source, edits: Iterable[Edit]) -> bytes:
    from ..suppression.ignore_comments import Insertion
    from ..suppression.notebook_comments import with_insertions

    text = text_of(data, source.filename)
    written = text.split("\n") if isinstance(text, str) else []
    wanted = []
    for each in sorted(edits, reverse=True):
        if source.cell(each.row) != source.cell(each.end_row):
            raise LeftAlone("a fix would cross cells")
        if list(source.lines[each.row - 1 : each.end_row]) != written[each.row - 1 : each.end_row]:
            raise LeftAlone("a fix would change a magic command")
        wanted.append(Insertion(each.row, each.column - 1, each.text, False, _length(source, each)))
    try:
        return with_insertions(data, source.cells, wanted)
    except (NotebookError, UnicodeEncodeError) as error:
        raise LeftAlone(f"it cannot be written back as it was: {error}") from error


def _length(source: Source, edit: Edit) -> int:
    """Return how many characters an edit removes."""
    if edit.row == edit.end_row:
        return edit.end_column - edit.column
    first, *middle, last = source.lines[edit.row - 1 : edit.end_row]
    return len("\n".join((first[edit.column - 1 :], *middle, last[: edit.end_column - 1])))
