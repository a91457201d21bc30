"""The actions that an editor offers for a finding: its fix, or a comment that suppresses it, with room for why."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Final

from lsprotocol import types

from ..files.notebook import NotebookError
from ..files.source import Source, parse
from ..finding import Finding, Kind
from ..fix.edits import without_overlaps
from ..offers import Edit, Fix
from ..suppression.ignore_comments import LeftAlone, inserted, insertions, physical_lines, verify
from ..suppression.notebook_comments import with_insertions
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
    source = as_shown(document)
    if source is None:
        return
    for finding, diagnostic in zip(findings, shown):
        if (fix := fixes(finding)) is not None and _can_be_made(document, source, fix.edits):
            yield _fixing(document, fix, diagnostic, encoding)
        if finding.kind is not Kind.META and (edits := _comments(document, source, finding)):
            yield types.CodeAction(
                title=f"Suppress {finding.code} {finding.name} here, with a reason",
                kind=types.CodeActionKind.QuickFix,
                diagnostics=[diagnostic],
                edit=_workspace(document, edits, encoding),
            )


def as_shown(document: Document) -> Source | None:
    """Return the document as it is now, if it is Python whose rows are those that the editor counts."""
    source = parse(document.data, document.name, wanted=True)
    if not isinstance(source, Source):
        return None
    is_same = len(source.lines) == len(document.lines) if source.cells else source.lines == document.lines
    return source if is_same else None


def _can_be_made(document: Document, source: Source, edits: Sequence[Edit]) -> bool:
    """Whether each edit stays in one part of the document, and changes what the linter has read as it is written."""
    rows = ((each.row, each.end_row) for each in edits)
    return all(
        document.part(first) == document.part(last)
        and document.part(first).first <= first
        and source.lines[first - 1 : last] == document.lines[first - 1 : last]
        for first, last in rows
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
    source = as_shown(document)
    found = (fix for each in findings if (fix := fixes(each)) is not None and fix.offer.is_safe)
    fitting = (fix for fix in found if source is not None and _can_be_made(document, source, fix.edits))
    edits = [edit for fix in without_overlaps(fitting) for edit in fix.edits]
    if edits:
        yield types.CodeAction(
            title="Fix all that synclint can fix safely",
            kind=types.CodeActionKind.SourceFixAll,
            edit=_workspace(document, edits, encoding),
        )


def _workspace(document: Document, edits: Sequence[Edit], encoding: str) -> types.WorkspaceEdit:
    """Return the edits as changes of the parts of the document."""
    changes: dict[str, list[types.TextEdit]] = {}
    for each in edits:
        part = document.part(each.row)
        positions = Positions(document.lines, encoding, part.first)
        start, end = positions.position(each.row, each.column), positions.position(each.end_row, each.end_column)
        changes.setdefault(part.uri, []).append(types.TextEdit(types.Range(start, end), each.text))
    return types.WorkspaceEdit(changes=changes)


def _comments(document: Document, source: Source, finding: Finding) -> list[Edit]:
    """Return the edits that insert the comment; none if no comment would suppress the finding."""
    lines = physical_lines(document.text)
    try:
        wanted = insertions(lines, source, [finding], REASON)
        if source.cells:
            changed = with_insertions(document.data, source.cells, wanted)
        else:
            changed = inserted(lines, wanted).encode("utf-8", "surrogatepass")
        verify(source, changed, [finding], wanted)
    except (LeftAlone, NotebookError, UnicodeEncodeError):
        return []
    return [Edit(each.row, each.column + 1, each.row, each.column + 1, each.text) for each in wanted]
