"""A finding as editors show it, with the chain of reasons and the rule's page."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Final

from lsprotocol import types

from ..finding import Finding, Reason, Severity, Span
from ..output.text import advice, escape
from .checker import Answer
from .positions import Positions

SOURCE: Final = "synclint"

_LEVELS: Final = {
    Severity.ERROR: types.DiagnosticSeverity.Error,
    Severity.WARNING: types.DiagnosticSeverity.Warning,
    Severity.NOTE: types.DiagnosticSeverity.Information,
}


def diagnostics(answer: Answer, encoding: str, uri_of: Callable[[str], str], related: bool) -> list[types.Diagnostic]:
    """Return the diagnostic of each finding; `uri_of` names a file; `related`: the editor shows related locations.

    Rows are those of the part of the document that the finding is in.
    """
    document = answer.document

    def location(finding: Finding, reason: Reason) -> types.Location:
        span = reason.span or finding.span
        if span.filename == document.name:
            return types.Location(document.part(span.row).uri, region(span))
        span = span.on_disk
        return types.Location(uri_of(span.filename), Positions(answer.lines(span.filename), encoding).range_of(span))

    def chain(finding: Finding) -> Iterator[types.DiagnosticRelatedInformation]:
        for each in (*finding.reasons, *finding.frequency.reasons):
            yield types.DiagnosticRelatedInformation(location(finding, each), escape(each.message))

    def region(span: Span) -> types.Range:
        return Positions(document.lines, encoding, document.part(span.row).first).range_of(span)

    return [
        types.Diagnostic(
            range=region(each.span),
            message=advice(each),
            severity=_LEVELS[each.severity],
            code=each.code,
            code_description=types.CodeDescription(each.url),
            source=SOURCE,
            related_information=list(chain(each)) if related else None,
        )
        for each in answer.findings
    ]
