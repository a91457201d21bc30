"""From which files an answer of the index comes, without reading them."""

from __future__ import annotations

from functools import partial
from typing import Any, Final, NamedTuple

from ..index.noted_index import told_by
from ..index.reads import Fact
from ..index.stored_index import StoredIndex

BY_CALLS: Final = frozenset(["sites_of", "named_sites", "made_at", "are_calls_seen"])
"""Questions whose answers are put together from those of several files."""


class Whence(NamedTuple):
    """What is known of an answer by name, and the files that the rest of it is in: all is known if there are none."""

    known: Any
    files: list[str]


def whence(index: StoredIndex, fact: Fact) -> Whence:
    """Return from where the answer to a question about the index comes."""
    kind, name, *rest = fact
    match kind:
        case "function" | "constant" | "alias":
            return Whence(None, index.defined_in(kind, name))
        case "callable":
            return _function(index, index.called(name))
        case "method":
            return _function(index, index.inheritance.method(name, rest[0]))
        case "sites_of":
            return _calls(None, index.called_in("sites", name))
        case "named_sites":
            method = name.rpartition(".")[2]
            return _calls(index.is_of_one_family(method), index.called_in("named", method))
        case "made_at":
            makers = _makers(index, name)
            files = [each for maker in makers.values() for each in index.called_in("sites", maker)]
            return _calls([(each, makers[each], _made_elsewhere(index, each)) for each in makers], files)
        case "are_calls_seen" if index.may_all_be_seen(name):
            method = name.rpartition(".")[2]
            return _calls(None, [*index.called_in("sites", name), *index.called_in("named", method)])
        case "attributes":
            defined = index.attribute_in(name, rest[0])
            return Whence(len(defined), [*defined, *index.given_in(name, rest[0])])
    return Whence(told_by(index, fact), [])


def calls_in(index: StoredIndex, fact: Fact, filename: str) -> object:
    """Return the part of the answer that one file has to a question which several answer."""
    kind, name = fact
    called, named = partial(index.calls_in, "sites"), partial(index.calls_in, "named")
    method = name.rpartition(".")[2]
    match kind:
        case "sites_of":
            return called(name, filename)
        case "named_sites":
            return named(method, filename)
        case "made_at":
            return [called(maker, filename) for maker in _makers(index, name).values()]
    return [sorted({site.caller for site in sites}) for sites in (called(name, filename), named(method, filename))]


def _makers(index: StoredIndex, cls: str) -> dict[str, str]:
    """Return a class and those derived from it, each with its constructor."""
    return {each: index.called(each) or "" for each in (cls, *index.derived_from(cls))}


def _made_elsewhere(index: StoredIndex, cls: str) -> tuple[str, bool, bool]:
    return index.why_unused(cls), cls in index.all_chosen, index.is_offered(cls)


def _function(index: StoredIndex, name: str | None) -> Whence:
    return Whence(name, [] if name is None else index.defined_in("function", name))


def _calls(known: object, files: list[list[str]]) -> Whence:
    return Whence((known, [len(each) for each in files]), [name for each in files for name in each])
