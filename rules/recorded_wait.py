"""A line waited in a recorded run, and no other rule reports it.

Look at what waits: the operator is named, and the line of the library, if it is inside of one. If the wait is in the
library's code, the cure may be one of its settings; report the line to us if a rule should have told you.

The rule needs evidence, as `synclint run --record` and `synclint trace --record` write it: without any, it is silent. A
line that changed since then is not reported. It is an error if it waited in every step, otherwise a warning. To accept
one, name the rule in a comment.
"""

from __future__ import annotations

from ..lint.finding import Confidence, Frequency, Kind, Level
from ..lint.measurements.waited import Waited
from ..lint.rule import Report, rule


@rule("SYNC905", "recorded-wait", kind=Kind.META)
def check(line: Waited) -> Report | None:
    """Report a line that waited and that no rule reports."""
    entry, span = line.entry, line.span
    what = ", ".join(entry.operators) or "something"
    kinds = f" ({', '.join(entry.kinds)})" if entry.kinds else ""
    inside = f" in {', '.join(entry.library)}" if entry.library else ""
    often = Frequency(Level.EVERY_STEP if line.seen.every_step else Level.UNKNOWN)
    message = f"the host waited here for `{what}`{kinds}{inside}, which no rule reports"
    statement = (span.row, span.end_row)
    return Report(message, span, often, Confidence.CERTAIN, (), entry.key.function, statement, kind=Kind.STALL)
