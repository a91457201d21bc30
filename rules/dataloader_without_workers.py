"""A DataLoader that feeds the GPU loads its batches between steps, in the process that should be queueing work.

Set `num_workers` (start with the number of cores per GPU, and measure), with `persistent_workers=True` if epochs are
short.

`num_workers=0` is the default: the device idles while the host reads, decodes and collates. Data already in memory, and
tiny batches, can be faster without workers, which is why this rule is off by default.
"""

from __future__ import annotations

from ..lint.finding import Kind
from ..lint.operations import Call, loaders
from ..lint.rule import Report, rule


@rule("SYNC602", "dataloader-without-workers", kind=Kind.SETUP, default=False)
def check(op: Call) -> Report | None:
    """Report the constructor of a DataLoader without workers whose batches are moved to a device."""
    loader = loaders.made_by(op)
    if loader is None or not loader.lacks_workers:
        return None
    message = "this DataLoader feeds the device and has no workers: the device idles while the host loads each batch"
    return op.finding(message, confidence=loader.confidence, frequency=loader.frequency)
