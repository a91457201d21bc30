"""An operator inspects its data on the host, to check it or to size its result, and waits for the device.

The alternatives differ: specify the size (`sparse_coo_tensor(…, size=…)`, `min_seqlen=` and `max_seqlen=` for jagged
tensors), draw with `mean + std * torch.randn_like(std)`, gather the boundaries instead of passing `sorter=`, write
`cov` as a matrix product.

Object collectives (`all_gather_object` and the like) send sizes and bytes through the host; gather tensors instead.
`isin` sorts if there are many elements to look for, so it is a note. For `torchvision.ops.nms` and the like, the number
of boxes kept depends on the data. `torch.normal` with a tensor `std`, `Normal.sample` and `combinations` wait only
before torch 2.14. `isin` with a number and `searchsorted` without `sorter` do not wait and are not reported.
"""

from __future__ import annotations

from ..lint.facts.torch_ops import DATA_DEPENDENT, DETECTION, OBJECT_COLLECTIVES
from ..lint.finding import Confidence, Severity
from ..lint.inference.notes.operations import Call
from ..lint.inference.values.union import Instance, Tensor, Value
from ..lint.rule import Report, rule

NAMES = tuple(name for row in (*DATA_DEPENDENT, OBJECT_COLLECTIVES, DETECTION) for name in row.names)

INSTEAD = {
    **dict.fromkeys(OBJECT_COLLECTIVES.names, "Send tensors created on the device, or send only every N steps."),
    **dict.fromkeys(
        DETECTION.names, "Call it once for all classes and images (`batched_nms`), after a `topk` of fixed size."
    ),
    **dict.fromkeys(("normal", "sample"), "Draw with `mean + std * torch.randn_like(std)`."),
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


@rule("SYNC208", "data-dependent-operator")
def check(op: Call) -> Report | None:
    """Report an operator whose row in the facts says that it waits."""
    wait = op.waits(*NAMES)
    if wait is None:
        return None
    confidence = Confidence.LIKELY if wait is OBJECT_COLLECTIVES and op.is_torch else None
    cap = Severity.NOTE if op.last_name == "isin" else Severity.ERROR
    message = f"`{op.text}` {wait.because}; the host waits for the device"
    message += f" (before torch {wait.until})" if wait.until else ""
    instead = INSTEAD.get(op.last_name, "")
    return op.finding(message, *_looked_at(op), confidence=confidence, cap=cap, instead=instead)


def _looked_at(op: Call) -> tuple[Value, ...]:
    """Return the tensors that the operator inspects."""
    match op.last_name:
        case "isin":
            elements = op.argument("test_elements")
            return (op.subject,) if isinstance(elements, Tensor) else ()
        case "normal":
            return (op.argument("std") or op.subject,)
        case "sample":
            return _parameters(op.receiver)
        case name if name == "nested_tensor_from_jagged" or name.startswith("sparse_"):
            return (*op.positional, *(value for _, value in op.keywords))
    return (op.subject,)


def _parameters(distribution: Value | None) -> tuple[Value, ...]:
    """Return the mean and standard deviation of a normal distribution."""
    if not isinstance(distribution, Instance) or not distribution.cls.endswith((".Normal", ".LogNormal")):
        return ()
    return tuple(value for _, value in distribution.arguments)
