"""Anomaly detection checks every gradient for NaN, and the host waits for each check.

Remove it once the bug is found, or put it behind a command-line flag that is off by default.

The backward pass waits once for each gradient of each operator, and also records a traceback for each of them. With
`check_nan=False` only the tracebacks remain. Calls guarded by a flag or a condition are not reported.
"""

from __future__ import annotations

from ..lint.facts.hidden_checks import ANOMALY, TRAINERS
from ..lint.finding import Confidence, Frequency, Kind, Level, Reason
from ..lint.operations import Call, is_off, is_on
from ..lint.rule import Report, rule

EVERY_STEP = Frequency(Level.EVERY_STEP, (Reason("a backward pass runs every step"),), assumed=True)


@rule("SYNC506", "anomaly-detection-enabled", kind=Kind.SETUP, calls=(*ANOMALY, *TRAINERS))
def check(op: Call) -> Report | None:
    """Report a call that enables anomaly detection unconditionally."""
    if op.optional or not _turns_on(op):
        return None
    often = op.frequency if op.frequency.level > Level.ONCE and op.frequency.level is not Level.UNKNOWN else EVERY_STEP
    message = f"`{op.text}` makes the host wait for every gradient in each backward pass"
    return op.finding(message, confidence=Confidence.LIKELY, frequency=often)


def _turns_on(op: Call) -> bool:
    if op.name in TRAINERS:
        return is_on(op.keyword("detect_anomaly"))
    if not op.name.startswith("torch.autograd.") or is_off(op.argument("check_nan")):
        return False
    return op.last_name == "detect_anomaly" or is_on(op.argument("mode"))
