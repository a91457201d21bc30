"""What tensors are indexed by, with questions answered: a mask, if it is named, made or passed like one."""

from __future__ import annotations

from dataclasses import replace

from ..values.containers import spread
from ..values.lattice import BOOL, may_be_mask
from ..values.ops import Op
from ..values.tensors import as_mask
from ..values.union import UNKNOWN, Batch, Deferred, Tensor, Value
from .resolving.resolve import Resolver


def resolved_indices(resolver: Resolver, indices: tuple[Value, ...], base: Value) -> tuple[Value, ...]:
    """Return the indices of a subscript of a value, one per dimension."""
    return spread(tuple(_resolved(resolver, each, base) for each in indices))


def _resolved(resolver: Resolver, index: Value, base: Value) -> Value:
    """Return what a tensor is indexed by: a mask if all that callers pass for such a parameter are masks.

    So is what a function compares, whatever that is.
    """
    found = resolver.resolve(index)
    if found is UNKNOWN and isinstance(base, Tensor | Batch) and resolver.is_compared(index):
        return as_mask(found, "it is compared and selects entries of a tensor")
    if not isinstance(index, Tensor) or not isinstance(found, Tensor) or not may_be_mask(index.dtype):
        return found
    like = index.device.like
    passed = resolver.resolve(like) if isinstance(like, Deferred) and like.op is Op.PARAMETER else found
    return replace(found, dtype=BOOL) if isinstance(passed, Tensor) and passed.dtype == BOOL else found
