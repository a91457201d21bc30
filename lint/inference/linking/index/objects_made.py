"""Calls of what functions make, as those of what it is: a function, or a method of an object."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Final

from ...library.callbacks import MADE, FunctionCall
from ...notes.summary import CallSite
from ...values.union import Instance

if TYPE_CHECKING:
    from .asked_calls import AskedCalls

CALL: Final = ".__call__"


def of_object(site: CallSite, index: AskedCalls) -> CallSite:
    """Return a call of an object that a call makes as that of the object's `__call__`.

    What a call makes may turn out to be a function.
    """
    maker = site.callee.removesuffix(CALL)
    if maker != site.callee and index.constructed(maker) is None:
        made = index.made(maker)
        if made is not None and index.constructed(made) is None:
            return site._replace(callee=maker + MADE, positional=site.positional[1:])
    made = index.made(site.callee.removesuffix(MADE)) if site.callee.endswith(MADE) else None
    if made is None or index.constructed(made) is None:
        return site
    return site._replace(callee=f"{made}.__call__", positional=(Instance(made), *site.positional))


def of_each(site: CallSite, index: AskedCalls) -> Iterator[CallSite]:
    """Yield a call of what one of several that a function may make is, or of its method, for each of these."""
    maker, _, method = site.callee.rpartition(".")
    positional = site.positional[1:]
    if site.callee.endswith(MADE):
        maker, method, positional = site.callee.removesuffix(MADE), CALL[1:], site.positional
    made = index.all_made(maker)
    for each in made if len(made) > 1 else ():
        if index.constructed(each) is not None:
            yield site._replace(callee=f"{each}.{method}", positional=(Instance(each), *positional))
        elif method == CALL[1:]:
            yield site._replace(callee=each, positional=positional)


def as_calls(call: FunctionCall, index: AskedCalls) -> Iterator[FunctionCall]:
    """Yield a call of what a function makes, of each if it is one of several; of an object its `__call__`."""
    made = index.all_made(call.function.removesuffix(MADE)) if call.function.endswith(MADE) else ()
    for each in made:
        if index.constructed(each) is not None:
            yield FunctionCall(f"{each}{CALL}", (Instance(each), *call.positional), call.keywords)
        else:
            yield call._replace(function=each)
    if not made:
        yield call
