"""The texts of documents, changed piece by piece as they are typed.

Lines end where the protocol says. pygls ends them at form feeds as well, and would change the wrong line.
"""

from __future__ import annotations

import re
from itertools import islice
from typing import Final
from urllib.parse import unquote

from lsprotocol import types
from pygls.workspace import TextDocument, Workspace

from .positions import Positions

_LINE_END: Final = re.compile(r"\r\n|\r|\n")


class Text(TextDocument):
    """A document's text, with the changes that the editor sends."""

    def apply_change(self, change: types.TextDocumentContentChangeEvent) -> None:
        """Change a region, or all of the text."""
        if isinstance(change, types.TextDocumentContentChangePartial):
            encoding = types.PositionEncodingKind(self.position_codec.encoding or "utf-16").value
            change = types.TextDocumentContentChangeWholeDocument(
                edited(self.source, change.range, change.text, encoding)
            )
        super().apply_change(change)


def keep(workspace: Workspace, uri: str) -> None:
    """Let the text of a document that was just opened be changed as the protocol says."""
    given = workspace.get_text_document(uri)
    workspace.text_documents[unquote(uri)] = Text(
        uri, given.source, given.version, given.language_id, position_codec=workspace.position_codec
    )


def edited(text: str, place: types.Range, new: str, encoding: str) -> str:
    """Return the text with the region replaced."""
    first, last = (_offset(text, each, encoding) for each in (place.start, place.end))
    return text[:first] + new + text[max(first, last) :]


def _offset(text: str, position: types.Position, encoding: str) -> int:
    """Return where a position is; one beyond the end of its line or of the text is that end."""
    ends = _LINE_END.finditer(text)
    start = 0
    if position.line:
        above = next(islice(ends, position.line - 1, None), None)
        if above is None:
            return len(text)
        start = above.end()
    below = next(ends, None)
    line = text[start : below.start() if below else len(text)]
    return start + Positions((line,), encoding).column(types.Position(0, position.character)) - 1
