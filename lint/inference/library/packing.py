"""The results of functions of `torch.nn.utils.rnn`: packed sequences, whose sizes are on the host.

Source: torch 2.13 `torch/nn/utils/rnn.py`.
"""

from __future__ import annotations

from dataclasses import replace

from ...facts.signatures import lookup
from ..values.arguments import Arguments
from ..values.lattice import ARRAY, CPU, HOST, INT, OPEN, Device, rank_flags
from ..values.placement import device_of
from ..values.tensors import dtype_of, operands_of
from ..values.union import NONE, PACKED, UNKNOWN, Host, OneOf, Sequence, Tensor, Value
from . import tensor_methods
from .signatures import of_signature

PACKED_SEQUENCE = "torch.nn.utils.rnn.PackedSequence"
ORDER = Tensor(OPEN, INT, rank_flags(1))
SIZES = Tensor(HOST, INT, rank_flags(1))
ANY_PACKED = Sequence(PACKED, (Tensor(rank=ARRAY), SIZES, OneOf((ORDER, NONE)), OneOf((ORDER, NONE))))
"""A packed sequence of which nothing else is known."""


def packed(arguments: Arguments) -> Value:
    """Return what is packed: its data and the order of the sequences where they are, its sizes on the host."""
    source = next(operands_of(arguments.all()[:1]), UNKNOWN)
    device = device_of(source) or OPEN
    where = Device(CPU, None, arguments.reason("the sizes of packed sequences are on the host"))
    given = arguments.keywords.get("enforce_sorted", Host("bool", True))
    order: Value = ORDER.on(device)
    if given != Host("bool", False):
        order = NONE if given == Host("bool", True) else OneOf((order, NONE))
    return Sequence(PACKED, (Tensor(device, dtype_of(source), ARRAY), SIZES.on(where), order, order))


def moved(value: Sequence, name: str, arguments: Arguments) -> Value:
    """Return a packed sequence after it moved: its sizes stay on the host."""
    if value.items is None:
        return value
    data, sizes, *order = value.items
    to = Arguments(data, arguments.positional, tuple(arguments.keywords.items()), arguments.why)
    there = tensor_methods.method(name, data, to) if isinstance(data, Tensor) else None
    if not isinstance(there, Tensor):
        return value
    with_it = (each.on(there.device) if isinstance(each, Tensor) else each for each in order)
    return Sequence(PACKED, (there, sizes, *with_it))


def through(value: Value, arguments: Arguments) -> Value:
    """Return what a recurrent module makes of a packed sequence: another one, in the same order, and its states."""
    match arguments.all()[:1], value:
        case [Sequence(kind, (_, *order))], Sequence("tuple", (Tensor() as data, *states)) if kind == PACKED:
            return Sequence("tuple", (Sequence(PACKED, (data, *order)), *states))
    return value


def padded(arguments: Arguments) -> Value:
    """Return the padded sequences, and their lengths on the host: computed from `PackedSequence.batch_sizes`."""
    signature = lookup("torch.nn.utils.rnn.pad_packed_sequence")
    match of_signature(signature, arguments) if signature else None:
        case Sequence("tuple", (Tensor() as sequences, Tensor() as lengths)):
            where = Device(CPU, None, arguments.reason("the lengths of packed sequences are on the host"))
            return Sequence("tuple", (sequences, replace(lengths, device=where, rank=rank_flags(1))))
    return UNKNOWN
