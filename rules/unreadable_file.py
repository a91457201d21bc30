"""Unreadable file: it could not be read or parsed, so nothing in it was checked.

Fix the problem named in the message, or exclude the file with `exclude` in the configuration.
"""

from __future__ import annotations

from ..lint.files.source import Unreadable
from ..lint.finding import Confidence, Frequency, Kind, Level
from ..lint.rule import Report, rule


@rule("SYNC902", "unreadable-file", kind=Kind.META)
def check(file: Unreadable) -> Report | None:
    """Report every unreadable file."""
    return Report(f"not checked: it {file.message}", file.span, Frequency(Level.UNKNOWN), Confidence.CERTAIN)
