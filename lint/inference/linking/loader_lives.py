"""Where the batches of each DataLoader are moved to the device."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace

from ...facts import libraries
from ...finding import Span
from ..notes.operations import Call, Life, Operation
from ..values.union import Batch
from .transfers import to_device


def fed(operations: Iterable[Operation]) -> Iterator[Operation]:
    """Yield the operations; each DataLoader's constructor has the calls that move its batches to the device."""
    every = list(operations)
    moves: dict[Span, list[Call]] = {}
    for each in every:
        if isinstance(each, Call) and (source := moved_by(each)) is not None:
            moves.setdefault(source, []).append(each)
    for each in every:
        if isinstance(each, Call) and each.receiver is None and libraries.class_kind(each.name) == "dataloader":
            yield replace(each, life=Life(tuple(moves.get(each.span, ()))))
        else:
            yield each


def moved_by(call: Call) -> Span | None:
    """Return the loader whose batches a call moves to the device."""
    copy = to_device(call)
    return copy.source.source if copy is not None and isinstance(copy.source, Batch) else None
