"""GitHub Actions workflow commands: annotations on the pull request, below lines for people who read the log.

Sources: command.ts of actions/toolkit for the escapes; docs.github.com for the limits, 10 annotations of each type per
step and 50 per job. One step therefore never emits more than 30.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import islice
from typing import Final

from ...finding import Finding, Severity
from ...limits import MOST_ANNOTATIONS
from ..locations import relative, root
from ..outcome import Outcome
from ..ranking import most_telling_first
from ..step_summary import append
from ..text import advice, escape, one_line

_COMMANDS: Final = {Severity.ERROR: "error", Severity.WARNING: "warning", Severity.NOTE: "notice"}


def render(outcome: Outcome) -> Iterator[str]:
    """Yield a line for each finding, commands for the most important ones, and the whole list as the step summary."""
    findings, base = outcome.shown, root()
    yield from map(one_line, findings)
    annotated = list(_annotated(findings))
    yield from (_command(each, base) for each in annotated)
    if more := len(findings) - len(annotated):
        yield f"GitHub shows {MOST_ANNOTATIONS} annotations of each type; {more} more are in the lines above."
    yield from append(outcome)
    yield from outcome.closing()


def _annotated(findings: Sequence[Finding]) -> Iterator[Finding]:
    ranked = most_telling_first(findings)
    for severity in _COMMANDS:
        yield from islice((each for each in ranked if each.severity is severity), MOST_ANNOTATIONS)


def _command(finding: Finding, base: str) -> str:
    span = finding.span.on_disk
    properties = {
        "title": f"{finding.code} {finding.name}",
        "file": escape(relative(span.filename, base)),
        "line": span.row,
        "endLine": span.end_row,
        "col": span.column,
        "endColumn": span.end_column,
    }
    if span.end_row != span.row or span.cell:  # columns are only understood within one line
        del properties["col"], properties["endColumn"]
    text = ",".join(f"{name}={_property(str(value))}" for name, value in properties.items())
    return f"::{_COMMANDS[finding.severity]} {text}::{_data(advice(finding))}"


def _data(text: str) -> str:
    return text.replace("%", "%25").replace("\n", "%0A")  # no other control character is left


def _property(text: str) -> str:
    return _data(text).replace(":", "%3A").replace(",", "%2C")
