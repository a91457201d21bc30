"""The actions that an editor offers for a finding: a comment that suppresses it, with room for the reason."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

from lsprotocol import types

from ..files.source import Source, parse
from ..finding import Finding, Kind
from ..suppression.ignore_comments import LeftAlone, inserted, insertions, physical_lines, verify
from .documents import Document
from .positions import Positions

REASON: Final = "TODO: say why"
"""The comment's placeholder until a person has written the reason, which the protocol cannot ask for."""


def actions(
    document: Document, findings: Sequence[Finding], shown: Sequence[types.Diagnostic], encoding: str
) -> Iterator[types.CodeAction]:
    """Yield one action for each finding that a comment can suppress; `shown` are the diagnostics the editor has."""
    source = parse(document.data, document.name, named=True)
    if not isinstance(source, Source) or source.lines != document.lines:
        return
    for finding, diagnostic in zip(findings, shown):
        if finding.kind is not Kind.META and (edits := _edits(document, source, finding, encoding)):
            yield types.CodeAction(
                title=f"Suppress {finding.code} {finding.name} here, with a reason",
                kind=types.CodeActionKind.QuickFix,
                diagnostics=[diagnostic],
                edit=types.WorkspaceEdit(changes={document.uri: edits}),
            )


def _edits(document: Document, source: Source, finding: Finding, encoding: str) -> list[types.TextEdit]:
    """Return the edits that insert the comment; none if no comment would suppress the finding."""
    lines = physical_lines(document.text)
    try:
        wanted = insertions(lines, source, [finding], REASON)
        verify(source, inserted(lines, wanted).encode("utf-8", "surrogatepass"), [finding], wanted)
    except LeftAlone:
        return []
    positions = Positions(document.lines, encoding)
    places = [(positions.position(each.row, each.column + 1), each.text) for each in wanted]
    return [types.TextEdit(types.Range(place, place), text) for place, text in places]
