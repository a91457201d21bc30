"""Fixes made in memory, pass after pass, and kept only where the analysis then finds less, and nothing new."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Final, NamedTuple, TypeAlias

from ..files.regular import read
from ..files.source import Source, parse
from ..finding import Finding, Fix
from ..run.discovery import SUFFIXES
from ..run.engine import Result, run
from ..suppression.ignore_comments import LeftAlone
from ..task import Task
from .analyses import Analyses
from .contents import changed
from .edits import without_overlaps
from .fixes import Key, fixes_of

MOST_PASSES: Final = 100
"""The most passes: a fix can make others possible, but only a rule that never ends needs more."""

Wants: TypeAlias = Callable[[Finding], bool]
"""Whether a finding is to be fixed."""


class Made(NamedTuple):
    """A fix in a file, and the findings that it cures."""

    filename: str
    fix: Fix
    findings: tuple[Finding, ...]

    @property
    def keys(self) -> frozenset[Key]:
        """The identity of the fix, which is the same in the next pass."""
        return frozenset((self.fix.offer.rewrite, each.fingerprint) for each in self.findings)


@dataclass
class Passes:
    """The state between passes: the last result, the changed contents, the fixes kept, and those that did no good."""

    task: Task
    result: Result
    wants: Wants
    analyses: Analyses
    contents: dict[str, bytes] = field(default_factory=dict)
    original: dict[str, bytes] = field(default_factory=dict)
    made: list[Made] = field(default_factory=list)
    refused: set[Key] = field(default_factory=set)
    suspects: set[Key] = field(default_factory=set)
    complaints: dict[str, str] = field(default_factory=dict)
    found: dict[str, tuple[tuple[bytes | None, list[object]], Mapping[int, Fix]]] = field(default_factory=dict)

    def run(self) -> None:
        """Make all fixes that can be made, until none is left."""
        for _ in range(MOST_PASSES):
            chosen = list(self._chosen())
            if not chosen:
                return
            while chosen:
                contents, chosen = self._applied(chosen)
                blamed = self._blamed(chosen, contents) if chosen else []
                if chosen and not blamed:
                    break
                chosen = [each for each in chosen if each not in blamed]

    def forget(self, filename: str) -> None:
        """Take back all fixes of a file, which could not be written."""
        self.contents.pop(filename)
        self.made = [each for each in self.made if each.filename != filename]
        self.result = self._analysed(self.contents)

    def _chosen(self) -> Iterator[Made]:
        """Yield what to try next: of each file the fixes that do not overlap, or one of those that did no good."""
        by_file: defaultdict[str, list[Finding]] = defaultdict(list)
        for each in self.result.findings:
            if self.wants(each):
                by_file[each.span.filename].append(each)
        for filename, findings in by_file.items():
            found = self._found(filename, findings)
            fixes = [Made(filename, fix, _cured(fix, found, findings)) for fix in without_overlaps(found.values())]
            yield from [each for each in fixes if self.suspects.isdisjoint(each.keys)] or fixes[:1]

    def _found(self, filename: str, findings: Sequence[Finding]) -> Mapping[int, Fix]:
        """Return the fixes of a file's findings; for the same text and findings as before, those made then."""
        names: list[object] = [(each.span, each.offers, each.fingerprint) for each in findings]
        asked = self.contents.get(filename), names
        known = self.found.get(filename)
        if known is None or known[0] != asked or not self.refused.isdisjoint(_keys(known[1], findings)):
            source = self._source(filename)
            is_unsafe = self.task.options.unsafe_fixes
            found = fixes_of(findings, source, unsafe_first=is_unsafe, but=self.refused) if source else {}
            known = asked, {at: fix for at, fix in found.items() if fix.offer.is_safe or is_unsafe}
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

    def _applied(self, chosen: Sequence[Made]) -> tuple[dict[str, bytes], list[Made]]:
        """Return the contents after some fixes, and those that could be made."""
        contents, kept = dict(self.contents), list[Made]()
        for filename in dict.fromkeys(each.filename for each in chosen):
            own = [each for each in chosen if each.filename == filename]
            data = self.contents.get(filename, self.original[filename])
            source = parse(data, filename, wanted=True)
            try:
                if not isinstance(source, Source):
                    raise LeftAlone("it is not Python")
                contents[filename] = changed(data, source, [edit for each in own for edit in each.fix.edits])
                kept += own
            except LeftAlone as error:
                self._suspect(own, str(error))
        return contents, kept

    def _blamed(self, chosen: Sequence[Made], contents: dict[str, bytes]) -> list[Made]:
        """Return the fixes that have not done what they offered; if there are none, keep them all."""
        after = self._analysed(contents)
        blamed = _guilty(chosen, self.result.findings, after.findings)
        if after.failures and not self.result.failures:
            blamed = list(chosen)
        if not blamed:
            self.result, self.contents = after, contents
            self.made += chosen
            return []
        for filename in {each.filename for each in blamed}:
            self._suspect([each for each in blamed if each.filename == filename], "")
        return blamed

    def _suspect(self, fixes: Sequence[Made], why: str) -> None:
        """Have fixes of one file tried one by one, and not again if there was only one."""
        keys = frozenset[Key]().union(*(each.keys for each in fixes))
        if len(fixes) == 1 or keys <= self.suspects:
            self.refused |= keys
            if why:
                self.complaints[fixes[0].filename] = why
        self.suspects |= keys

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
            jobs=task.options.jobs,
            analyses=self.analyses,
            groups=task.groups,
        )


def _keys(found: Mapping[int, Fix], findings: Sequence[Finding]) -> Iterator[Key]:
    return ((fix.offer.rewrite, findings[at].fingerprint) for at, fix in found.items())


def _cured(fix: Fix, found: Mapping[int, Fix], findings: Sequence[Finding]) -> tuple[Finding, ...]:
    """Return the findings that have the same fix."""
    return tuple(findings[at] for at, each in found.items() if each == fix)


_Where: TypeAlias = tuple[str, str]


def _guilty(chosen: Sequence[Made], before: Iterable[Finding], after: Iterable[Finding]) -> list[Made]:
    """Return the fixes where something is reported that they should have cured, or that was not there before."""
    expected = Counter((*_where(each), each.code) for each in before)
    for made in chosen:
        expected.subtract((*_where(each), each.code) for each in made.findings)
        expected.update((*_where(made.findings[0]), code) for code in made.fix.offer.brings)
    excess = Counter((*_where(each), each.code) for each in after) - expected
    places = {(filename, scope) for filename, scope, _ in excess}
    guilty = [each for each in chosen if any(_where(one) in places for one in each.findings)]
    if excess and not guilty:
        files = {filename for filename, _ in places}
        guilty = [each for each in chosen if each.filename in files] or list(chosen)
    return guilty


def _where(finding: Finding) -> _Where:
    return finding.span.filename, finding.scope
