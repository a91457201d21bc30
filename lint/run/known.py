"""What is known about a project after some files have changed, come or gone."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any, Final, TypeAlias

from .again import Given, Known, defined_in, fail, interface
from .cache import Cache, means_the_same
from .earlier import Drift, Earlier, Later, as_text
from .file import Checked, File
from .moved import Moves, moves
from .told import analysis_in, places_in
from .words import Edit, Words, drifted

if TYPE_CHECKING:
    from ..inference.linking.asked_calls import Asked
    from ..inference.linking.project_index import ProjectIndex
    from ..inference.linking.reads import Layers, ReadBy
    from ..inference.linking.stored_index import Load, StoredIndex
    from ..inference.notes.summary import FileSummary
    from ..inference.notes.uses import Uses

Analysed: TypeAlias = "Callable[[Sequence[File]], dict[str, Checked]]"
"""Returns the analysis of each file by its name."""
MOST_CHANGED: Final = 50
"""If more files have changed, what all of them tell is compared."""
MOST_LATER: Final = 0.5
"""If more is otherwise than what is stored apart tells, for each file, that is stored anew."""


def known_now(kept: Cache, earlier: Earlier, given: Given, analysed: Analysed) -> Known | None:
    """Return what is known about a project now; None if that cannot be told from what was known."""
    if not _reported_alike(earlier, given) or (len(earlier.names) == 1) != (len(given.names) == 1):
        return None
    before = Before(kept, earlier)
    changed = before.changed_in(given)
    texts = {file.name: before.text(file.name) for file in changed}
    done = analysed(changed)
    if not _can_be_kept(done):
        return None
    old = {name: analysis_in(text, name) if text else None for name, text in texts.items()}
    if _is_as_before(before, given, old, done):
        return AsBefore(given, before, old, done, before.moves(texts, given, done))
    return Edited(given, before, texts, old, done, analysed)


def _is_as_before(before: Before, given: Given, old: Mapping[str, Checked | None], done: Mapping[str, Checked]) -> bool:
    """Whether there are the same files, and the few that have changed tell and mention what they did before."""
    same = before.names == given.names and len(done) <= MOST_CHANGED
    return same and before.tell_the_same(done) and before.mention_the_same(old, done)


def _reported_alike(earlier: Earlier, given: Given) -> bool:
    """Whether files that were and are known were reported on if they are now."""
    reported, others = set(earlier.names[: earlier.reported]), set(earlier.names[earlier.reported :])
    return others.isdisjoint(file.name for file in given.files) and reported.isdisjoint(
        file.name for file in given.others
    )


def _can_be_kept(done: Mapping[str, Checked]) -> bool:
    return not any(each.failure or (each.summary and not each.interface) for each in done.values())


class Before:
    """What was known about the files."""

    def __init__(self, kept: Cache, earlier: Earlier) -> None:
        from ..inference.linking.rows import row_in

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
        from ..inference.linking.stored_index import StoredIndex

        return StoredIndex(self.rows, load, self._tables["derived"], self._tables["unused"], self._tables["inner"])

    def asked_and_read(self) -> tuple[Asked, Layers]:
        """Return what calls have asked to find out what they run, and what linking has read."""
        from ..inference.linking.asked_calls import Asked
        from ..inference.linking.reads import Layers, ReadBy

        asked, read = self._kept.get_apart(self.earlier.traces)
        first = (ReadBy(*each) for each in (*json.loads(asked), json.loads(read)))
        direct, through_attributes, reads = map(Layers, first, self.earlier.later[1:])
        return Asked(direct, through_attributes), reads

    def words(self) -> Words:
        """Return what all files mentioned."""
        return Words.read(self.earlier.words, self.earlier.drift)

    def tell_the_same(self, done: Mapping[str, Checked]) -> bool:
        """Whether files tell the others what they told before."""
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


class Analyses:
    """What is known about each file now; the analyses of those that have not changed are read when they are needed."""

    def __init__(self, given: Given, done: Mapping[str, Checked]) -> None:
        self._files = {file.name: (file, content) for file, content in zip(given.every, given.contents)}
        self._known = dict(done)

    def of(self, name: str) -> Checked:
        """Return what is known about a file."""
        if name not in self._known:
            file, content = self._files[name]
            found = Cache(file.project).get_as(file, content)
            self._known[name] = found if found is not None else fail()
        return self._known[name]

    def summary(self, name: str) -> FileSummary:
        """Return the summary of a file that has one."""
        return self.of(name).summary or fail()


class AsBefore:
    """A project in which no changed file tells the others anything else than before."""

    def __init__(
        self,
        given: Given,
        before: Before,
        old: Mapping[str, Checked | None],
        done: Mapping[str, Checked],
        where: Moves,
    ) -> None:
        analyses = Analyses(given, done)
        self.earlier = before.earlier
        self.where = where
        self.reached = frozenset(done)
        self.gone = frozenset[str]()
        self.checked = analyses.of
        self.index: ProjectIndex = before.index(analyses.summary)
        self._drift = drifted(self.earlier.drift, old, done)

    def keep_reads(self, reads: ReadBy) -> Earlier:
        """Return what the run before found out, with what has been read since."""
        later = self.earlier.later
        read = later.reads.with_later(reads, {*self.earlier.indexed})
        return replace(self.earlier, later=later._replace(reads=read), drift=self._drift)


class Edited:
    """A project in which files tell the others something else than before; what was told then is compared."""

    def __init__(
        self,
        given: Given,
        before: Before,
        texts: dict[str, str],
        old: dict[str, Checked | None],
        done: dict[str, Checked],
        analysed: Analysed,
    ) -> None:
        from ..inference.linking.stored_index import tables_of
        from ..inference.linking.updated import Updated

        self.gone = frozenset(before.names) - {*given.names}
        texts.update((name, before.text(name)) for name in self.gone)
        if before.names != given.names:
            moved = _meaning_something_else(given, before, done)
            texts.update((file.name, before.text(file.name)) for file in moved)
            done.update(analysed(moved))
        if not _can_be_kept(done):
            fail()
        old.update((name, analysis_in(text, name) if text else None) for name, text in texts.items() if name not in old)
        for name in old.keys() & {*before.earlier.indexed}:
            _summary(old[name])
        analyses = Analyses(given, done)
        self.checked = analyses.of
        first = before.index(lambda name: _summary(old[name]) if name in old else analyses.summary(name))
        changed = {name: done[name].summary if name in done else None for name in texts}
        asked, self._read_by = before.asked_and_read()
        self._update = update = Updated(first, changed, analyses.summary, asked)
        words = before.words()
        if given.modules is not None:
            uses = Edit(words, given.modules, old, done).make(before.names == given.names)
            _tell_what_is_unused(update.after, uses)
        if _follows(update.after, given) != before.earlier.follows:
            fail()
        self.index: ProjectIndex = update.after
        self.reached = frozenset((*done, *(update.readers(self._read_by) & {*given.names})))
        self.where = before.moves(texts, given, done)
        self.earlier = replace(
            before.earlier,
            names=given.names,
            reported=len(given.files),
            interfaces=before.interfaces(given, done),
            indexed=[row.filename for row in update.after.rows],
            drift=Drift({}, {}),
            tables=as_text(tables_of(update.after), apart=1),
            words=words.text(),
        )

    def keep_reads(self, reads: ReadBy) -> Earlier:
        """Return what the run before found out, with what has been read since."""
        indexed, update = {*self.earlier.indexed}, self._update
        rows = {**{row[0]: row for row in self.earlier.later.rows}, **update.rows()}
        read = *update.asked, self._read_by.with_later(reads, indexed)
        later = Later([row for name, row in rows.items() if name in indexed], *(each.later for each in read))
        if len(later.rows) + len(later.reads.files) < MOST_LATER * len(indexed):
            return replace(self.earlier, later=later)
        direct, through_attributes, read_by = (each.whole(indexed) for each in read)
        return replace(
            self.earlier,
            rows=(as_text(update.after.rows, apart=1),),
            traces=(as_text([direct, through_attributes], apart=3), as_text(read_by)),
            later=Later.none(),
        )


def _tell_what_is_unused(index: StoredIndex, uses: Uses | None) -> None:
    from ..inference.linking.unused import inner_in, unused_in

    index.unused, index.inner = unused_in(index, index.rows, uses), inner_in(index.rows, uses)


def _follows(index: StoredIndex, given: Given) -> bool:
    """Whether calls in files that are not reported tell what becomes of an object."""
    from ..inference.linking.link import follows

    return follows(index, ((row.filename, row.telling) for row in index.rows), {file.name for file in given.files})


def _summary(checked: Checked | None) -> FileSummary:
    return (checked and checked.summary) or fail()


def _meaning_something_else(given: Given, before: Before, done: Mapping[str, Checked]) -> list[File]:
    """Return the files that have not changed, but whose names or imports mean something else now."""
    rows = {row.filename: row for row in before.rows}
    rest = [file for file in given.every if file.name in rows and file.name not in done]
    return [file for file in rest if not means_the_same(rows[file.name], file)]
