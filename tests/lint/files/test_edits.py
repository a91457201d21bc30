"""Edits change what they name, and not a byte of anything else."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st
from synclint.lint.files.edits import applied
from synclint.lint.offers import Edit
from synclint.lint.suppression.ignore_comments import physical_lines

LINES = st.lists(st.text("ab \t\x0cé\U0001f600", max_size=6), min_size=1, max_size=6)


@st.composite
def texts_with_edits(draw: st.DrawFn) -> tuple[list[str], list[Edit]]:
    """Lines with any line ends, and edits that do not overlap."""
    lines = [line + draw(st.sampled_from(("\n", "\r\n"))) for line in draw(LINES)]
    places = [(row, column) for row, line in enumerate(lines, 1) for column in range(1, len(line.rstrip("\r\n")) + 2)]
    chosen = sorted(draw(st.sets(st.sampled_from(range(len(places))), max_size=6)))
    pairs = zip(chosen[::2], chosen[1::2])
    return lines, [Edit(*places[a], *places[b], draw(st.text("xy\n", max_size=4))) for a, b in pairs]


@given(texts_with_edits())
def test_only_the_edits_change_anything(both: tuple[list[str], list[Edit]]) -> None:
    lines, edits = both
    starts = [sum(map(len, lines[:at])) for at in range(len(lines))]
    text = "".join(lines)
    after = applied(physical_lines(text), edits)
    position = 0
    for at, edit in enumerate(edits):
        first, last = starts[edit.row - 1] + edit.column - 1, starts[edit.end_row - 1] + edit.end_column - 1
        previous = 0 if at == 0 else starts[edits[at - 1].end_row - 1] + edits[at - 1].end_column - 1
        untouched = text[previous:first]
        assert after[position:].startswith(untouched)
        position += len(untouched)
        written = after[position:]
        plain = edit.text.replace("\n", lines[edit.row - 1][len(lines[edit.row - 1].rstrip("\r\n")) :])
        assert written.startswith(plain)
        position += len(plain)
        assert last >= first
    end = starts[edits[-1].end_row - 1] + edits[-1].end_column - 1 if edits else 0
    assert after[position:] == text[end:]
