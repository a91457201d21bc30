"""An operator that looks at its data on the host, to check them or to size its result, waits for the device.

Each has its own way out: name the size (`sparse_coo_tensor(…, size=…)`, `min_seqlen=` and `max_seqlen=` of jagged
tensors), draw with `mean + std * torch.randn_like(std)`, gather the boundaries instead of passing `sorter=`, write
`cov` as a product of matrices.

Object collectives (`all_gather_object` and its kin) send sizes and bytes through the host; gather tensors instead.
`isin` sorts when it has many elements to look for: it is a note. `torchvision.ops.nms` and its kin keep as many boxes
as the data say. `torch.normal` with a tensor for `std`, `Normal.sample` and `combinations` wait before torch 2.14 only.
`isin` with a number and `searchsorted` without `sorter` do not wait and are not reported.
"""

from __future__ import annotations

from ..lint.facts.torch_ops import DATA_DEPENDENT, DETECTION, OBJECT_COLLECTIVES
from ..lint.finding import Confidence, Severity
from ..lint.inference.operations import Call
from ..lint.inference.values import Instance, Tensor, Value
from ..lint.rule import Report, rule

NAMES = tuple(name for row in (*DATA_DEPENDENT, OBJECT_COLLECTIVES, DETECTION) for name in row.names)

INSTEAD = {
    **dict.fromkeys(OBJECT_COLLECTIVES.names, "Send tensors that are made on the device, or send every N steps only."),
    **dict.fromkeys(
        DETECTION.names, "Call it once for all classes and images (`batched_nms`), behind a `topk` of fixed size."
    ),
    **dict.fromkeys(("normal", "sample"), "Draw with `mean + std * torch.randn_like(std)`."),
    "sparse_coo_tensor": "Name the size: `sparse_coo_tensor(indices, values, size=…)`.",
    "coalesce": "Coalesce once, before the loop, and keep the result; or work on the indices and values themselves.",
}
"""What to write in the place of some operators."""


@rule("SYNC208", "data-dependent-operator")
def check(op: Call) -> Report | None:
    """Report an operator whose row in the table says that it waits."""
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
    """The tensors that the operator looks at."""
    match op.last_name:
        case "isin":
            elements = op.argument("test_elements")
            return (op.subject,) if isinstance(elements, Tensor) else ()
        case "normal":
            return (op.argument("std") or op.subject,)
        case "sample":
            return _parameters(op.receiver)
        case "nested_tensor_from_jagged" | "sparse_coo_tensor":
            return (*op.positional, *(value for _, value in op.keywords))
    return (op.subject,)


def _parameters(distribution: Value | None) -> tuple[Value, ...]:
    """The mean and the deviation of a normal distribution."""
    if not isinstance(distribution, Instance) or not distribution.cls.endswith((".Normal", ".LogNormal")):
        return ()
    return tuple(value for _, value in distribution.arguments)
