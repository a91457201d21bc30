"""One line per finding, in the form that editors and compilers' users know: `file:row:column: severity: …`."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from ..finding import Finding
from .text import escape, place


def render(findings: Iterable[Finding]) -> Iterator[str]:
    """A line for each finding."""
    for each in findings:
        yield f"{place(each.span)}: {each.severity.words}: {escape(each.message)} [{each.code} {each.name}]"
