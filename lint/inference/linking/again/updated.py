"""The index of a project after an edit, made from the one before: only files are read that the edit can reach."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping
from collections.abc import Set as AbstractSet
from functools import cached_property

from ....limits import MOST_FOLLOWED
from ...notes.summary import FileSummary
from ..index.asked_calls import Asked
from ..index.reads import Layers
from ..index.rows import Row, calls_of, counts_of, define_alike, followed, row_of
from ..index.stored_index import Load, StoredIndex
from .same import Same


class Updated:
    """The index `after` an edit.

    `changed` are the files that are others now, or gone, with what is in them; `redone` those whose calls were followed
    again, `asked` is what the calls of all files have asked.
    """

    def __init__(
        self, before: StoredIndex, changed: Mapping[str, FileSummary | None], load: Load, asked: Asked
    ) -> None:
        rows = {row.filename: row for row in before.rows if row.filename not in changed}
        rows |= {name: row_of(summary) for name, summary in changed.items() if summary is not None}
        self.before = before
        old = {row.filename: row for row in before.rows if row.filename in changed}
        are_alike = old.keys() == changed.keys() <= rows.keys() and all(
            define_alike(old[name], rows[name]) for name in changed
        )
        derived = before.every_derived() if are_alike else None
        self.after = after = StoredIndex([rows[name] for name in sorted(rows)], load, derived)
        self._changed = changed.keys()
        self._numbers = after.numbers
        first = self._follow(asked.direct)
        self.redone = first | self._follow_through_attributes(asked.through_attributes, first)
        self.asked = Asked(
            asked.direct.with_later(after.asked.reads.by_file().only(first), self._numbers),
            asked.through_attributes.with_later(after.asked_later.reads.by_file().only(self.redone), self._numbers),
        )

    def rows(self) -> dict[str, Row]:
        """Return the rows of the files that have others than before, by file."""
        names = self._changed | self.redone
        return {row.filename: row for row in self.after.rows if row.filename in names}

    @cached_property
    def compared(self) -> Same:
        """The indexes before and after the edit."""
        return self._compared(self._changed | self.redone)

    def _compared(self, changed: AbstractSet[str]) -> Same:
        return Same(self.before, self.after, changed)

    def _there(self, names: Iterable[str]) -> set[str]:
        return {name for name in names if name in self._numbers}

    def _follow(self, asked: Layers) -> set[str]:
        """Follow the calls of files that have changed, or have asked for what is told differently; return these."""
        redone = self._there(self._changed | asked.readers(self._compared(self._changed)))
        self._keep_direct(redone)
        crowds = self.before.crowded.keys() | self.after.crowded.keys()
        more = self._there(self._followed_otherwise(crowds))
        again = more | {name for name in redone if crowds & self.after.rows[self._numbers[name]].counted()}
        for name in again:
            self.after.forget_calls(self._numbers[name])
        if again:
            self._keep_direct(again)
        return redone | more

    def _followed_otherwise(self, names: Collection[str]) -> Iterator[str]:
        """Yield the files of which not as many calls by a name are followed as before, as others have more or less."""
        both = [(index.rows, counts_of(names, index.rows)) for index in (self.before, self.after)]
        for name in names:
            old, new = (followed(counts[name], rows, MOST_FOLLOWED) for rows, counts in both)
            yield from (file for file in old.keys() | new.keys() if old.get(file) != new.get(file))

    def _keep_direct(self, names: Iterable[str]) -> None:
        rows = {}
        for name in names:
            number = self._numbers[name]
            found, row = self.after.direct(number), self.after.rows[number]
            held = row.through_attributes._replace(counted=Counter(site.callee for site in found.held.values()))
            rows[number] = row._replace(direct=calls_of(found), through_attributes=held)
        self.after.replace(rows)

    def _follow_through_attributes(self, asked: Layers, redone: AbstractSet[str]) -> set[str]:
        """Follow calls of what attributes hold of these files, and where that is told differently; return these."""
        names = self._there(redone | asked.readers(self._compared(self._changed | redone)))
        rows = {}
        for name in names:
            number = self._numbers[name]
            later = calls_of(self.after.through_attributes(number))
            rows[number] = self.after.rows[number]._replace(through_attributes=later)
        self.after.replace(rows)
        return names
