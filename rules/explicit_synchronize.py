"""The host waits for the device on purpose, by `torch.cuda.synchronize()` or one of its kin.

Let the device wait instead: kernels of one stream run in order anyway, `stream.wait_event(event)` and
`stream.wait_stream(other)` order the streams. Measure time with events, read after the loop.

Reported are `synchronize()` of the device, a stream or an event, `torch.cuda.empty_cache()` and `dist.barrier()`. The
debug mode of torch does not notice the device's and the event's `synchronize`, nor `empty_cache`. The rule is opt-in,
because many of these calls are meant: around timers, or before memory is handed to another library.
"""

from __future__ import annotations

from ..lint.finding import Confidence
from ..lint.inference.operations import Call
from ..lint.rule import Report, rule


@rule("SYNC111", "explicit-synchronize", default=False)
def check(op: Call) -> Report | None:
    """Report a call that waits for the device on purpose."""
    wait = op.waits("synchronize", "empty_cache", "barrier")
    if wait is None or op.name.startswith("torch.cpu."):
        return None
    message = f"the host stops in `{op.text}`, which {wait.because}"
    return op.finding(message, confidence=op.by_name or Confidence.CERTAIN)
