"""Data of the host are copied to the device, and the host waits until the copy is done.

Let the DataLoader pin its batches (`pin_memory=True`) and copy with `.to(device, non_blocking=True)`; pin a tensor of
your own with `.pin_memory()`, and do not change it before the copy is done.

Without `non_blocking` the host waits even if the memory is pinned. Reported are `.to(device)`, `.cuda()`, `.type(…)`
and `device_tensor.copy_(…)` of what is known to be on the host: batches of a DataLoader (or of what is named like one),
numpy arrays, what `.cpu()` gave back, tensors made without `device=`. Modules, tensors that are on the device already,
and what is not known to be on the host are not reported. What a tokenizer or processor returned is a note where neither
the device nor how often the line runs was seen: prompts are mostly encoded once. A tensor that is made on the host only
to be moved is another rule's business.
"""

from __future__ import annotations

from ..lint.finding import Confidence, Severity
from ..lint.inference.operations import Call
from ..lint.inference.transfers import Transfer, to_device
from ..lint.inference.values import Batch
from ..lint.rule import Report, rule


@rule("SYNC301", "blocking-copy-to-device")
def check(op: Call) -> Report | None:
    """Report a copy from the host to the device that is not asked to go on by itself."""
    copy = to_device(op)
    if copy is None or copy.is_asynchronous or copy.is_new:
        return None
    message = f"`{op.text}` copies {_what(copy)} to the device, and the host waits for the copy"
    is_open = op.frequency.assumed and copy.confidence < Confidence.CERTAIN
    cap = Severity.NOTE if is_open and isinstance(copy.source, Batch) else Severity.ERROR
    return op.finding(message, copy.source, copy.target, confidence=copy.confidence, cap=cap)


def _what(copy: Transfer) -> str:
    """The source in words."""
    if not isinstance(copy.source, Batch):
        return "a tensor of the host"
    return f"a batch of `{copy.source.named}`" if copy.source.named else "a batch of the host"
