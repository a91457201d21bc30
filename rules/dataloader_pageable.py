"""A DataLoader that feeds the GPU does not pin its batches, so the host waits for every copy to the device.

Let the DataLoader pin its batches (`pin_memory=True`), and copy them with `.to(device, non_blocking=True)`.

Only copies from pinned memory can be asynchronous. Only tensors are pinned, in lists, tuples and dicts too: where a
`collate_fn` returns NumPy arrays, `pin_memory` does nothing until it returns tensors (`torch.from_numpy(array)`), and
batches of custom classes are pinned only if they define `pin_memory()`. The rule reports loaders whose batches are
moved to a device, by the program or by a framework that is given them (`trainer.fit(…)`, `accelerator.prepare(…)`, a
hook `train_dataloader`), and that are given neither `pin_memory` nor `**options`.
"""

from __future__ import annotations

from dataclasses import replace

from ..lint.finding import Kind
from ..lint.offers import Effect, Offer
from ..lint.operations import Call, loaders
from ..lint.rule import Report, rule

REBUILT = "pinning rebuilds the containers that `collate_fn` returns"
UNSEEN = "the data set may return tensors that are already on the device, and pinning those raises"
PINNED = Offer(
    "pinned-loader", "pin the batches where there is a GPU", effect=Effect.MOVES, details=("here",), is_sure=False
)
UNSURE = replace(PINNED, unsafe=UNSEEN, details=(), is_sure=True)


@rule("SYNC601", "dataloader-pageable", kind=Kind.SETUP)
def check(op: Call) -> Report | None:
    """Report the constructor of a DataLoader without `pin_memory` whose batches are moved to a device."""
    loader = loaders.made_by(op)
    if loader is None or not loader.is_pageable:
        return None
    message = "the batches of this DataLoader are copied from pageable memory, and the host waits for each copy"
    if loader.is_of_device_data:
        offers: tuple[Offer, ...] = ()
    elif op.keyword("collate_fn") is not None:
        offers = (replace(UNSURE, unsafe=REBUILT),)
    else:
        offers = (PINNED, UNSURE) if loader.is_of_host_data else (UNSURE,)
    return op.finding(message, confidence=loader.confidence, frequency=loader.frequency, offer=offers)
