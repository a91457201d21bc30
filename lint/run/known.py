"""What is known about a project after some files have changed, come or gone."""

from __future__ import annotations

import json
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any, Final, TypeAlias

from ..files.modules import Modules
from .again import Given, Known, defined_in, fail, interface, mentioned
from .cache import Cache, is_placed
from .earlier import Earlier, reads_text
from .file import Checked, File
from .moved import Moves, moves
from .told import analysis_in, places_in

if TYPE_CHECKING:
    from ..inference.linking.link import WholeProject
    from ..inference.linking.project_index import ProjectIndex
    from ..inference.linking.reads import ReadBy
    from ..inference.notes.summary import FileSummary

Analysed: TypeAlias = "Callable[[Sequence[File]], dict[str, Checked]]"
"""Returns the analysis of each file by its name."""
MOST_CHANGED: Final = 50
"""If more files have changed, what all of them tell is compared."""


def known_now(kept: Cache, earlier: Earlier, given: Given, analysed: Analysed) -> Known | None:
    """Return what is known about a project now; None if that cannot be told from what was known."""
    if not _reported_alike(earlier, given):
        return None
    before = Before(kept, earlier)
    changed = before.changed_in(given)
    texts = {file.name: before.text(file.name) for file in changed}
    done = analysed(changed)
    if not _can_be_kept(done):
        return None
    if _is_as_before(before, given, done):
        return AsBefore(given, before, done, before.moves(texts, given, done))
    return Rebuilt(given, before, texts, done, analysed)


def _is_as_before(before: Before, given: Given, done: Mapping[str, Checked]) -> bool:
    """Whether there are the same files, and the few that have changed tell and mention what they did before."""
    same = before.names == given.names and len(done) <= MOST_CHANGED
    return same and before.tell_the_same(done) and before.mention_the_same(done)


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
        self.earlier = earlier
        self.names = earlier.names
        self._kept = kept
        self._contents = dict(zip(earlier.names, earlier.contents))
        self._interfaces = dict(zip(earlier.names, earlier.interfaces))
        self._mentioned = dict(zip(earlier.names, earlier.mentioned))
        self.tables: dict[str, Any] = json.loads(earlier.tables)

    def changed_in(self, given: Given) -> list[File]:
        """Return the files that are new, or not what they were."""
        return [file for file, now in zip(given.every, given.contents) if self._contents.get(file.name) != now]

    def text(self, name: str) -> str:
        """Return what was stored about a file; empty if there is nothing."""
        return self._kept.text(File(name), self._contents[name]) if name in self._contents else ""

    def read_by(self) -> ReadBy:
        """Return the facts that linking each file has read."""
        return self._kept.with_reads(self.earlier).read_by()

    def tell_the_same(self, done: Mapping[str, Checked]) -> bool:
        """Whether files tell the others what they told before."""
        return all(interface(each) == self._interfaces.get(name) for name, each in done.items())

    def mention_the_same(self, done: Mapping[str, Checked]) -> bool:
        """Whether files mention the names that they mentioned before, of those that the project defines."""
        now = mentioned(defined_in(self.tables), [*done.values()])
        return all(self._mentioned.get(name) == each for name, each in zip(done, now))

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


class AsBefore:
    """A project in which no changed file tells the others anything else than before."""

    def __init__(self, given: Given, before: Before, done: Mapping[str, Checked], where: Moves) -> None:
        from ..inference.linking.stored_index import StoredIndex

        self.earlier = before.earlier
        self.where = where
        self.reached = frozenset(done)
        self.gone = frozenset[str]()
        self.index: ProjectIndex = StoredIndex(before.tables, self._summary)
        self._files = {file.name: (file, content) for file, content in zip(given.every, given.contents)}
        self._known = dict(done)

    def checked(self, name: str) -> Checked:
        """Return what is known about a file."""
        if name not in self._known:
            file, content = self._files[name]
            found = Cache(file.project).get_as(file, content)
            self._known[name] = found if found is not None else fail()
        return self._known[name]

    def keep_reads(self, reads: ReadBy) -> Earlier:
        """Return what the run before found out, with what has been read since."""
        later = {name: reads.of(name) for name in reads.files}
        return replace(self.earlier, later={**self.earlier.later, **later})

    def _summary(self, number: int) -> FileSummary:
        return self.checked(self.earlier.indexed[number]).summary or fail()


class Rebuilt:
    """A project in which files tell the others something else than before; what was told then is compared."""

    def __init__(
        self, given: Given, before: Before, texts: Mapping[str, str], done: dict[str, Checked], analysed: Analysed
    ) -> None:
        from ..inference.linking.stored_index import tables_of

        indexed = before.earlier.indexed
        old = {name: analysis_in(texts.get(name) or before.text(name), name) or fail() for name in indexed}
        self._read_by = before.read_by()
        self._known = self._now(given, before, old, done, analysed)
        self.gone = frozenset(before.names) - {*given.names}
        reported = {file.name for file in given.files}
        first, then = _whole(old, reported), _whole(self._known, reported, given.modules)
        first.index.unused, first.index.inner = before.tables["names"]["unused"], before.tables["names"]["inner"]
        tables = tables_of(then.index)
        if then.follows != before.earlier.follows:
            fail()
        self.index: ProjectIndex = then.index
        self.reached = frozenset((*done, *self._readers(first, then)))
        self.where = before.moves({**dict.fromkeys((*self.gone, *done), ""), **texts}, given, done)
        self.earlier = replace(
            before.earlier,
            names=given.names,
            reported=len(given.files),
            interfaces=before.interfaces(given, done),
            indexed=[each.filename for each in then.summaries],
            mentioned=mentioned(defined_in(tables), [self._known[name] for name in given.names]),
            tables=json.dumps(tables, separators=(",", ":")),
        )

    def checked(self, name: str) -> Checked:
        """Return what is known about a file."""
        return self._known[name]

    def keep_reads(self, reads: ReadBy) -> Earlier:
        """Return what the run before found out, with what has been read since."""
        read_by = self._read_by.with_later(reads, set(self.earlier.indexed))
        return replace(self.earlier, later={}, reads=reads_text(read_by), reads_at="")

    def _now(
        self, given: Given, before: Before, old: Mapping[str, Checked], done: dict[str, Checked], analysed: Analysed
    ) -> dict[str, Checked]:
        """Return what is known about each file now; those are analysed whose imports mean something else."""
        idle = analysed([file for file in given.every if file.name not in old and file.name not in done])
        rest = [file for file in given.every if file.name in old and file.name not in done]
        if before.names != given.names:
            more = analysed([file for file in rest if not is_placed(old[file.name], file)])
            if not _can_be_kept(more):
                fail()
            done.update(more)
        return {**idle, **{file.name: old[file.name] for file in rest}, **done}

    def _readers(self, first: WholeProject, then: WholeProject) -> set[str]:
        """Return the files that have read what is told differently now."""
        from ..inference.linking.same import Same

        same = Same(first.index, then.index)
        return self._known.keys() & self._read_by.readers(lambda fact: not same.holds(fact))


def _whole(known: Mapping[str, Checked], reported: Collection[str], modules: Modules | None = None) -> WholeProject:
    from ..inference.linking.link import WholeProject
    from ..inference.notes.uses import uses

    summaries = [summary for _, each in sorted(known.items()) if (summary := each.summary)]
    told = {name: each.mentions for name, each in known.items() if each.mentions is not None}
    return WholeProject(summaries, reported, fail, uses(modules, told) if modules is not None else None)
