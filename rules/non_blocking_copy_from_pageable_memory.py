"""A copy with `non_blocking=True` from pageable memory: the driver first copies the data on the host.

Let the DataLoader pin its batches with `pin_memory=True`, or pin a buffer once and fill it before each copy.

Only from pinned memory does the device copy on its own. From pageable memory the driver first copies into a buffer of
its own, and the host waits for that (small tensors are quick, large ones wait for their turn on the device). Calling
`.pin_memory()` right before the copy costs about as much as it saves. The rule reports sources known to be pageable:
batches of a DataLoader without `pin_memory`, `torch.from_numpy`, tensors created without `pin_memory=True`. A
DataLoader pins only tensors: where its `collate_fn` returns NumPy arrays, `pin_memory=True` does nothing, and
`torch.from_numpy` of them is still pageable. Let the `collate_fn` return tensors.
"""

from __future__ import annotations

from ..lint.facts.torch_transfers import COPIES
from ..lint.operations import Call, to_device
from ..lint.rule import Report, rule


@rule("SYNC303", "non-blocking-copy-from-pageable-memory", default=False, calls=COPIES)
def check(op: Call) -> Report | None:
    """Report an asynchronous copy whose source is known to be in pageable memory."""
    copy = to_device(op)
    if copy is None or not copy.is_asynchronous or not copy.is_pageable:
        return None
    message = f"`{op.text}` copies from pageable memory: the driver first copies it on the host, which waits for that"
    return op.finding(message, copy.target, confidence=copy.confidence)
