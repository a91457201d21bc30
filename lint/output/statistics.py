"""Where a project's findings are: counts per rule, and per whatever else helps to plan a clean-up."""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from typing import Final

from ..finding import Finding, many
from .outcome import Outcome
from .text import escape

Table = list[tuple[str, int]]

_WORDS: Final[dict[str, Callable[[Finding], str]]] = {
    "severity": lambda each: each.severity.words,
    "frequency": lambda each: each.frequency.level.words,
    "confidence": lambda each: each.confidence.words,
    "directory": lambda each: (os.path.dirname(each.span.filename) or ".").replace(os.sep, "/"),
}
"""Properties of findings that are counted besides the rules."""


def render_counts(outcome: Outcome, as_json: bool = False) -> Iterator[str]:
    """Yield a line for each rule, the most frequent first; as JSON, an array that includes notes."""
    if as_json:
        yield _json(_rules(outcome.findings))
        return
    yield from _lines(_named(outcome.shown))
    yield from outcome.closing()


def render_overview(outcome: Outcome, as_json: bool = False) -> Iterator[str]:
    """Yield a table of the rules and one for everything else counted, notes included; as JSON, an object."""
    findings = outcome.findings
    tables = {name: _counted(map(word, findings)) for name, word in _WORDS.items()}
    if as_json:
        others = {name: [{name: word, "count": number} for word, number in table] for name, table in tables.items()}
        yield _json({"files": outcome.files, "findings": len(findings), "rule": _rules(findings), **others})
        return
    for name, table in {"rule": _named(findings), **tables}.items() if findings else ():
        yield f"by {name}"
        yield from _lines(table, "  ")
        yield ""
    yield f"{many(len(findings), 'finding')} in {many(outcome.files, 'file')}"


def _json(document: object) -> str:
    import json

    return json.dumps(document, indent=2)


def _rules(findings: Iterable[Finding]) -> list[dict[str, str | int]]:
    names = {each.code: each.name for each in findings}
    return [
        {"code": code, "name": names[code], "count": number}
        for code, number in _counted(each.code for each in findings)
    ]


def _named(findings: Iterable[Finding]) -> Table:
    return _counted(f"{each.code}  {each.name}" for each in findings)


def _counted(words: Iterable[str]) -> Table:
    """Return how often each word occurs, the most frequent first."""
    return sorted(Counter(words).items(), key=lambda row: (-row[1], row[0]))


def _lines(table: Table, indent: str = "") -> Iterator[str]:
    width = len(str(max((number for _, number in table), default=0)))
    for word, number in table:
        yield f"{indent}{number:>{width}}  {escape(word)}"
