"""What a DataLoader yields, by what its data set returns for an index and what its collate function makes of that."""

from __future__ import annotations

from dataclasses import replace
from typing import Final

from ...facts.torch_transfers import COLLATED_AS_LISTS, LOADER_PARAMETERS
from ..values.joining import join_all
from ..values.lattice import INT, rank_flags
from ..values.ops import Op
from ..values.union import (
    NONE,
    PACKED,
    SPREAD,
    UNKNOWN,
    Batch,
    Deferred,
    Host,
    Instance,
    OneOf,
    Sequence,
    Tensor,
    Value,
    defer,
)

BY_DEFAULT: Final = "default"
"""The name of the question for a loader without a function of its own: torch collates."""


def batches_of(loader: Instance, batch: Batch) -> Value:
    """Return what a loader yields: `batch`, but for the parts that are seen to be something else."""
    if loader.argument(SPREAD) is not None or given(loader, "batch_size") == NONE:
        return batch
    dataset, collate = given(loader, "dataset"), given(loader, "collate_fn")
    sample: Value = UNKNOWN
    if isinstance(dataset, Instance) or (isinstance(dataset, Deferred) and dataset.op is not Op.PARAMETER):
        sample = defer(Op.METHOD, "__getitem__", (dataset, Host("int")))
    if collate is not None and collate != NONE:
        made = defer(Op.CALL_VALUE, "collate", (collate, Sequence("list", None, sample)))
        return defer(Op.COLLATED, "", (made, batch))
    if isinstance(dataset, Host) and dataset.kind == "range":
        return Tensor(batch.device, INT, rank_flags(1), batch.memory)
    return batch if sample is UNKNOWN else defer(Op.COLLATED, BY_DEFAULT, (sample, batch))


def given(loader: Instance, name: str) -> Value | None:
    """Return what a loader is given for a parameter of its constructor; None if nothing."""
    found = loader.argument(name)
    return loader.argument(str(LOADER_PARAMETERS.index(name))) if found is None else found


def collated(value: Value, batch: Batch, by_default: bool) -> Value:
    """Return a batch made of a value: with tensors in it that are like `batch`, as is all of which nothing is known."""
    match value:
        case Host(kind):
            if by_default:
                return Sequence("list", None, value) if kind in COLLATED_AS_LISTS else batch
            return batch if kind == "object" else value
        case Sequence(items=items, element=element) if value.kind != PACKED:
            parts = None if items is None else tuple(collated(each, batch, by_default) for each in items)
            is_whole = items is not None and element is UNKNOWN and value.kind != "dict"
            return replace(value, items=parts, element=element if is_whole else collated(element, batch, by_default))
        case OneOf(options):
            return join_all(collated(each, batch, by_default) for each in options)
    return batch
