"""The host waits for the device while a CUDA graph is captured, and the capture fails.

Keep the value on the device, or read it outside of the capture: before it, or after a replay.

While a stream captures, nothing runs on it, so there is nothing to wait for: CUDA refuses the call ("operation not
permitted when stream is capturing"), the capture is invalid from then on, and so is everything that was captured. The
rule reports what other rules call a wait, in the body of `torch.cuda.graph`, between `capture_begin` and `capture_end`,
in what `make_graphed_callables` is given, in functions that the configuration lists as `captured-functions`, and in all
that these call. What runs only while nothing is captured (`if not torch.cuda.is_current_stream_capturing()`), and what
runs once, which warm-up has done, is left alone.
"""

from __future__ import annotations

from ..lint.captures import COPYING, FAILS, SYNCHRONIZING, Operation, in_capture, waits
from ..lint.finding import Kind
from ..lint.rule import Report, rule


@rule("SYNC701", "wait-in-capture", kind=Kind.BUG)
def check(op: Operation) -> Report | None:
    """Report a captured operation that waits."""
    for _, report in waits(op, lambda code: code not in COPYING | SYNCHRONIZING):
        return in_capture(op, report, FAILS)
    return None
