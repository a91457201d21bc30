"""Fixes made in memory, pass after pass, and kept only where the analysis then finds less, and nothing new."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Final, NamedTuple, TypeAlias

from ..files.regular import read
from ..files.source import Source, parse
from ..finding import Finding
from ..limits import MOST_ROUNDS
from ..offers import Fix
from ..run.analyses import Analyses
from ..run.discovery import SUFFIXES
from ..run.engine import run
from ..run.result import Result
from ..suppression.ignore_comments import LeftAlone
from ..task import Task
from .blame import Blame, Made, blame, halves
from .contents import changed
from .edits import without_overlaps
from .fixes import KINDS, Key, fixes_of

SAFE: Final = KINDS[:1]
UNSAFE: Final = KINDS[:2]

Wants: TypeAlias = Callable[[Finding], bool]
"""Whether a finding is to be fixed."""


class _After(NamedTuple):
    """The fixes that were made, and the result of the run and the contents of the files with them."""

    made: list[Made]
    result: Result
    contents: dict[str, bytes]


@dataclass
class Passes:
    """The state between passes: the last result, the changed contents, the fixes kept, and those that did no good.

    `kinds` are the kinds of fixes that are made now, `blames` what trials came to with the contents as they are.
    """

    task: Task
    result: Result
    wants: Wants
    analyses: Analyses
    contents: dict[str, bytes] = field(default_factory=dict)
    original: dict[str, bytes] = field(default_factory=dict)
    made: list[Made] = field(default_factory=list)
    refused: set[Key] = field(default_factory=set)
    complaints: dict[str, str] = field(default_factory=dict)
    found: dict[str, tuple[tuple[bytes | None, tuple[str, ...], list[object]], Mapping[int, Fix]]] = field(
        default_factory=dict
    )
    kinds: tuple[str, ...] = SAFE
    blames: dict[frozenset[tuple[str, Fix]], Blame] = field(default_factory=dict)

    def run(self, kinds: tuple[str, ...] = SAFE) -> None:
        """Make all fixes of some kinds that can be made, until none is left."""
        self.kinds = kinds
        for _ in range(MOST_ROUNDS):
            chosen = list(self._chosen())
            if not chosen:
                return
            after = self._best(_After([], self.result, self.contents), chosen)
            self.result, self.contents = after.result, after.contents
            self.made += after.made
            self.blames.clear()
        MOST_ROUNDS.met()

    def confirmed(self) -> Iterator[Made]:
        """Yield all fixes, of whatever kind, that can be made in what there is now, each by itself; make none."""
        self.kinds = KINDS
        cured: set[Finding] = set()
        wants = self.wants
        for _ in range(MOST_ROUNDS):
            self.wants = lambda each: wants(each) and each not in cured
            chosen = list(self._chosen())
            if not chosen:
                return
            for each in self._best(_After([], self.result, self.contents), chosen).made:
                cured.update(each.findings)
                yield each
        MOST_ROUNDS.met()

    def forget(self, filename: str) -> None:
        """Take back all fixes of a file, which could not be written."""
        self.contents.pop(filename)
        self.made = [each for each in self.made if each.filename != filename]
        self.result = self._analysed(self.contents)
        self.blames.clear()

    def _chosen(self) -> Iterator[Made]:
        """Yield what to try next: of each file the fixes that do not overlap."""
        by_file: defaultdict[str, list[Finding]] = defaultdict(list)
        for each in self.result.findings:
            if each.offers and self.wants(each):
                by_file[each.span.filename].append(each)
        for filename, findings in by_file.items():
            found = self._found(filename, findings)
            for fix in without_overlaps(found.values()):
                yield Made(filename, fix, _cured(fix, found, findings))

    def _found(self, filename: str, findings: Sequence[Finding]) -> Mapping[int, Fix]:
        """Return the fixes of a file's findings; for the same text and findings as before, those made then."""
        names: list[object] = [(each.span, each.offers, each.fingerprint) for each in findings]
        asked = self.contents.get(filename), self.kinds, names
        known = self.found.get(filename)
        if known is None or known[0] != asked or not self.refused.isdisjoint(_keys(known[1], findings)):
            source = self._source(filename)
            known = asked, fixes_of(findings, source, kinds=self.kinds, but=self.refused) if source else {}
            self.found[filename] = known
        return known[1]

    def _source(self, filename: str) -> Source | None:
        """Return the file as it is now; None if it cannot be fixed."""
        if not filename.endswith(SUFFIXES) and filename not in self._given:
            return None
        if filename not in self.original:
            try:
                data = self._given.get(filename) or read(filename)
            except OSError as error:
                self.complaints[filename] = error.strerror or str(error)
                return None
            self.original[filename] = data
        data = self.contents.get(filename, self.original[filename])
        source = parse(data, filename, wanted=True)
        is_same = isinstance(source, Source) and self._lines(filename) == source.lines
        if not is_same and isinstance(source, Source) and not source.cells:
            self.complaints[filename] = "it was changed in the meantime"
        return source if isinstance(source, Source) and (is_same or source.cells) else None

    def _lines(self, filename: str) -> tuple[str, ...]:
        return tuple(self.result.texts.lines(filename))

    @property
    def _given(self) -> dict[str, bytes]:
        return {file.name: file.data for file in self.task.files if file.data is not None}

    def _best(self, before: _After, more: Sequence[Made]) -> _After:
        """Return what some fixes come to with as many more as do what they offer beside them.

        Where they do harm together, they are tried in parts, those of all places at once; what is refused for good was
        tried with no other in its place. All edits are those of the contents as they are in the pass.
        """
        tried = self._tried([*before.made, *more])
        if isinstance(tried, _After):
            return tried
        blamed = [each for each in more if each in tried.made]
        others = [each for each in more if each not in blamed]
        if not blamed or not others:
            others, blamed = halves(more, tried.in_its_place and not others)
        if blamed and others:
            return self._best(self._best(before, others), blamed)
        if not before.made:
            self.refused.update(*(each.keys for each in more))
        return before

    def _tried(self, chosen: Sequence[Made]) -> _After | Blame:
        """Return what fixes come to if all do what they offer; else those that may not have."""
        key = frozenset((each.filename, each.fix) for each in chosen)
        if key in self.blames:
            return self.blames[key]
        found = self._made(chosen)
        if isinstance(found, Blame):
            self.blames[key] = found
        return found

    def _made(self, chosen: Sequence[Made]) -> _After | Blame:
        contents = dict(self.contents)
        for filename in dict.fromkeys(each.filename for each in chosen):
            own = [each for each in chosen if each.filename == filename]
            data = self.contents.get(filename, self.original[filename])
            source = parse(data, filename, wanted=True)
            try:
                if not isinstance(source, Source):
                    raise LeftAlone("it is not Python")
                contents[filename] = changed(data, source, [edit for each in own for edit in each.fix.edits])
            except LeftAlone as error:
                if len(own) == 1:
                    self.complaints[filename] = str(error)
                return Blame(own)
        after = self._analysed(contents)
        if after.failures and not self.result.failures:
            return Blame(chosen)
        return blame(chosen, self.result.findings, after.findings) or _After(list(chosen), after, contents)

    def _analysed(self, contents: Mapping[str, bytes]) -> Result:
        """Return the result of the run with other contents of some files."""
        task = self.task
        files = [replace(each, data=contents.get(each.name, each.data)) for each in task.files]
        others = [replace(each, data=contents.get(each.name, each.data)) for each in task.others]
        return run(
            files,
            task.settings,
            task.rules,
            others=others,
            problems=task.found.problems,
            cache=task.cache,
            jobs=task.options.jobs,
            analyses=self.analyses,
            groups=task.groups,
        )


def _keys(found: Mapping[int, Fix], findings: Sequence[Finding]) -> Iterator[Key]:
    return ((fix.offer.rewrite, findings[at].fingerprint) for at, fix in found.items())


def _cured(fix: Fix, found: Mapping[int, Fix], findings: Sequence[Finding]) -> tuple[Finding, ...]:
    """Return the findings that have the same fix."""
    return tuple(findings[at] for at, each in found.items() if each == fix)
