"""What is known about a project after some files have changed, come or gone."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Final, TypeAlias

from ..limits import MOST_ASKED, MOST_CHANGED
from .again import Given, Known, fail, follows_in
from .answers import Stored
from .before import Before
from .cache import Cache, means_the_same
from .earlier import Drift, Earlier, Later, as_text, in_lines, parts_of
from .file import Checked, File
from .moved import Moves
from .told import analysis_in
from .words import Edit, drifted

if TYPE_CHECKING:
    from ..inference.linking.index.reads import ReadBy
    from ..inference.linking.index.stored_index import StoredIndex
    from ..inference.notes.summary import FileSummary
    from ..inference.notes.uses import Uses

Analysed: TypeAlias = "Callable[[Sequence[File]], dict[str, Checked]]"
"""Returns the analysis of each file by its name."""
MOST_LATER: Final = 0.5
"""If more is otherwise than what is stored apart tells, for each file, that is stored anew."""


def known_now(kept: Cache, earlier: Earlier, given: Given, analysed: Analysed, is_part: bool = False) -> Known | None:
    """Return what is known about a project now; None if that cannot be told from what was known.

    `is_part`: only some files are asked for, so that no question is worth an answer which those may not need.
    """
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
    return Edited(given, before, texts, old, done, analysed, is_part)


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
    """A project in which no changed file exports anything different."""

    def __init__(
        self,
        given: Given,
        before: Before,
        old: Mapping[str, Checked | None],
        done: Mapping[str, Checked],
        where: Moves,
    ) -> None:
        from ..inference.linking.asking import Asking
        from ..inference.linking.index.reads import Reads

        analyses = Analyses(given, done)
        self.earlier = before.earlier
        self.where = where
        self.reached = frozenset(done)
        self.gone = frozenset[str]()
        self.checked = analyses.of
        self.index = before.index(analyses.summary)
        self.asking = Asking(self.index, given.groups.own.settings, Reads())
        self._drift = drifted(self.earlier.drift, old, done)

    def keep_reads(self, reads: ReadBy) -> Earlier:
        """Return what the run before found out, with what has been read since."""
        later = self.earlier.later
        read = later.reads.with_later(reads, {*self.earlier.indexed})
        later = later._replace(reads=read).with_changed(self.reached)
        return replace(self.earlier, later=later, drift=self._drift)


class Edited:
    """A project in which files export something different; the old exports are compared."""

    def __init__(
        self,
        given: Given,
        before: Before,
        texts: dict[str, str],
        old: dict[str, Checked | None],
        done: dict[str, Checked],
        analysed: Analysed,
        is_part: bool,
    ) -> None:
        from ..inference.linking.again.updated import Updated
        from ..inference.linking.asking import Asking
        from ..inference.linking.index.reads import Reads
        from ..inference.linking.index.stored_index import tables_of

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
        asked, trace, answers = before.traces()
        self._update = update = Updated(first, changed, analyses.summary, asked)
        words = before.words()
        if given.modules is not None:
            uses = Edit(words, given.modules, old, done).make(before.names == given.names)
            _tell_what_is_unused(update.after, uses)
        if follows_in(update.after, {file.name for file in given.files}) != before.earlier.follows:
            fail()
        self.index = update.after
        self._changed = frozenset((*texts, *before.earlier.later.changed))
        self._trace, self._outdated = trace.after(update.compared)
        self._stored = Stored(answers, self._outdated, self._changed)
        self.asking = Asking(update.after, given.groups.own.settings, Reads(), self._stored)
        if not is_part:
            self._confirm()
        readers = self._trace.readers(update.compared, self._outdated)
        self.reached = frozenset((*done, *(readers & {*given.names})))
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

    def _confirm(self) -> None:
        """Ask questions again that may have other answers now."""
        from ..bounds.limit import limited
        from ..inference.linking.again.trace import QUESTION, confirm
        from ..inference.linking.index.places import Places

        stored, asking = self._stored, self.asking
        asked = stored.questions()

        def again(number: int) -> bool:
            if (was := stored.was(*asked[number])) is None:
                return False
            asking.index.reads.begin_file(f"{QUESTION}{number}")
            with places.at("", 0, asking.resolver):
                return bool(asking.again(*asked[number]) == was[1])
            return False

        with limited() as limit:
            places = Places(fail, limit)
            confirm(self._outdated, self._trace.stale, asked if len(asked) < MOST_ASKED else {}, again)

    def keep_reads(self, reads: ReadBy) -> Earlier:
        """Return what the run before found out, with what has been read since."""
        indexed, update = {*self.earlier.indexed}, self._update
        rows = {**{row[0]: row for row in self.earlier.later.rows}, **update.rows()}
        asked, trace = update.asked, self._trace.with_later(reads, indexed, self._outdated)
        read = asked.direct.later, asked.through_attributes.later, trace.later, trace.confirmed
        kept = [row for name, row in rows.items() if name in indexed]
        later = Later(kept, *read, sorted(trace.stale), sorted(self._changed))
        many = len(later.rows) + len(later.reads.files) + len(later.confirmed.files)
        if many < MOST_LATER * len(indexed):
            return replace(self.earlier, later=later)
        asked_by_all = [each.whole(indexed) for each in asked]
        graph, answers = trace.whole(indexed, self._stored.kept())
        traces = parts_of(asked_by_all, apart=3), parts_of(graph.stored()), self._stored.text(answers)
        table = parts_of(update.after.rows, apart=1)
        return replace(self.earlier, rows=table, traces=in_lines(traces), later=Later.none())


def _tell_what_is_unused(index: StoredIndex, uses: Uses | None) -> None:
    from ..inference.linking.index.unused import inner_in, unused_in

    index.unused, index.inner = unused_in(index, index.rows, uses), inner_in(index.rows, uses)


def _summary(checked: Checked | None) -> FileSummary:
    return (checked and checked.summary) or fail()


def _meaning_something_else(given: Given, before: Before, done: Mapping[str, Checked]) -> list[File]:
    """Return the files that have not changed, but whose names or imports mean something else now."""
    rows = {row.filename: row for row in before.rows}
    rest = [file for file in given.every if file.name in rows and file.name not in done]
    return [file for file in rest if not means_the_same(rows[file.name], file)]
