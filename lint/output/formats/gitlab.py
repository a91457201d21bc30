"""GitLab's Code Quality report: a JSON array of the fields that its merge requests show.

Source: docs.gitlab.com/ci/testing/code_quality, section "Code Quality report format". GitLab drops entries with a
fingerprint it has already seen, so each finding has its own. Paths are relative to the repository.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Final

from ...finding import Finding, Severity
from ..locations import relative, root
from ..outcome import Outcome
from ..ranking import fingerprinted
from ..rows import array
from ..text import escape

_SEVERITIES: Final = {Severity.ERROR: "major", Severity.WARNING: "minor", Severity.NOTE: "info"}
"""`critical` and `blocker` are for things that must not be merged; a slow line is not one of them."""


def render(outcome: Outcome) -> Iterator[str]:
    """Yield the array, one finding per line; names are assigned before notes are dropped, not to depend on it."""
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
        "location": {"path": relative(span.filename, base), "lines": {"begin": span.row, "end": span.end_row}},
    }
