"""One line per finding below the name of its file, for people who go through the files one by one."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import groupby

from ...finding import Finding
from ..outcome import Outcome
from ..text import escape


def render(outcome: Outcome) -> Iterator[str]:
    """Yield a block for each file: its name, then its findings in columns."""
    for filename, found in groupby(outcome.shown, key=lambda each: each.span.filename):
        findings = list(found)
        yield f"{escape(filename)}:"
        yield from _aligned(findings)
        yield ""
    yield from outcome.explained()


def _aligned(findings: list[Finding]) -> Iterator[str]:
    places = [each.span.position for each in findings]
    width = max(map(len, places))
    widest = max(len(each.severity.words) for each in findings)
    for place, each in zip(places, findings):
        rule = f"[{each.code} {each.name}]"
        yield f"  {place:>{width}}  {each.severity.words:<{widest}}  {escape(each.message)} {rule}"
