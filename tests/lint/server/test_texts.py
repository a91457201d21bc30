"""Texts that are changed in pieces, as the protocol counts."""

from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st
from lsprotocol import types
from pygls.workspace import PositionCodec
from synclint.lint.server.texts import Text

ENCODINGS = {"utf-8": ("utf-8", 1), "utf-16": ("utf-16-le", 2), "utf-32": ("utf-32-le", 4)}
PIECES = st.lists(st.sampled_from(["a", "é", "€", "𝔾", "\n", "\r\n", "\r", "\f", "\v", "\x85", "\u2028", "\ud800"]))
TEXTS = PIECES.map("".join)


def opened(text: str, encoding: str) -> Text:
    codec = PositionCodec(types.PositionEncodingKind(encoding))
    return Text("file:///train.py", text, 0, "python", position_codec=codec)


def position(text: str, offset: int, encoding: str) -> types.Position:
    """Where the protocol sees an offset: line ends and units counted one by one."""
    codec, width = ENCODINGS[encoding]
    ends = [match.end() for match in re.finditer("\r\n|\n|\r", text) if match.end() <= offset]
    start = ends[-1] if ends else 0
    return types.Position(len(ends), len(text[start:offset].encode(codec, "surrogatepass")) // width)


@pytest.mark.parametrize("encoding", ENCODINGS)
@given(text=TEXTS, edits=st.lists(st.tuples(TEXTS, st.floats(0, 1), st.floats(0, 1)), max_size=8))
def test_pieces_make_the_whole(encoding: str, text: str, edits: list[tuple[str, float, float]]) -> None:
    document = opened(text, encoding)
    for new, one, other in edits:
        first, last = sorted(_outside(text, round(each * len(text))) for each in (one, other))
        place = types.Range(position(text, first, encoding), position(text, last, encoding))
        document.apply_change(types.TextDocumentContentChangePartial(place, new))
        text = text[:first] + new + text[last:]
        assert document.source == text


def _outside(text: str, offset: int) -> int:
    """No position is between the two characters of a line end."""
    return offset + (text[offset - 1 : offset + 1] == "\r\n" and offset > 0)


@pytest.mark.parametrize(
    ("line", "character", "changed"),
    [(0, 99, "ab!\ncd"), (1, 99, "ab\ncd!"), (9, 9, "ab\ncd!")],
    ids=["line", "last", "text"],
)
def test_what_is_beyond_an_end_is_the_end(line: int, character: int, changed: str) -> None:
    document = opened("ab\ncd", "utf-16")
    place = types.Position(line, character)
    document.apply_change(types.TextDocumentContentChangePartial(types.Range(place, place), "!"))
    assert document.source == changed


def test_the_whole_may_be_sent_as_well() -> None:
    document = opened("ab", "utf-16")
    document.apply_change(types.TextDocumentContentChangeWholeDocument("cd"))
    assert document.source == "cd"
