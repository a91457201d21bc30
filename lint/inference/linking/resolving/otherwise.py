"""What a value is taken for if nothing else tells: what tensors are made of, and what a model returns."""

from __future__ import annotations

from collections.abc import Iterable
from collections.abc import Sequence as SequenceOf

from ...often.names import names_model
from ...values.certainty import OBJECT
from ...values.joining import join_all
from ...values.lattice import HOST, OPEN
from ...values.together import common_device
from ...values.union import UNKNOWN, Batch, Host, Sequence, Tensor, Value


def of_data(options: Iterable[Value], is_copied: bool) -> Value:
    """Return what a tensor is created from: a list is on the host, as the values of tensors in it are read.

    So is unknown data that is copied, since a tensor has `clone`. What may be a tensor as well as data of the host may
    be at either place.
    """
    found = [_one_of_data(option, is_copied) for option in options]
    if any(isinstance(each, Tensor | Batch) for each in found):
        found = [Tensor(HOST) if is_data(each) else each for each in found]
    return join_all(found)


def _one_of_data(value: Value, is_copied: bool) -> Value:
    """Return what a tensor is made of: numbers of the host in a list, and if they are copied, in what is unknown."""
    if isinstance(value, Sequence):
        return Host("list")
    return Host("float") if is_copied and (value is UNKNOWN or value == OBJECT) else value


def is_data(value: Value) -> bool:
    """Whether this is a host value from which tensors are created."""
    return isinstance(value, Host) and value.kind not in ("NoneType", "object", "str")


def of_model(name: str, inputs: SequenceOf[Value]) -> Value:
    """Return the result of something otherwise unknown that is named like a model: tensors on its inputs' device.

    Inputs on the host tell nothing: a model that is spread across devices, or wrapped, moves them.
    """
    if not names_model(name):
        return UNKNOWN
    device = common_device(value for value in inputs if isinstance(value, Tensor | Batch))
    given = any(isinstance(value, Tensor | Batch) for value in inputs)
    return Batch(device, computed=True) if given and not device.on_cpu else UNKNOWN


def of_moved(value: Value, on_host: Value) -> Value:
    """Return what is moved to a device: what is `on_host` if nothing tells where it is."""
    is_open = isinstance(value, Tensor | Batch) and value.device == OPEN
    return on_host if value is UNKNOWN or is_open else value
