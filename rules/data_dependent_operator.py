"""An operator inspects its data on the host, to check it or to size its result, and waits for the device.

The alternatives differ: specify the size (`sparse_coo_tensor(…, size=…)`, `min_seqlen=` and `max_seqlen=` for jagged
tensors), draw with `mean + std * torch.randn_like(std)`, gather the boundaries instead of passing `sorter=`, write
`cov` as a matrix product.

Object collectives (`all_gather_object` and the like) send sizes and bytes through the host; gather tensors instead.
`isin` sorts if there are many elements to look for, so it is a note. For `torchvision.ops.nms` and the like, the number
of boxes kept depends on the data, and `torchvision.utils.make_grid` with `normalize=True` reads the range of its images
unless it is given `value_range=`. `torchvision.transforms.functional.normalize` copies its mean, and is reported if its
image is known to be on the GPU. Functions of PyTorch Geometric and torch_scatter read how many nodes or graphs there
are, unless they are told (`dim_size=`, `num_nodes=`, `size=`), and select edges by masks. `torch.normal` with a tensor
`std`, `Normal.sample` and `combinations` wait only before torch 2.14. `isin` with a number and `searchsorted` without
`sorter` do not wait and are not reported.
"""

from __future__ import annotations

from ..lint.facts.library_waits import OTHERS
from ..lint.facts.torch_geometric import WAITS as OF_GRAPHS
from ..lint.facts.torch_ops import DATA_DEPENDENT, DETECTION, IMAGES, MASKS, OBJECT_COLLECTIVES, Wait
from ..lint.finding import Confidence, Severity
from ..lint.offers import Offer
from ..lint.operations import Call, Sequence, Tensor, Value, any_item, confidence_of, distributions, has_rank
from ..lint.rule import Report, rule

ROWS = (*DATA_DEPENDENT, OBJECT_COLLECTIVES, DETECTION, MASKS, IMAGES, *OF_GRAPHS, *OTHERS)
NAMES = tuple(name for row in ROWS for name in row.names)

INSTEAD = {
    **dict.fromkeys(OBJECT_COLLECTIVES.names, "Send tensors created on the device, or send only every N steps."),
    **dict.fromkeys(
        DETECTION.names, "Call it once for all classes and images (`batched_nms`), after a `topk` of fixed size."
    ),
    **dict.fromkeys(IMAGES.names, "Pass the range: `value_range=(-1, 1)`."),
    **dict.fromkeys(("normal", "sample"), "Draw with `mean + std * torch.randn_like(std)`."),
    "normalize": "Keep mean and deviation on the device: `(x - mean) / std`, with buffers of the module.",
    "scale_loss": "Train in bfloat16 without a scaler, or with `torch.amp.GradScaler` and a fused optimizer.",
    **dict.fromkeys(("odeint", "odeint_adjoint"), "A solver of your own, with fixed steps, need not look at values."),
    "sparse_coo_tensor": "Pass the size: `sparse_coo_tensor(indices, values, size=…)`.",
    **dict.fromkeys(
        (
            "sparse_csr_tensor",
            "sparse_csc_tensor",
            "sparse_bsr_tensor",
            "sparse_bsc_tensor",
            "sparse_compressed_tensor",
        ),
        "Pass the size: its last positional argument, or `size=…`.",
    ),
    "unravel_index": "Divide by the strides yourself: `indices // columns`, `indices % columns`.",
    "coalesce": "Coalesce once, before the loop, and keep the result; or work on the indices and values directly.",
}
"""Advice for specific operators."""


@rule("SYNC208", "data-dependent-operator", calls=NAMES)
def check(op: Call) -> Report | None:
    """Report an operator whose row in the facts says that it waits."""
    wait = op.waits()
    if wait is None:
        return None
    confidence = Confidence.LIKELY if wait is OBJECT_COLLECTIVES and op.is_torch else None
    cap = Severity.NOTE if op.last_name == "isin" else Severity.ERROR
    message = f"`{op.text}` {wait.because}; the host waits for the device"
    message += f" (before torch {wait.until})" if wait.until else ""
    instead = _of_graphs(wait) if wait in OF_GRAPHS else INSTEAD.get(op.last_name, "")
    return op.finding(message, *_waited_for(op), confidence=confidence, cap=cap, instead=instead, offer=_offer(op))


def _of_graphs(wait: Wait) -> str:
    """Return what to pass to a function of graphs, or that its result can be kept."""
    if wait.unless:
        return f"Pass `{wait.unless[0]}=`, a number that the program knows: `num_graphs`, `x.size(0)`."
    return "Call it once, before the loop or in the DataLoader's workers, and keep the result if the graph stays."


def _offer(op: Call) -> Offer | None:
    """Return the search in boundaries that were sorted before, if they have one dimension."""
    if op.name != "torch.searchsorted" or not has_rank(op.subject, 1):
        return None
    return Offer("sorted-boundaries", "sort the boundaries by the `sorter` first")


def _waited_for(op: Call) -> tuple[Value, ...]:
    """Return what the operator waits for; nothing if its operands avoid the wait."""
    if op.last_name == "sample":
        return tuple(value for each in distributions.used_by(op) if each.checks_scale for value in each.tensors)
    if op.last_name == "isin" and not isinstance(op.argument("test_elements"), Tensor):
        return ()
    found = tuple(any_item(each) if isinstance(each, Sequence) else each for each in op.waited_for)
    if op.last_name != "normalize":
        return found
    return tuple(each for each in found if confidence_of(each) is Confidence.CERTAIN)
