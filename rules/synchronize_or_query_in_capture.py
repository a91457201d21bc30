"""The host synchronizes with the device, or asks whether it is done, while a CUDA graph is captured: an error.

Do so before the capture, or after a replay. Within a capture, let streams wait for each other:
`stream.wait_event(event)` and `stream.wait_stream(other)` become edges of the graph.

The rule reports `synchronize()` of the device, a stream or an event, and `query()` of a stream or an event. Even those
of a stream that is not captured are errors, unless the capture is made with `capture_error_mode="relaxed"`.
"""

from __future__ import annotations

from ..lint.captures import in_capture
from ..lint.finding import Confidence, Kind
from ..lint.operations import Call
from ..lint.rule import Report, rule


@rule(
    "SYNC703",
    "synchronize-or-query-in-capture",
    kind=Kind.BUG,
    calls=("synchronize", "torch.cuda.Stream.query", "torch.cuda.Event.query"),
)
def check(op: Call) -> Report | None:
    """Report a captured call that waits, or asks whether the device is done."""
    if op.captured is None or op.name.startswith("torch.cpu.") or not op.is_torch:
        return None
    what = "asks whether the device is done" if op.last_name == "query" else "waits for the device"
    message = f"`{op.text}` {what}; in the capture of a CUDA graph that is an error"
    found = op.finding(message, confidence=Confidence.CERTAIN)
    return None if found is None else in_capture(op, found)
