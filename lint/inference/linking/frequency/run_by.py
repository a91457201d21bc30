"""Which functions a call runs that was recorded by a name, as far as classes and attributes tell."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from ...library.callbacks import maker_of
from ...notes.summary import FunctionSummary
from ...values.ops import Op
from ...values.union import Deferred, Instance, Value, options_of
from ..index.noted_index import NotedIndex


def all_run_by(names: Iterable[str], index: NotedIndex) -> Iterator[FunctionSummary]:
    """Yield the functions that calls by these names may run."""
    return (each for name in names for each in run_by(name, index))


def run_by(name: str, index: NotedIndex) -> Iterator[FunctionSummary]:
    """Yield the function with the name, or methods of what an attribute holds, or a function makes.

    So does `Trainer.agent.update`, and `make_step.__call__`, which may run a function that `make_step` returns.
    """
    if (found := index.callable(name)) is not None:
        yield found
        return
    held, _, method = name.rpartition(".")
    cls, _, attribute = held.rpartition(".")
    yield from _run_on(index.all_made(held), method, index)
    for base in index.bases(cls) if index.is_defined(cls) else ():
        for value in index.attributes(base, attribute):
            for option in options_of(value):
                yield from _run_on(_made(option, index), method, index)


def _run_on(made: Iterable[str], method: str, index: NotedIndex) -> Iterator[FunctionSummary]:
    """Yield what a method of objects of classes runs, or of functions."""
    for each in made:
        is_function = method == "__call__" and not index.is_defined(each)
        function = index.callable(each if is_function else f"{each}.{method}")
        if function is not None:
            yield function


def _made(value: Value, index: NotedIndex) -> Sequence[str]:
    """Return the class of an object, or what is made by a function."""
    match value:
        case Instance(cls) | Deferred(Op.DECLARED, cls):
            return (cls,)
        case Deferred() if (maker := maker_of(value)) is not None:
            return index.all_made(maker)
    return ()
