"""Which functions a call runs that was recorded by a name, as far as classes and attributes tell."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from ...notes.summary import FunctionSummary
from ...values.ops import Op
from ...values.union import Deferred, Instance, Value, options_of
from ..index.noted_index import NotedIndex


def all_run_by(names: Iterable[str], index: NotedIndex) -> Iterator[FunctionSummary]:
    """Yield the functions that calls by these names may run."""
    return (each for name in names for each in run_by(name, index))


def run_by(name: str, index: NotedIndex) -> Iterator[FunctionSummary]:
    """Yield the function with the name, or methods of what an attribute holds: `Trainer.agent.update`."""
    if (found := index.callable(name)) is not None:
        yield found
        return
    held, _, method = name.rpartition(".")
    cls, _, attribute = held.rpartition(".")
    for base in index.bases(cls) if index.is_defined(cls) else ():
        for value in index.attributes(base, attribute):
            for option in options_of(value):
                function = index.callable(f"{made}.{method}") if (made := _class_of(option, index)) else None
                if function is not None:
                    yield function


def _class_of(value: Value, index: NotedIndex) -> str | None:
    match value:
        case Instance(cls) | Deferred(Op.DECLARED, cls):
            return cls
        case Deferred(Op.CALL, name):
            return index.made(name)
    return None
