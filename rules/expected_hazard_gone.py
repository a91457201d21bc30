"""Expected hazard gone: `# synclint: expect[CODE]` marks a line that no longer waits.

Remove the comment: the expected hazard was fixed or has moved. Use `ignore` for findings that may or may not occur.
"""

from __future__ import annotations

from ..lint.finding import Confidence, Frequency, Kind, Level
from ..lint.rule import Report, rule
from ..lint.suppression.suppress import Suppression


@rule("SYNC904", "expected-hazard-gone", kind=Kind.META)
def check(comment: Suppression) -> Report | None:
    """Report an expectation that was not met."""
    if comment.kind != "expect" or not comment.idle:
        return None
    names = ", ".join(f"`{name}`" for name in comment.idle if name) or "a finding"
    message = f"{names} is expected here but not reported; remove the comment"
    return Report(message, comment.span, Frequency(Level.UNKNOWN), Confidence.CERTAIN)
