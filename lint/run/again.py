"""A run after another one over the same project: only those files are linked that a change can reach.

A comment, another row, another statement inside of a function: most edits tell the others nothing, and reach only the
file itself. Any other edit reaches the files whose linking has read something that is told differently now.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, NamedTuple, NoReturn, Protocol

from ..files.modules import Modules
from ..files.source import Unreadable
from ..files.texts import Texts
from ..finding import Finding
from ..store.encoding import StoreError
from . import answers
from .check import Check
from .connected import NOTHING, Connections
from .earlier import Drift, Earlier, Later, as_text, in_lines, parts_of
from .file import Checked, File
from .groups import Groups
from .linked import Linked
from .moved import GoneError, Moves, moved
from .words import Words

if TYPE_CHECKING:
    from ..inference.linking.asking import Asking
    from ..inference.linking.index.built_index import BuiltIndex
    from ..inference.linking.index.reads import ReadBy
    from ..inference.linking.index.rows import Row
    from ..inference.linking.index.stored_index import StoredIndex
    from ..inference.notes.operations import Operation


class Given(NamedTuple):
    """What a run is given: settings and rules, files, those that are known but not reported on, digests of contents."""

    groups: Groups
    files: Sequence[File]
    others: Sequence[File]
    problems: Sequence[Unreadable]
    contents: Sequence[str]
    connections: Connections = NOTHING

    @property
    def every(self) -> list[File]:
        """All files that are known."""
        return [*self.files, *self.others]

    @property
    def names(self) -> list[str]:
        """The names of all files that are known."""
        return [file.name for file in self.every]

    @property
    def modules(self) -> Modules | None:
        """What imports of the files can refer to."""
        return self.every[0].project.modules if self.every else None

    @property
    def can_be_known(self) -> bool:
        """Whether an earlier run may be of use: there is a cache, and all files have the same settings."""
        return bool(self.contents) and not self.groups.apart

    @property
    def is_on_disk(self) -> bool:
        """Whether a later run may be given the same files."""
        return all(file.data is None for file in self.every)

    @property
    def can_be_kept(self) -> bool:
        """Whether this run may be of use for a later one."""
        return self.can_be_known and self.is_on_disk


class Known(Protocol):
    """What is known about a project now.

    `earlier` is what the run before found out, with what is now known about files and what they tell; `where` is where
    places in them are now, `reached` the files that an edit reaches by what they tell; `gone` are former files, and
    `asking` answers questions about all of them.
    """

    earlier: Earlier
    where: Moves
    reached: frozenset[str]
    gone: frozenset[str]
    index: StoredIndex
    asking: Asking

    def checked(self, name: str) -> Checked:
        """Return what is known about a file."""

    def keep_reads(self, reads: ReadBy) -> Earlier:
        """Return what the run before found out, with what has been read since."""


def noted(given: Given, done: dict[str, Checked], linked: Linked, findings: tuple[Finding, ...]) -> Earlier | None:
    """Return what a run found out about all files; None if not all of that can be stored.

    The largest texts are made while they are stored, and what nobody needs any more is let go on the way.
    """
    if linked.project is None or any(each.summary and not each.interface for each in done.values()):
        return None
    from ..inference.linking.index.stored_index import rows_of, tables_of

    index = linked.project.index
    return Earlier(
        given.names,
        len(given.files),
        list(given.contents),
        [interface(done[file.name]) for file in given.every],
        [each.filename for each in linked.summaries],
        *told_by(linked.every),
        linked.project.follows,
        [],
        Drift({}, {}),
        parts_of(rows_of(index), apart=1),
        in_lines(_traces(linked, index, done)),
        given.connections,
        Later.none(),
        as_text(tables_of(index), apart=1),
        Words.of((done[name] for name in given.names), linked.names, linked.uses).text(),
        findings,
    )


def _traces(linked: Linked, index: BuiltIndex, done: dict[str, Checked]) -> Iterator[Iterable[str]]:
    """Yield the texts of what calls have asked, of what linking has read, and of the answers to questions."""
    from ..inference.linking.again.graph import Graph

    assert linked.project is not None
    reads = linked.project.reads
    yield parts_of(index.asked_by_file(), apart=3)
    if linked.last:
        linked.let_go()
        done.clear()
    graph, numbers = Graph.of(reads)
    reads.let_go()
    yield parts_of(graph.stored())
    del graph
    yield answers.text_of(reads.answers, numbers)


def told_by(operations: Sequence[Operation]) -> tuple[list[tuple[str, str]], list[str]]:
    """Return the files that tell each other what becomes of an object, and those that turn off checks everywhere."""
    from ..inference.linking.lives.ties import ties
    from ..inference.linking.resolving.defaults import switches_off

    return sorted(ties(operations)), sorted({each.span.filename for each in operations if switches_off(each)})


def interface(checked: Checked) -> str:
    """Return a digest of what a file exports to others."""
    return "unreadable" if checked.unreadable else checked.interface


def defined_in(rows: Sequence[Row]) -> frozenset[str]:
    """Return the names that a project defines."""
    names = (name for row in rows for each in (row.functions, row.classes) for name in each)
    return frozenset(name.rpartition(".")[2] for name in names)


class Again:
    """A run in which some files are linked again; those `wanted` are all that is asked for, None: all files."""

    def __init__(self, given: Given, known: Known, wanted: frozenset[str] | None = None) -> None:
        self._given = given
        self._known = known
        self._earlier = known.earlier
        kept = [each for each in known.earlier.findings if each.span.filename not in known.gone]
        self._findings, outdated = _as_moved(kept, known.where)
        self._reached = {*known.reached, *outdated, *known.gone, *known.earlier.pending}
        self._wanted = None if wanted is None or follows_in(known.index, wanted) else wanted
        self._indexed = {name: at for at, name in enumerate(known.earlier.indexed)}

    def found(self, texts: Texts) -> Earlier | None:
        """Return what is now known; None if all must be linked to tell."""
        group, reported = self._given.groups.own, {file.name for file in self._given.files}
        self._follow(self._earlier.ties)
        while True:
            names = self._needed()
            elsewhere = [name for name in self._earlier.switching if name not in names]
            operations, reads = self._linked(names, reported, bool(elsewhere))
            ties, switching = told_by(operations)
            self._follow([*self._earlier.ties, *ties])
            if self._needed() == names:
                break
        if bool(switching or elsewhere) != bool(self._earlier.switching):
            return None
        redone = reported & names
        checked = [self._known.checked(name) for name in sorted(redone)]
        check = Check(group.settings, group.rules, checked, {})
        unreadable = [each.unreadable for each in checked if each.unreadable]
        found = check.findings([*unreadable, *(each for each in operations if each.span.filename in redone)], texts)
        if check.failures or any(each.span.filename not in redone for each in found):
            return None
        rest = [each for each in self._findings if each.span.filename not in redone]
        return replace(
            self._known.keep_reads(reads),
            contents=list(self._given.contents),
            connections=self._given.connections,
            ties=[*(tie for tie in self._earlier.ties if self._is_kept(tie, names)), *ties],
            switching=[*elsewhere, *switching],
            pending=sorted((self._reached - names).intersection(self._given.names)),
            findings=tuple(sorted((*rest, *found), key=lambda finding: finding.sort_key)),
        )

    def _follow(self, ties: Sequence[tuple[str, str]]) -> None:
        """Let who shares objects with the files that are reached be reached, too."""
        while more := {name for tie in ties if not self._reached.isdisjoint(tie) for name in tie} - self._reached:
            self._reached |= more

    def _needed(self) -> set[str]:
        """Return the files that are to be linked: where no other tells of those that are asked for, only these.

        Those that may turn off the checks of distributions tell of all.
        """
        if self._wanted is None:
            return {*self._reached}
        from ..inference.linking.link import is_switch

        rows = self._known.index.rows
        switching = {row.filename for row in rows if any(map(is_switch, row.telling))}
        return self._reached & (self._wanted | switching.union(self._earlier.switching))

    def _is_kept(self, tie: tuple[str, str], linked: set[str]) -> bool:
        return self._known.gone.isdisjoint(tie) and not linked.issuperset(tie)

    def _linked(self, names: Collection[str], reported: set[str], are_switched: bool) -> tuple[list[Operation], ReadBy]:
        """Return the operations of the files that are linked again, and what each has read."""
        from ..inference.linking.link import Scope, linked

        ordered = sorted(self._indexed.keys() & names, key=self._indexed.__getitem__)
        summaries = [self._known.index.summary(name) for name in ordered if self._known.checked(name).summary]
        scope = Scope(reported, self._earlier.follows, are_switched)
        asking = self._known.asking
        operations = linked(asking, summaries, scope, fail)
        return operations, asking.index.reads.by_file()


def follows_in(index: StoredIndex, names: Collection[str]) -> bool:
    """Whether calls in other files may tell what becomes of an object that these make."""
    from ..inference.linking.link import follows

    return follows(index, ((row.filename, row.telling) for row in index.rows), names)


def _as_moved(findings: Sequence[Finding], where: Moves) -> tuple[list[Finding], set[str]]:
    """Return findings with places as they are now, and the files of those for which that is not known."""
    found, outdated = [], set()
    for each in findings:
        try:
            found.append(moved(each, where))
        except GoneError:  # noqa: PERF203
            outdated.add(each.span.filename)
    return found, outdated


def fail(*_: object) -> NoReturn:
    """Give up: a run from scratch will report whose fault it is."""
    raise StoreError("cannot be linked again")
