"""What a module of the program returns, as far as its own code does not tell: tensors where its inputs are."""

from __future__ import annotations

from dataclasses import replace

from ..values.arguments import Keywords
from ..values.joining import join_all
from ..values.lattice import ANYWHERE, Device
from ..values.tensors import operands_of
from ..values.together import common_device
from ..values.union import UNKNOWN, Batch, OneOf, Sequence, Tensor, Value


def beside_inputs(value: Value, positional: tuple[Value, ...], keywords: Keywords) -> Value:
    """Return the result of a module; what is undecided is on the device if an input is, with all it computes with."""
    if not _is_undecided(value):
        return value
    operands = list(operands_of((*positional, *(each for _, each in keywords))))
    device = common_device(operands) if operands else None
    return value if device is None or not device.on_gpu else _decided(value, device)


def _is_undecided(value: Value) -> bool:
    match value:
        case Tensor() | Batch():
            return value.device.flags == ANYWHERE
        case OneOf():
            return any(map(_is_undecided, value.options))
        case Sequence():
            return any(map(_is_undecided, (value.element,) if value.items is None else value.items))
    return value is UNKNOWN


def _decided(value: Value, device: Device) -> Value:
    match value:
        case Tensor() | Batch() if value.device.flags == ANYWHERE:
            return replace(value, device=device)
        case OneOf():
            return join_all(_decided(each, device) for each in value.options)
        case Sequence():
            if value.items is None:
                return replace(value, element=_decided(value.element, device))
            return replace(value, items=tuple(_decided(each, device) for each in value.items))
    return Batch(device, computed=True) if value is UNKNOWN else value
