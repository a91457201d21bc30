"""Where the batches of each DataLoader are moved to the device: by the program, or by a framework."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace

from ....facts import libraries, lightning
from ....finding import Span
from ...notes.operations import Call, Life, Operation, Pass
from ...values.union import Batch, Instance, Sequence, Value, options_of
from .transfers import fed_by, to_device


def fed(operations: Iterable[Operation]) -> Iterator[Operation]:
    """Yield the operations; each DataLoader's constructor has the calls that move its batches to the device."""
    every = list(operations)
    moves: dict[Span, list[Call]] = {}
    passes: dict[Span, list[Pass]] = {}
    for each in every:
        if isinstance(each, Call):
            for source in moved_by(each):
                moves.setdefault(source, []).append(each)
        elif isinstance(each, Pass):
            for source in loaders_in(each.value):
                passes.setdefault(source, []).append(each)
    for each in every:
        if isinstance(each, Call) and each.receiver is None and libraries.class_kind(each.name) == "dataloader":
            hooked = each.life is not None and each.life.hooked
            uses, through = tuple(moves.get(each.span, ())), tuple(passes.get(each.span, ()))
            yield replace(each, life=Life(uses, passes=through, hooked=hooked))
        else:
            yield each


def loaders_in(value: Value) -> Iterator[Span]:
    """Yield the loaders that a value is, or whose batches it holds or yields, as an iterator made of a loader does."""
    for each in options_of(value):
        match each:
            case Instance(made=Span() as made) | Batch(source=Span() as made):
                yield made
            case Sequence(items=items, element=element):
                for part in (*(items or ()), element):
                    yield from loaders_in(part)


def asked_for(operation: Operation, kind_of: Callable[[str], str | None]) -> Call | None:
    """Return the constructor of a DataLoader where a framework asks for one; None for any other operation.

    That is no part of preparing data, whatever the class is for. `kind_of` returns the kind of a class by its name.
    """
    if not isinstance(operation, Call) or operation.receiver is not None:
        return None
    cls, _, method = operation.scope.rpartition(".")
    is_asked = method == lightning.LOADER_HOOK and kind_of(cls) in lightning.LOADER_HOLDERS
    if not is_asked or libraries.class_kind(operation.name) != "dataloader":
        return None
    return replace(operation, life=Life(hooked=True))


def moved_by(call: Call) -> Iterator[Span]:
    """Yield the loaders whose batches a call moves to the device."""
    copy = to_device(call)
    if copy is not None and isinstance(copy.source, Batch) and copy.source.source is not None:
        yield copy.source.source
    yield from fed_by(call)
