"""`nn.DataParallel` drives all GPUs from one process, copies the model in every step and gathers on one GPU.

Use `DistributedDataParallel`, with one process for each GPU.

In every step the model is copied to each GPU and the outputs are gathered on the first, which has more to do than
the others and less memory left. Where it has to stay, compute the loss inside `forward`, so that a number is gathered
instead of every output. With a single entry in `device_ids` nothing is copied, and nothing is reported.
"""

from __future__ import annotations

from ..lint.facts.hidden_checks import PARALLEL
from ..lint.finding import Confidence, Frequency, Kind, Level, Reason
from ..lint.inference.objects import passed
from ..lint.inference.operations import Call
from ..lint.inference.values import Sequence
from ..lint.rule import Report, rule

EVERY_STEP = Frequency(Level.EVERY_STEP, (Reason("a model runs in every step"),), assumed=True)


@rule("SYNC603", "data-parallel", kind=Kind.SETUP)
def check(op: Call) -> Report | None:
    """Report what splits batches over GPUs in one process."""
    if op.last_name not in PARALLEL or not op.name.startswith("torch.nn."):
        return None
    given = passed(op, "device_ids")
    if isinstance(given, Sequence) and given.items is not None and len(given.items) < 2:
        return None
    message = f"`{op.text}` copies the model to every GPU and gathers its outputs on one, in every step"
    return op.finding(message, confidence=Confidence.LIKELY, frequency=EVERY_STEP)
