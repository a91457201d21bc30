"""Comments put into the cells of a notebook: only the strings that hold their lines change, in the file's own form."""

from __future__ import annotations

import codecs
import json
import re
from bisect import bisect_right
from collections import defaultdict
from collections.abc import Sequence
from typing import Final

from ..files.notebook import Piece, pieces
from ..finding import Cell
from .ignore_comments import Insertion, physical_lines

_SPACE_BEFORE: Final = re.compile(r"(?P<mark>[\[,:]?)(?P<space>\s*)\Z")


def with_insertions(data: bytes, cells: Sequence[Cell], wanted: Sequence[Insertion]) -> bytes:
    """Return the notebook's bytes with insertions into the module that its code `cells` form, given last first.

    Raises NotebookError, and UnicodeEncodeError for halves of characters.
    """
    text = data.decode("utf-8-sig")
    given = pieces(data)
    changed: dict[tuple[int, int], str] = {}
    firsts = [cell.first for cell in cells]
    by_cell: defaultdict[int, list[Insertion]] = defaultdict(list)
    for each in wanted:
        by_cell[bisect_right(firsts, each.row) - 1].append(each)
    for at, inside in by_cell.items():
        changed |= _changed(text, given[cells[at].number], cells[at].first, inside)
    for (start, end), instead in sorted(changed.items(), reverse=True):
        text = text[:start] + instead + text[end:]
    mark = codecs.BOM_UTF8 if data.startswith(codecs.BOM_UTF8) else b""
    return mark + text.encode()


def _changed(text: str, given: Sequence[Piece], first: int, wanted: Sequence[Insertion]) -> dict[tuple[int, int], str]:
    """Return what replaces which strings of one cell."""
    lines = [0]
    for line in physical_lines("".join(each.text for each in given)):
        lines.append(lines[-1] + len(line))
    starts = [0]
    for each in given:
        starts.append(starts[-1] + len(each.text))
    new = [each.text for each in given]
    for insertion in wanted:
        place = lines[insertion.row - first] + insertion.column
        at = min(bisect_right(starts, place), len(given)) - 1
        offset = place - starts[at]
        rest, left = new[at][offset:], insertion.removed
        new[at] = new[at][:offset] + insertion.text + rest[left:]
        for following in range(at + 1, len(new)):
            left = max(left - len(rest), 0)
            rest, new[following] = new[following], new[following][left:]
    both = zip(given, new)
    return {(each.start, each.end): _as_json(text, each, instead) for each, instead in both if instead != each.text}


def _as_json(text: str, piece: Piece, instead: str) -> str:
    """Return the string, or for an element of a list one per line, as the file writes them."""
    before = _SPACE_BEFORE.search(text, max(piece.start - 200, 0), piece.start)
    is_element = before is not None and before["mark"] in ("[", ",")
    parts = physical_lines(instead) if is_element else [instead]
    strings = (json.dumps(part, ensure_ascii=text.isascii()) for part in parts)
    return f",{before['space'] if before else ' '}".join(strings)
