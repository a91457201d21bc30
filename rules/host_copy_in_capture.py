"""Host data is copied to the device while a CUDA graph is captured: an error, or a graph that reads freed memory.

Create the tensor on the device, or before the capture. If each replay needs new data, copy it into a tensor that was
there before (`static_input.copy_(batch)`), between replays.

A copy of pageable memory waits, which no capture allows. With `non_blocking=True` torch refuses it since 2.11; before,
it was captured, and each replay reads the address where the data was. A copy from pinned memory with
`non_blocking=True` can be captured; the memory must then outlive the graph.
"""

from __future__ import annotations

from ..lint.captures import COPYING, FAILS, Operation, in_capture, waits
from ..lint.facts.cuda_graphs import PAGEABLE_UNTIL
from ..lint.finding import Kind
from ..lint.rule import Report, rule

ASYNCHRONOUS = "SYNC303"
GARBAGE = (
    f"before torch {PAGEABLE_UNTIL}, the replay of a CUDA graph reads where the data was; since then it is an error"
)


@rule("SYNC702", "host-copy-in-capture", kind=Kind.BUG)
def check(op: Operation) -> Report | None:
    """Report a captured copy from the host."""
    for said, report in waits(op, COPYING.__contains__):
        is_old = said.code == ASYNCHRONOUS and op.versions.may_be("torch", until=PAGEABLE_UNTIL)
        return in_capture(op, report, GARBAGE if is_old else FAILS)
    return None
