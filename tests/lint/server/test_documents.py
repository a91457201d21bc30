"""Which document is meant, and which of its texts."""

from __future__ import annotations

import ntpath
import os

import pytest

pytest.importorskip("pygls")

from synclint.lint.server.checker import Answer
from synclint.lint.server.documents import Document
from synclint.lint.server.server import Server


def test_an_open_document_is_called_as_the_editor_calls_it(monkeypatch: pytest.MonkeyPatch) -> None:
    """Editors write the letter of a drive small and encode its colon, Windows does neither."""
    server = Server()
    server.opened["file:///c%3A/Project/train.py"] = r"c:\Project\train.py"
    for name in ("abspath", "normcase"):
        monkeypatch.setattr(os.path, name, getattr(ntpath, name))
    assert server.uri_of(r"C:\project\train.py") == "file:///c%3A/Project/train.py"


def test_what_was_found_in_another_text_is_no_answer() -> None:
    server = Server()
    before, now = (Document("file:///train.py", "/train.py", each, "x = 1\n" * each) for each in (1, 2))
    server.answers[before.uri] = Answer(before)
    assert server.answer(before) is server.answers[before.uri]
    assert server.answer(now) is None
