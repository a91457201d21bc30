"""A DataLoader that feeds the GPU does not pin its batches, so that each copy to the device makes the host wait.

Make it with `pin_memory=True`, and copy the batches with `.to(device, non_blocking=True)`.

Only from pinned memory can a copy go on by itself. Batches of custom classes are pinned only if they have a
`pin_memory` method. Reported are loaders whose batches are seen to be moved to a device, where neither `pin_memory` nor
`**options` is given.
"""

from __future__ import annotations

from ..lint.finding import Kind
from ..lint.inference.lattice import PAGEABLE
from ..lint.inference.loaders import Loader, made_by
from ..lint.inference.operations import Call
from ..lint.rule import Report, rule


@rule("SYNC601", "dataloader-pageable", kind=Kind.SETUP)
def check(op: Call) -> Report | None:
    """Report the constructor of a DataLoader without `pin_memory` whose batches are moved to a device."""
    loader: Loader | None = made_by(op)
    if loader is None or loader.memory != PAGEABLE:
        return None
    message = "the batches of this DataLoader are copied from memory that is not pinned, and the host waits for each"
    return op.finding(message, confidence=loader.confidence, frequency=loader.frequency)
