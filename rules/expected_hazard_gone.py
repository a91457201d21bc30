"""Expected hazard gone: `# synclint: expect[CODE]` stands where nothing waits any more.

Remove the comment: what it expected was repaired, or moved. Use `ignore` for what may or may not be reported.
"""

from __future__ import annotations

from ..lint.finding import Confidence, Frequency, Kind, Level
from ..lint.rule import Report, rule
from ..lint.suppress import Suppression


@rule("SYNC904", "expected-hazard-gone", kind=Kind.META)
def check(comment: Suppression) -> Report | None:
    """Report an expectation that was not met."""
    if comment.kind != "expect" or not comment.idle:
        return None
    names = ", ".join(f"`{name}`" for name in comment.idle if name) or "a finding"
    message = f"{names} is expected here and is not reported; remove the comment"
    return Report(message, comment.span, Frequency(Level.UNKNOWN), Confidence.CERTAIN)
