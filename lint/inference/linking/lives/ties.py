"""Which files tell each other by their operations what becomes of an object: a metric, a loader."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from ...notes.operations import Call, Operation, Pass
from .loader_lives import loaders_in, moved_by
from .metric_lives import metrics_in


def ties(operations: Iterable[Operation]) -> set[tuple[str, str]]:
    """Return pairs of files: one uses or moves an object that the other makes."""
    pairs = ((each.span.filename, made) for each in operations for made in _makers(each))
    return {(user, maker) for user, maker in pairs if user != maker}


def _makers(operation: Operation) -> Iterator[str]:
    """Yield the files that make the metrics and loaders of which an operation tells."""
    if isinstance(operation, Pass):
        for made in loaders_in(operation.value):
            yield made.filename
    if not isinstance(operation, Call):
        return
    for each in metrics_in(operation.receiver):
        if each.made is not None:
            yield each.made.filename
    for source in moved_by(operation):
        yield source.filename
