"""A page to look through in a browser: findings by assumption, rule and file, with source, reasons and fixes."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import groupby
from typing import Any

from ...finding import Finding, Severity, many
from ..causes import causes
from ..excerpt import excerpt
from ..locations import relative
from ..outcome import Outcome
from ..page.code import colored
from ..page.fixes import shown_fix
from ..page.page import page
from ..sections import weight
from ..text import escape, reason_line


def render(outcome: Outcome) -> Iterator[str]:
    """Yield the page."""
    findings = outcome.findings
    numbers = {name: number for number, (name, _) in enumerate(causes(findings))}
    yield from page(
        "check",
        ("check.js",),
        title="synclint: " + outcome.summary,
        severities=_severities(findings),
        files=many(outcome.files, "file"),
        causes=[(f"cause-{numbers[name]}", escape(name), count) for name, count in causes(findings)],
        measured=_measured(findings),
        rules=_rules(findings),
        places=_places(outcome, numbers),
    )


def _severities(findings: Sequence[Finding]) -> list[tuple[str, int]]:
    counted = Counter(each.severity for each in findings)
    return [(level.words, counted[level]) for level in reversed(Severity) if level]


def _measured(findings: Sequence[Finding]) -> list[tuple[str, str, int]]:
    """Return how many findings a recorded run has seen wait, and how many run without a wait."""
    names = {"measured": "waited", "refuted": "ran without a wait"}
    counted = Counter(_seen(each) for each in findings)
    return [(key, name, counted[key]) for key, name in names.items() if counted[key]]


def _seen(finding: Finding) -> str:
    return "" if finding.measured is None else "measured" if finding.measured.count else "refuted"


def _rules(findings: Sequence[Finding]) -> list[tuple[str, str, int]]:
    counted = Counter((each.code, each.name) for each in findings)
    return [(code, name, count) for (code, name), count in counted.most_common()]


def _places(outcome: Outcome, causes: dict[str, int]) -> list[dict[str, Any]]:
    """Return the files with their findings, those with most errors first."""
    groups = groupby(outcome.findings, key=lambda each: each.span.filename)
    files = sorted(((name, [*found]) for name, found in groups), key=lambda each: weight(each[1]))
    return [
        {
            "id": f"file-{number}",
            "name": escape(relative(filename)),
            "findings": [_shown(each, outcome, causes.get(each.frequency.cause)) for each in found],
        }
        for number, (filename, found) in enumerate(files)
    ]


def _shown(finding: Finding, outcome: Outcome, cause: int | None) -> dict[str, Any]:
    lines = outcome.lines(finding.span.filename)
    often = finding.frequency
    return {
        "code": finding.code,
        "name": finding.name,
        "seen": _seen(finding),
        "measured": "" if finding.measured is None else escape(finding.measured.words),
        "url": finding.url,
        "severity": finding.severity.words,
        "message": escape(finding.message),
        "place": finding.span.position,
        "rows": [(row.number, colored(row)) for row in excerpt(finding.span, lines)],
        "cause": "" if cause is None else f"cause-{cause}",
        "because": [reason_line(each) for each in finding.reasons],
        "often": escape(often.words),
        "often_because": [reason_line(each) for each in often.reasons],
        "instead": escape(finding.instead),
        "fixes": [shown_fix(fix, lines) for fix in (outcome.fix(finding),) if fix is not None],
    }
