"""A host index (a list, a range, a numpy array, a CPU tensor) is copied to the device, and the host waits for the copy.

Create the index on the device (`torch.arange(n, device=x.device)`), once and outside the loop; write a regular list as
a slice: `x[:, ::2]` for `x[:, [0, 2]]`.

To write a number without a copy, use `x.index_fill_(dim, ids, number)`, or a slice for a single element (`x[0:1] =
1.0`). Before torch 2.15, `x[ids] = number` waits even if the index is on the device, because the number is copied like
a tensor; a zero-dimensional CPU tensor is still copied. Slices, Python numbers and indices on the device do not wait.
"""

from __future__ import annotations

from ..lint.finding import Confidence
from ..lint.offers import OVERFLOW, Offer
from ..lint.operations import (
    Batch,
    Host,
    Index,
    IndexWrite,
    Sequence,
    Tensor,
    Value,
    any_item,
    confidence_of,
    has_rank,
    is_floating,
    is_mask,
    is_number,
    is_position,
    is_scalar,
    is_seen_as_tensor,
    is_written_number,
    may_be_mask,
    may_list_positions,
    on_gpu,
    on_host,
    options_of,
)
from ..lint.rule import Report, rule

FILL = (
    "Fill with `x.index_fill_(dim, ids, number)`, one element with a slice (`x[0:1] = 1.0`); or write a value "
    "created on the device: `x[ids] = torch.full((), number, dtype=x.dtype, device=x.device)`."
)
SMALL = frozenset(Host(kind, value) for kind in ("int", "bool") for value in range(128))
"""What tensors of every dtype can hold."""
POSITIONS = ("int", "bool", "object", "float")
"""Kinds of what lists hold: also what a tensor whose dtype is not known lists as if it were floating."""


@rule("SYNC209", "host-index-into-device-tensor")
def check(op: Index | IndexWrite) -> Report | None:
    """Report an index, or a value written through one, that is copied to the device."""
    if not isinstance(op.base, Tensor):
        return None
    for index in op.indices:
        confidence = _copied(index, op.base, len(op.indices) > 1)
        if confidence is not None:
            message = f"`{op.text}`: the index is copied to the device, and the host waits for the copy"
            return op.finding(message, op.base, confidence=confidence, offer=_stacked(op))
    if isinstance(op, IndexWrite) and (_value_is_copied(op) or _element_is_copied(op)):
        message = f"`{op.text}`: the value written there is copied to the device, and the host waits for the copy"
        message += "" if isinstance(op.value, Tensor) else " (before torch 2.15)"
        return op.finding(message, op.base, *op.indices, instead=FILL, offer=_filled(op))
    return None


def _stacked(op: Index | IndexWrite) -> Offer | None:
    """Return the stack of the elements, for a short list of integers that the source shows."""
    listed = op.indices[-1]
    items = listed.items if isinstance(listed, Sequence) and listed.kind == "list" else None
    if isinstance(op, IndexWrite) or not is_seen_as_tensor(op.base) or not items or not all(map(_is_integer, items)):
        return None
    return Offer("listed-elements-as-stack", "stack the elements, whose indices need no copy", is_sure=False)


def _filled(op: IndexWrite) -> Offer | None:
    """Return the fill of one element, where the number is in the dtype's range; or a number made on the device."""
    if not is_number(op.value) or not is_seen_as_tensor(op.base):
        return None
    is_in_range = is_written_number(op.value) and (is_floating(op.base) or op.value in SMALL)
    if is_in_range and _element_is_copied(op):
        return Offer("element-as-fill", "fill the element, which takes the number as an argument", is_sure=False)
    unsafe = "" if is_written_number(op.value) else OVERFLOW
    return Offer("written-as-full", "create the number on the device", unsafe, is_sure=False)


def _copied(index: Value, base: Tensor, is_one_of_several: bool) -> Confidence | None:
    """Return the confidence that the index has to be copied to the base's device.

    A tuple among several indices acts like a list; on its own it is several indices, as what `numpy.ix_` returns.
    """
    match index:
        case Sequence("tuple", None, each) if not is_one_of_several:
            return _copied(each, base, is_one_of_several=True)
        case Sequence(kind) if kind == "list" or (kind == "tuple" and is_one_of_several):
            return confidence_of(base) if _has_numbers(any_item(index)) else None
        case Host("ndarray" | "range"):
            return Confidence.LIKELY if confidence_of(base) is not None and _is_tensor(base) else None
        case Tensor() if on_host(index) and may_list_positions(index) and _is_tensor(base):
            sure = confidence_of(base)
            return min(sure, Confidence.LIKELY) if sure and may_be_mask(index) else sure
    return None


def _is_tensor(base: Tensor) -> bool:
    """Whether a base is a tensor for more than its use, since what is on the GPU takes an index as a tensor does."""
    return not base.by_use or on_gpu(base)


def _has_numbers(item: Value) -> bool:
    """Whether the items are numbers, as far as known; a list of tensors or slices is not an index itself."""
    options = options_of(item)
    numbers = [each for each in options if isinstance(each, Host) and each.kind in POSITIONS]
    return bool(numbers) and not any(isinstance(each, Tensor | Batch | Sequence) for each in options)


def _value_is_copied(op: IndexWrite) -> bool:
    """Whether a host value is written through an index on the device."""
    if op.augmented or any(map(is_mask, op.indices)) or not any(map(is_position, op.indices)):
        return False
    if isinstance(op.value, Tensor):
        return on_host(op.value) and is_scalar(op.value)
    return is_number(op.value) and op.versions.may_be("torch", until="2.15")


def _element_is_copied(op: IndexWrite) -> bool:
    """Whether a number is written to one element, which before torch 2.15 copies a zero-dimensional tensor."""
    if op.augmented or not is_number(op.value) or not op.versions.may_be("torch", until="2.15"):
        return False
    return all(map(_is_integer, op.indices)) and has_rank(op.base, len(op.indices))


def _is_integer(index: Value) -> bool:
    return isinstance(index, Host) and index.kind == "int"
