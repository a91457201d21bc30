"""Suppression without a reason: nobody can tell later whether the wait is still intended.

Write the reason after the brackets: `# synclint: ignore[SYNC101] read once per epoch`.
"""

from __future__ import annotations

from ..lint.finding import Confidence, Frequency, Kind, Level
from ..lint.rule import Report, rule
from ..lint.suppression.suppress import KINDS, Suppression


@rule("SYNC903", "suppression-without-reason", kind=Kind.META, default=False)
def check(comment: Suppression) -> Report | None:
    """Report a synclint comment that gives no reason; `noqa` has no place for one."""
    if comment.reason or comment.kind not in KINDS:
        return None
    return Report("the suppression gives no reason", comment.span, Frequency(Level.UNKNOWN), Confidence.CERTAIN)
