"""The host waits for the device on purpose, through `torch.cuda.synchronize()` or a similar call.

Let the device wait instead: kernels on one stream run in order anyway, and `stream.wait_event(event)` and
`stream.wait_stream(other)` order streams. Measure time with events, read after the loop.

The rule reports `synchronize()` of the device, a stream or an event, `torch.cuda.empty_cache()` and `dist.barrier()`.
Torch's sync debug mode does not detect `synchronize` of the device or of an event, nor `empty_cache`. The rule is
opt-in because many of these calls are intended: around timers, or before memory is handed to another library.
"""

from __future__ import annotations

from ..lint.finding import Confidence
from ..lint.operations import Call
from ..lint.rule import Report, rule


@rule("SYNC111", "explicit-synchronize", default=False, calls=("synchronize", "empty_cache", "barrier"))
def check(op: Call) -> Report | None:
    """Report a call that waits for the device on purpose."""
    wait = op.waits()
    if wait is None or op.name.startswith("torch.cpu."):
        return None
    message = f"the host stops at `{op.text}`, which {wait.because}"
    return op.finding(message, confidence=op.by_name or Confidence.CERTAIN)
