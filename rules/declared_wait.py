"""A function waits for the device, as the configuration or a plugin declares.

Keep its results on the device, or call it less often: once after the loop, or only every N steps.

The rule reports the calls of functions in `waits`, and those in `reads-arguments` where an argument may be on the
device: wrappers of your own, and libraries that synclint does not know. The functions themselves are read like any
other; what waits inside of one is reported there as well.
"""

from __future__ import annotations

from ..lint.finding import Confidence
from ..lint.operations import Call
from ..lint.rule import Report, rule


@rule("SYNC112", "declared-wait")
def check(op: Call) -> Report | None:
    """Report a call of a function that is declared to wait."""
    fact = op.declared
    if fact is None:
        return None
    if fact.does == "waits":
        message = f"the host waits for the device at `{op.text}`, {fact.words}"
        return op.finding(message, confidence=Confidence.CERTAIN)
    return op.finding(f"`{op.text}` copies its arguments to the host and waits, {fact.words}", *op.arguments)
