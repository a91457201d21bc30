"""GitLab's Code Quality report: a JSON array of the fields that its merge requests show.

Source: docs.gitlab.com/ci/testing/code_quality, section "Code Quality report format". GitLab drops what has a
fingerprint that it has seen, so that each finding has one of its own. Paths are relative to the repository.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Final

from ...finding import Finding, Severity
from ..locations import relative, root
from ..outcome import Outcome
from ..ranking import fingerprinted
from ..rows import array
from ..text import escape, valid

_SEVERITIES: Final = {Severity.ERROR: "major", Severity.WARNING: "minor", Severity.NOTE: "info"}
"""`critical` and `blocker` are for what must not be merged; a slow line is not of that kind."""


def render(outcome: Outcome) -> Iterator[str]:
    """The array, one finding per line. Names are given before notes are left out, so that they do not depend on it."""
    base = root()
    named = fingerprinted(outcome.findings, base)
    yield from array(_row(each, name, base) for each, name in named if outcome.shows(each))


def _row(finding: Finding, fingerprint: str, base: str) -> dict[str, Any]:
    span = finding.span.on_disk
    return {
        "description": f"{escape(finding.message)} [{finding.code} {finding.name}]",
        "check_name": finding.code,
        "fingerprint": fingerprint,
        "severity": _SEVERITIES[finding.severity],
        "location": {"path": valid(relative(span.filename, base)), "lines": {"begin": span.row, "end": span.end_row}},
    }
