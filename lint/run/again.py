"""A run after another one over the same files: only those are linked that a change can reach.

That is possible as long as no changed file tells the others anything else than before. A comment, another row, another
statement inside of a function: most edits tell nothing. Everything else is linked from nothing.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Final, NamedTuple

from ..files.source import Unreadable
from ..files.texts import Texts
from ..finding import Finding
from ..store.encoding import StoreError
from .cache import Cache
from .check import Check
from .earlier import Earlier
from .file import Checked, File
from .groups import Groups
from .linked import Linked
from .moved import GoneError, Moves, Place, moved, moves

if TYPE_CHECKING:
    from ..inference.notes.operations import Operation
    from ..inference.notes.summary import FileSummary

MOST_CHANGED: Final = 50
"""If more files have changed, or may have other findings, all are linked."""


class Given(NamedTuple):
    """What a run is given: settings and rules, files, those that are known but not reported on, digests of contents."""

    groups: Groups
    files: Sequence[File]
    others: Sequence[File]
    problems: Sequence[Unreadable]
    contents: Sequence[str]

    @property
    def every(self) -> list[File]:
        """All files that are known."""
        return [*self.files, *self.others]

    @property
    def can_be_kept(self) -> bool:
        """Whether the next run may be of use: all files are on disk and have the same settings."""
        return bool(self.contents) and not self.groups.apart and all(file.data is None for file in self.every)


def noted(given: Given, done: dict[str, Checked], linked: Linked, findings: tuple[Finding, ...]) -> Earlier | None:
    """Return what a run found out about all files; None if not all of that can be stored."""
    if linked.project is None or any(each.summary and not each.interface for each in done.values()):
        return None
    from ..inference.linking.stored_index import tables_of

    return Earlier(
        list(given.contents),
        [_interface(done[file.name]) for file in given.every],
        [each.filename for each in linked.summaries],
        *told_by(linked.every),
        linked.project.follows,
        json.dumps(tables_of(linked.project.index), separators=(",", ":")),
        findings,
    )


def told_by(operations: Sequence[Operation]) -> tuple[list[tuple[str, str]], list[str]]:
    """Return the files that tell each other what becomes of an object, and those that turn off checks everywhere."""
    from ..inference.linking.defaults import switches_off
    from ..inference.linking.ties import ties

    return sorted(ties(operations)), sorted({each.span.filename for each in operations if switches_off(each)})


def _interface(checked: Checked) -> str:
    return "unreadable" if checked.unreadable else checked.interface


def changed_in(earlier: Earlier, given: Given) -> list[File]:
    """Return the files that are not what they were."""
    return [file for file, old, new in zip(given.every, earlier.contents, given.contents) if old != new]


def places_in(files: Sequence[File], given: Given, contents: Sequence[str]) -> list[list[Place] | None]:
    """Return the places in what each of the files told the others when the contents of all were these."""
    content_of = {file.name: content for file, content in zip(given.every, contents)}
    return [Cache(file.project).places(file, content_of[file.name]) for file in files]


def moves_in(files: Sequence[File], given: Given, before: Sequence[list[Place] | None]) -> Moves:
    """Return where the places in the files are now."""
    after = places_in(files, given, given.contents)
    return {file.name: moves(old, new) for file, old, new in zip(files, before, after)}


def interfaces_hold(earlier: Earlier, given: Given, changed: dict[str, Checked]) -> bool:
    """Whether the changed files tell the others what they told before."""
    told = {file.name: interface for file, interface in zip(given.every, earlier.interfaces)}
    return not any(
        each.failure or each.unreadable or (each.summary and not each.interface) or each.interface != told[name]
        for name, each in changed.items()
    )


class Again:
    """A run in which only some files have changed, none of them in what it tells the others."""

    def __init__(self, given: Given, earlier: Earlier, changed: dict[str, Checked], where: Moves) -> None:
        self._given = given
        self._earlier = earlier
        self._files = {file.name: (file, content) for file, content in zip(given.every, given.contents)}
        self._known = dict(changed)
        self._changed = frozenset(changed)
        self._findings, self._outdated = _as_moved(earlier.findings, where)
        self._names = {name for name in self._reached() if name in set(earlier.indexed)}

    def found(self, texts: Texts) -> Earlier | None:
        """Return what is now known; None if more must be linked to tell."""
        group, reported = self._given.groups.own, {file.name for file in self._given.files}
        operations = self._linked(reported) if len(self._names) <= MOST_CHANGED else None
        if operations is None:
            return None
        redone = reported & {*self._names, *self._changed}
        checked = [self._checked(name) for name in sorted(redone)]
        check = Check(group.settings, group.rules, checked, {})
        unreadable = [each.unreadable for each in checked if each.unreadable]
        found = check.findings([*unreadable, *(each for each in operations if each.span.filename in redone)], texts)
        if check.failures or any(each.span.filename not in redone for each in found):
            return None
        rest = [each for each in self._findings if each.span.filename not in redone]
        findings = tuple(sorted((*rest, *found), key=lambda finding: finding.sort_key))
        return self._updated(operations, findings)

    def _updated(self, operations: Sequence[Operation], findings: tuple[Finding, ...]) -> Earlier:
        ties, switching = told_by(operations)
        return replace(
            self._earlier,
            contents=list(self._given.contents),
            ties=[*(tie for tie in self._earlier.ties if self._names.isdisjoint(tie)), *ties],
            switching=[*(name for name in self._earlier.switching if name not in self._names), *switching],
            findings=findings,
        )

    def _reached(self) -> set[str]:
        """Return the changed files, those which name a place that is gone, and who shares objects with them."""
        reached = {*self._changed, *self._outdated}
        while more := {name for tie in self._earlier.ties if not reached.isdisjoint(tie) for name in tie} - reached:
            reached |= more
        return reached

    def _linked(self, reported: set[str]) -> list[Operation] | None:
        """Return the operations of the files that are linked again; None if they say that others must be, too."""
        from ..inference.linking.link import Scope, linked
        from ..inference.linking.stored_index import StoredIndex

        index = StoredIndex(json.loads(self._earlier.tables), self._summary)
        summaries = [index.summary(at) for at, name in enumerate(self._earlier.indexed) if name in self._names]
        elsewhere = bool(set(self._earlier.switching) - self._names)
        scope = Scope(reported, self._earlier.follows, elsewhere)
        operations = linked(index, summaries, self._given.groups.own.settings, scope, _fail)
        ties, switching = told_by(operations)
        if bool(elsewhere or switching) != bool(self._earlier.switching):
            return None
        return operations if all(self._names.issuperset(tie) for tie in ties) else None

    def _summary(self, number: int) -> FileSummary:
        summary = self._checked(self._earlier.indexed[number]).summary
        if summary is None:
            raise StoreError("is not what was stored")
        return summary

    def _checked(self, name: str) -> Checked:
        if name not in self._known:
            checked = _read(*self._files[name])
            if checked is None:
                raise StoreError("is not what was stored")
            self._known[name] = checked
        return self._known[name]


def _as_moved(findings: Sequence[Finding], where: Moves) -> tuple[list[Finding], set[str]]:
    """Return findings with places as they are now, and the files of those for which that is not known."""
    found, outdated = [], set()
    for each in findings:
        try:
            found.append(moved(each, where))
        except GoneError:  # noqa: PERF203
            outdated.add(each.span.filename)
    return found, outdated


def _read(file: File, content: str) -> Checked | None:
    return Cache(file.project).get_as(file, content)


def _fail(*_: object) -> None:
    raise StoreError("cannot be linked again")
