"""Host data is copied to the device, and the host waits until the copy is done.

Let the DataLoader pin its batches (`pin_memory=True`) and copy with `.to(device, non_blocking=True)`; pin your own
tensors with `.pin_memory()`, and do not modify them before the copy is done.

Without `non_blocking` the host waits even if the memory is pinned. (`device == "cuda"` is False where `device` is a
`torch.device`: what depends on it is neither pinned nor copied without waiting. Compare `device.type`.) The rule
reports `.to(device)`, `.cuda()`, `.type(…)` and `device_tensor.copy_(…)` on values known to be on the host: batches of
a DataLoader (or of something named like one), numpy arrays, results of `.cpu()`, tensors created without `device=`, or
on a device that is the CPU by default (`device: torch.device = torch.device("cpu")`), and what a function named like
`move_to_device` is given, unless it is known where that is. Modules, tensors already on the device, and values not
known to be on the host are not reported. The output of a tokenizer or processor is reported as a note unless the device
or the frequency of the line is known: prompts are usually encoded once. Tensors created on the host only to be moved
are reported by SYNC302 instead.
"""

from __future__ import annotations

from dataclasses import replace

from ..lint.facts.torch_transfers import COPIES
from ..lint.finding import Confidence, Severity
from ..lint.offers import ASKED, NO_DEVICE, Offer
from ..lint.operations import NONE, Batch, Call, Tensor, Transfer, options_of, to_device
from ..lint.rule import Report, rule

PINNED = "if the source is pinned and overwritten before the copy finishes, the device gets the new contents"
OF_BATCHES = (
    "Let the DataLoader pin its batches (`pin_memory=True`), and copy them with `.to(device, non_blocking=True)`."
)
"""As SYNC601 says: both are cured together."""

UNKNOWN_CLASS = "a custom batch class may not accept `non_blocking`"


@rule("SYNC301", "blocking-copy-to-device", calls=COPIES)
def check(op: Call) -> Report | None:
    """Report a blocking copy from the host to the device."""
    copy = to_device(op)
    if copy is None or copy.is_asynchronous or copy.is_new:
        return None
    message = f"`{op.text}` copies {_what(copy)} to the device, and the host waits for the copy"
    if op.keyword("non_blocking") is not None:
        message += ", as `non_blocking` is False here"
    is_open = op.frequency.assumed and copy.confidence < Confidence.CERTAIN
    cap = Severity.NOTE if is_open and isinstance(copy.source, Batch) else Severity.ERROR
    offer = _offer(op, copy)
    instead = OF_BATCHES if isinstance(copy.source, Batch) else ""
    return op.finding(
        message, copy.source, copy.target, confidence=copy.confidence, cap=cap, offer=offer, instead=instead
    )


INSIDE = Offer("created-inside", "create it on the device", is_sure=False)


def _offer(op: Call, copy: Transfer) -> Offer | tuple[Offer, ...] | None:
    """Return the copy without waiting: where the target is CUDA, because other devices read the source later.

    What was created in the same expression is better created there.
    """
    target = next(iter(op.positional), None) or op.keyword("device") or op.keyword("other")
    if op.last_name not in ("to", "cuda") or (target is not None and NONE in options_of(target)):
        return None
    how = "tensor" if isinstance(target, Tensor) else "device"
    unsafe = f"{UNKNOWN_CLASS}; {PINNED}" if isinstance(copy.source, Batch) else "" if copy.is_pageable else PINNED
    copied = Offer("asynchronous-copy", "copy with `non_blocking`", unsafe, details=(how,))
    if target is None or how == "tensor":
        return copied if isinstance(copy.source, Batch) else (INSIDE, copied)
    asked = replace(copied, unsafe="; ".join(filter(None, (unsafe, NO_DEVICE))), details=(how, ASKED))
    seen = replace(copied, is_sure=False)
    return (seen, asked) if isinstance(copy.source, Batch) else (INSIDE, seen, asked)


def _what(copy: Transfer) -> str:
    """Return a description of the source."""
    if copy.source.device.host_for:
        return "a tensor that is on the CPU unless another device is asked for"
    if not isinstance(copy.source, Batch):
        return "a CPU tensor"
    return f"a batch of `{copy.source.named}`" if copy.source.named else "a batch on the host"
