"""Workflow commands of GitHub Actions: each finding becomes an annotation on the pull request."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator

from ..finding import Finding, Severity
from .text import escape

_COMMANDS = {Severity.ERROR: "error", Severity.WARNING: "warning", Severity.NOTE: "notice"}


def render(findings: Iterable[Finding]) -> Iterator[str]:
    """A workflow command for each finding."""
    for each in findings:
        yield _command(each)


def _command(finding: Finding) -> str:
    span = finding.span
    properties = {
        "title": f"{finding.code} {finding.name}",
        "file": _relative(span.filename),
        "line": span.row,
        "endLine": span.end_row,
        "col": span.column,
        "endColumn": span.end_column,
    }
    if span.end_row != span.row:  # columns are only understood within one line
        del properties["col"], properties["endColumn"]
    text = ",".join(f"{name}={_property(str(value))}" for name, value in properties.items())
    return f"::{_COMMANDS[finding.severity]} {text}::{_data(_message(finding))}"


def _message(finding: Finding) -> str:
    parts = [finding.message, *(each.message for each in finding.frequency.reasons[:1]), finding.instead]
    return "\n".join(filter(None, parts))


def _data(text: str) -> str:
    lines = (escape(line).replace("%", "%25") for line in text.split("\n"))
    return "%0A".join(lines)


def _property(text: str) -> str:
    return _data(text).replace(":", "%3A").replace(",", "%2C")


def _relative(filename: str) -> str:
    """The path as the repository has it: relative to the working directory, with slashes."""
    path = os.path.relpath(filename) if os.path.isabs(filename) else filename
    return filename if path.startswith("..") else path.replace(os.sep, "/")
