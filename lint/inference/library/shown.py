"""What a value is known to be once a method of tensors is called on it, or something selects from it."""

from __future__ import annotations

from collections.abc import Collection, Iterable

from ...facts import attributes as facts
from ..values.lattice import SCALAR
from ..values.union import Batch, OneOf, Sequence, Tensor, Value


def shown_tensor(value: Value, method: str, methods: Collection[str]) -> Value:
    """Return the value after a method is called on it: a batch becomes a tensor by a tensor method.

    `methods` are those that only tensors have. What was moved to a device, or comes from a model, is not an array
    either.
    """
    if isinstance(value, OneOf):
        return OneOf(tuple(shown_tensor(option, method, methods) for option in value.options))
    if not isinstance(value, Batch):
        return value
    on_device = not value.named and not value.device.on_cpu
    if method in methods or (on_device and method in facts.ARRAY_METHODS):
        return Tensor(value.device, memory=value.memory, by_use=f"`.{method}()` is a tensor method")
    return value


def shown_by_index(value: Value, indices: Iterable[Value]) -> Value:
    """Return what tensors or lists select from: a batch that was moved to a device is a tensor then."""
    if not isinstance(value, Batch) or value.named or value.device.on_cpu or not any(map(_selects, indices)):
        return value
    return Tensor(value.device, memory=value.memory)


def _selects(index: Value) -> bool:
    return (isinstance(index, Tensor) and not index.rank & SCALAR) or (
        isinstance(index, Sequence) and index.kind == "list"
    )
