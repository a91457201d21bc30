"""How many files of a project mention each name, and what the names stand for."""

from __future__ import annotations

from bisect import bisect_left
from collections import Counter
from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from .imports import Imports
    from .mentions import Mentions


class Names(NamedTuple):
    """How many files mention each name, by what it stands for.

    `words` may be of anything, with those of attributes and computed ones (see `Mentions`). What is bound in a file is
    told by its full name if it has `defined` it, or if it is `imported` and known from where; else it is of `anything`.
    """

    words: Counter[str]
    anything: Counter[str]
    defined: Counter[str]
    imported: Counter[str]

    @classmethod
    def none(cls) -> Names:
        """Return no names yet."""
        return cls(Counter(), Counter(), Counter(), Counter())

    @classmethod
    def of(cls, graph: Imports) -> Names:
        """Return the names that files mention."""
        names = cls.none()
        for name, each in graph.told.items():
            words, bound = words_and_bound(each.names)
            names.words.update(words)
            names.bind(graph, name, bound, 1)
        return names

    def replace(self, graph: Imports, before: Mapping[str, Mentions]) -> None:
        """Change what some files mention, from what they mentioned before; what they import is the same."""
        for name, each in graph.told.items():
            if each is not before[name]:
                for told, count in ((before[name], -1), (each, 1)):
                    words, bound = words_and_bound(told.names)
                    for word in words:
                        _add(self.words, word, count)
                    self.bind(graph, name, bound, count)

    def bind(self, graph: Imports, filename: str, bound: Iterable[str], count: int) -> None:
        """Add what a file mentions of what is bound in it, or remove it."""
        module = graph.module(filename)
        for each in bound:
            if "." not in each:
                _add(self.defined, f"{module}.{each[1:]}", count)
            else:
                self._bind_imported(graph, filename, each[1:], count)

    def _bind_imported(self, graph: Imports, filename: str, written: str, count: int) -> None:
        full = graph.full(written, filename)
        if graph.is_module(full):
            return
        if graph.is_module(full.rpartition(".")[0]):
            _add(self.imported, full, count)
        elif graph.is_local(written, filename):
            _add(self.anything, written.rpartition(".")[2], count)

    def drift(self, words: Mapping[str, int]) -> None:
        """Change how many files mention some words."""
        for word, count in words.items():
            _add(self.words, word, count)


def words_and_bound(names: str) -> tuple[list[str], list[str]]:
    """Return the names that may be of anything, and those that are bound in their file (see `Mentions`)."""
    words = sorted(names.split())
    first, last = bisect_left(words, ":"), bisect_left(words, ";")
    return words[:first] + words[last:], words[first:last]


def _add(counts: Counter[str], name: str, count: int) -> None:
    counts[name] += count
    if not counts[name]:
        del counts[name]
