"""Which words the files of a project mention, and which files mention what no other does."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, fields
from functools import cached_property
from typing import TYPE_CHECKING, Any

from .earlier import Drift, as_text
from .file import Checked

if TYPE_CHECKING:
    from ..files.modules import Modules
    from ..inference.notes.imports import Imports
    from ..inference.notes.mentions import Mentions
    from ..inference.notes.names import Names
    from ..inference.notes.uses import Uses


@dataclass
class Words:
    """The names that all files mention, and by file what it mentions; but not the words, as far as analyses tell them.

    `uses` is what the imports tell, `bound` is by file what is bound otherwise since the names were counted.
    """

    names: Names
    files: dict[str, list[Any]]
    uses: list[Any] | None
    bound: Mapping[str, str]

    @classmethod
    def of(cls, files: Iterable[Checked], names: Names | None, uses: Uses | None) -> Words:
        """Return what files mention, each and together."""
        from ..inference.notes.names import Names

        rows = {each.filename: _row(each, each.mentions) for each in files if each.mentions is not None}
        return cls(names or Names.none(), rows, _stored(uses), {})

    @classmethod
    def read(cls, text: str, drift: Drift) -> Words:
        """Return the words in a text, and what files mention otherwise since."""
        from ..inference.notes.names import Names

        names, files, uses = json.loads(text)
        words = cls(Names(*map(Counter, names)), files, uses, drift.bound)
        words.names.drift(drift.words)
        return words

    def text(self) -> str:
        """Return these words as text."""
        return as_text([self.names, self.files, self.uses])


class Edit:
    """Changes what files mention: those that were are `old`, with their analyses if they had some, `done` those now."""

    def __init__(
        self, words: Words, modules: Modules, old: Mapping[str, Checked | None], done: Mapping[str, Checked]
    ) -> None:
        self._words = words
        self._modules = modules
        self._before = words.files
        kept = {name: row for name, row in words.files.items() if name not in old}
        for name, bound in words.bound.items():
            if name in kept:
                kept[name] = [kept[name][0], bound, *kept[name][2:]]
        new = {name: _row(each, each.mentions) for name, each in done.items() if each.mentions is not None}
        words.files, words.bound = {**kept, **new}, {}
        for name, known in old.items():
            words.names.drift(difference(_words(known) or self._before.get(name, [""])[0].split(), []))
        for each in done.values():
            words.names.words.update(_words(each))

    def make(self, has_same_files: bool) -> Uses | None:
        """Return what files mention together; whether there are the same files says whether imports mean the same."""
        from ..inference.notes.uses import Uses, uses

        words, before = self._words, self._before
        has_same_files = has_same_files and words.files.keys() == before.keys()
        self._bind(words.files.keys(), has_same_files)
        if not has_same_files or any(row[2:] != before[name][2:] for name, row in words.files.items()):
            found = uses(self._graph, words.names)
            words.uses = _stored(found)
            return found
        if words.uses is None:
            return None
        program, *sets = words.uses
        return Uses(words.names, program, *map(frozenset, sets))

    def _bind(self, names: Iterable[str], has_same_files: bool) -> None:
        words, before = self._words, self._before
        if not has_same_files:
            for each in words.names[1:]:
                each.clear()
        for name in names:
            row = words.files[name]
            if not has_same_files:
                words.names.bind(self._graph, name, row[1].split(), 1)
            elif row[1] != before[name][1]:
                words.names.bind(self._graph, name, before[name][1].split(), -1)
                words.names.bind(self._graph, name, row[1].split(), 1)

    @cached_property
    def _graph(self) -> Imports:
        from ..inference.notes.imports import Imports
        from ..inference.notes.mentions import Mentions

        return Imports(self._modules, {name: Mentions("", *told) for name, (_, _, *told) in self._words.files.items()})


def drifted(drift: Drift, old: Mapping[str, Checked | None], done: Mapping[str, Checked]) -> Drift:
    """Return what files mention otherwise, with those that have changed."""
    words, bound = Counter(drift.words), {**drift.bound}
    for name, each in done.items():
        if (was := old[name]) is not None and was.mentions != each.mentions:
            found, bound[name] = _split(each)
            words.update(difference(_words(was), found))
    return Drift({word: count for word, count in words.items() if count}, bound)


def difference(before: Iterable[str], after: Iterable[str]) -> dict[str, int]:
    """Return by how many more files mention each word if one mentions some words instead of others."""
    found = Counter(after)
    found.subtract(Counter(before))
    return {word: count for word, count in found.items() if count}


def _row(checked: Checked, told: Mentions) -> list[Any]:
    words, bound = _split(checked)
    return ["" if checked.summary is not None else " ".join(words), bound, *told.about]


def _words(checked: Checked | None) -> list[str]:
    return [] if checked is None else _split(checked)[0]


def _split(checked: Checked) -> tuple[list[str], str]:
    """Return the words that a file mentions, and what it mentions of what is bound in it."""
    from ..inference.notes.names import words_and_bound

    words, bound = words_and_bound(checked.mentions.names if checked.mentions is not None else "")
    return words, " ".join(bound)


def _stored(uses: Uses | None) -> list[Any] | None:
    """Return what imports tell; the names are counted apart."""
    if uses is None:
        return None
    return [uses.program, *(sorted(getattr(uses, each.name)) for each in fields(uses)[2:])]
