"""What was known about a project when it was checked last."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from .again import Given, defined_in, interface
from .cache import Cache
from .earlier import Earlier
from .file import Checked, File
from .moved import Moves, moves
from .told import places_in
from .words import Words

if TYPE_CHECKING:
    from ..inference.linking.again.trace import Trace
    from ..inference.linking.index.asked_calls import Asked
    from ..inference.linking.index.stored_index import Load, StoredIndex


class Before:
    """What was known about the files."""

    def __init__(self, kept: Cache, earlier: Earlier) -> None:
        from ..inference.linking.index.rows import row_in

        self.earlier = earlier
        self.names = earlier.names
        self._kept = kept
        self._contents = dict(zip(earlier.names, earlier.contents))
        self._interfaces = dict(zip(earlier.names, earlier.interfaces))
        self._tables: dict[str, Any] = json.loads(earlier.tables)
        (rows,) = kept.get_apart(earlier.rows)
        stored = {each[0]: each for each in (*json.loads(rows), *earlier.later.rows)}
        self.rows = [row_in(stored[name]) for name in earlier.indexed]

    def changed_in(self, given: Given) -> list[File]:
        """Return the files that are new, or not what they were."""
        return [file for file, now in zip(given.every, given.contents) if self._contents.get(file.name) != now]

    def text(self, name: str) -> str:
        """Return what was stored about a file; empty if there is nothing."""
        return self._kept.text(File(name), self._contents[name]) if name in self._contents else ""

    def index(self, load: Load) -> StoredIndex:
        """Return the index as it was."""
        from ..inference.linking.index.stored_index import StoredIndex

        return StoredIndex(self.rows, load, **self._tables)

    def traces(self) -> tuple[Asked, Trace, str]:
        """Return what calls have asked to find out what they run, what linking has read, and the text of answers."""
        from ..inference.linking.again.graph import Graph
        from ..inference.linking.again.trace import Trace
        from ..inference.linking.index.asked_calls import Asked
        from ..inference.linking.index.reads import Layers, ReadBy

        later = self.earlier.later
        asked, read, answers = self._kept.get_apart(self.earlier.traces)
        first = (ReadBy(*each) for each in json.loads(asked))
        direct, through_attributes = map(Layers, first, (later.direct, later.through_attributes))
        trace = Trace(Graph.read(json.loads(read)), later.reads, later.confirmed, frozenset(later.stale))
        return Asked(direct, through_attributes), trace, answers

    def words(self) -> Words:
        """Return what all files mentioned."""
        return Words.read(self.earlier.words, self.earlier.drift)

    def tell_the_same(self, done: Mapping[str, Checked]) -> bool:
        """Whether files export the same as before."""
        return all(interface(each) == self._interfaces.get(name) for name, each in done.items())

    def mention_the_same(self, old: Mapping[str, Checked | None], done: Mapping[str, Checked]) -> bool:
        """Whether files mention the names that they mentioned before, of those that the project defines."""
        defined = defined_in(self.rows)
        return all(_mention_the_same(old[name], each, defined) for name, each in done.items())

    def moves(self, texts: Mapping[str, str], given: Given, done: Mapping[str, Checked]) -> Moves:
        """Return where the places in files are now, of which these texts were stored before."""
        content_of = dict(zip(given.names, given.contents))
        return {
            name: moves(places_in(text), places_in(self._kept.text(File(name), content_of[name])))
            if name in done and self.tell_the_same({name: done[name]})
            else {}
            for name, text in texts.items()
        }

    def interfaces(self, given: Given, done: Mapping[str, Checked]) -> list[str]:
        """Return digests of what all files tell now."""
        return [interface(done[name]) if name in done else self._interfaces[name] for name in given.names]


def _mention_the_same(old: Checked | None, new: Checked, defined: frozenset[str]) -> bool:
    if old is None or old.mentions is None or new.mentions is None:
        return old is not None and old.mentions is new.mentions
    return old.mentions.among(defined) == new.mentions.among(defined)
