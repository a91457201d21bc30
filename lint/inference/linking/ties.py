"""Which files tell each other by their operations what becomes of an object: a metric, a loader."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from ..notes.operations import Call, Operation
from .loader_lives import gone_through, moved_by
from .metric_lives import metrics_in


def ties(operations: Iterable[Operation]) -> set[tuple[str, str]]:
    """Return pairs of files: one uses or moves an object that the other makes."""
    pairs = ((each.span.filename, made) for each in operations if isinstance(each, Call) for made in _makers(each))
    return {(user, maker) for user, maker in pairs if user != maker}


def _makers(call: Call) -> Iterator[str]:
    for each in metrics_in(call.receiver):
        if each.made is not None:
            yield each.made.filename
    for source in filter(None, (*moved_by(call), gone_through(call))):
        yield source.filename
