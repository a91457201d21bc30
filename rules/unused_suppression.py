"""Unused suppression: the comment suppresses nothing, because the finding is gone or the rule's name is wrong.

Remove the comment, or the name in it that is not needed. Misspelt names and directives are reported here as well.
"""

from __future__ import annotations

from ..lint.finding import Confidence, Frequency, Kind, Level
from ..lint.rule import Report, rule
from ..lint.suppression.suppress import KINDS, Suppression


@rule("SYNC901", "unused-suppression", kind=Kind.META)
def check(comment: Suppression) -> Report | None:
    """Report the names in a suppression comment that have no effect."""
    message = _message(comment)
    return Report(message, comment.span, Frequency(Level.UNKNOWN), Confidence.CERTAIN) if message else None


def _message(comment: Suppression) -> str:
    if comment.kind not in (*KINDS, "noqa"):
        return f"`{comment.kind}` is not a directive; write `# synclint: ignore[CODE] reason`"
    if comment.unknown:
        return f"no rule is called {_quoted(comment.unknown)}; correct the name"
    if not comment.idle or comment.kind == "expect":
        return ""
    if comment.idle == ("",):
        return "nothing is reported here; remove the comment"
    return f"{_quoted(comment.idle)} is not reported here; remove it from the comment"


def _quoted(names: tuple[str, ...]) -> str:
    return ", ".join(f"`{name}`" for name in names)
