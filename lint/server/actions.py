"""The actions that an editor offers for a finding: its fix, or a comment that suppresses it, with room for why."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Final

from lsprotocol import types

from ..files.source import Source, parse
from ..finding import Edit, Finding, Fix, Kind
from ..fix.edits import without_overlaps
from ..suppression.ignore_comments import LeftAlone, inserted, insertions, physical_lines, verify
from .documents import Document
from .positions import Positions

REASON: Final = "TODO: say why"
"""The comment's placeholder until a person has written the reason, which the protocol cannot ask for."""


def actions(
    document: Document,
    findings: Sequence[Finding],
    shown: Sequence[types.Diagnostic],
    encoding: str,
    fixes: Callable[[Finding], Fix | None],
) -> Iterator[types.CodeAction]:
    """Yield the fix of each finding, and the comment that suppresses it; `shown` are the editor's diagnostics."""
    source = parse(document.data, document.name, named=True)
    if not isinstance(source, Source) or source.lines != document.lines:
        return
    for finding, diagnostic in zip(findings, shown):
        if (fix := fixes(finding)) is not None:
            yield _fixing(document, fix, diagnostic, encoding)
        if finding.kind is not Kind.META and (edits := _edits(document, source, finding, encoding)):
            yield types.CodeAction(
                title=f"Suppress {finding.code} {finding.name} here, with a reason",
                kind=types.CodeActionKind.QuickFix,
                diagnostics=[diagnostic],
                edit=types.WorkspaceEdit(changes={document.uri: edits}),
            )


def _fixing(document: Document, fix: Fix, diagnostic: types.Diagnostic, encoding: str) -> types.CodeAction:
    """Return the action that makes a fix; only a safe one is what an editor may prefer."""
    offer = fix.offer
    title = f"{offer.title[0].upper()}{offer.title[1:]}"
    return types.CodeAction(
        title=title if offer.is_safe else f"{title} (unsafe: {offer.unsafe})",
        kind=types.CodeActionKind.QuickFix,
        diagnostics=[diagnostic],
        is_preferred=offer.is_safe or None,
        edit=_workspace(document, fix.edits, encoding),
    )


def all_fixes(
    document: Document, findings: Sequence[Finding], encoding: str, fixes: Callable[[Finding], Fix | None]
) -> Iterator[types.CodeAction]:
    """Yield the action that makes all safe fixes of a document that do not overlap, if there are any."""
    found = (fix for each in findings if (fix := fixes(each)) is not None and fix.offer.is_safe)
    edits = [edit for fix in without_overlaps(found) for edit in fix.edits]
    if edits:
        yield types.CodeAction(
            title="Fix all that synclint can fix safely",
            kind=types.CodeActionKind.SourceFixAll,
            edit=_workspace(document, edits, encoding),
        )


def _workspace(document: Document, edits: Sequence[Edit], encoding: str) -> types.WorkspaceEdit:
    positions = Positions(document.lines, encoding)
    changed = [
        types.TextEdit(
            types.Range(positions.position(each.row, each.column), positions.position(each.end_row, each.end_column)),
            each.text,
        )
        for each in edits
    ]
    return types.WorkspaceEdit(changes={document.uri: changed})


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
