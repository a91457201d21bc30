"""What becomes of findings by evidence: what waited is certain and comes first, what ran without a wait is a note.

Evidence may be part of the repository that is checked, and lie. So it raises and ranks; what it says of lines that ran
without a wait is told, but lowers no severity unless it is trusted.
"""

from __future__ import annotations

import os
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from ..files.paths import real, relative
from ..files.source import Source
from ..files.texts import Texts
from ..finding import Confidence, Finding, Frequency, Kind, Level, Severity, squeezed
from ..limits import ENOUGH_PASSES
from ..measured import Measured
from ..measurements.entries import UNREPORTED, Entry, Evidence, Key, keys
from ..measurements.statements import Statement, statements
from ..measurements.waited import Waited
from ..run.check import Check
from ..run.engine import Result
from ..run.file import Checked
from ..run.groups import Groups
from ..severity import severity_of
from ..suppression.suppress import suppressions


@dataclass(slots=True)
class Counts:
    """How many findings waited, ran without a wait, or are not in evidence; what it has besides, what is old."""

    measured: int = 0
    refuted: int = 0
    unreached: int = 0
    unreported: int = 0
    stale: int = 0


def joined(
    result: Result, evidence: Evidence, names: Sequence[str], groups: Groups, trusted: bool
) -> tuple[Result, Counts]:
    """Return the result for the files `names` with what evidence says of it."""
    top = os.path.abspath(groups.own.settings.top)
    file_of = _files({each.key.path for each in evidence.entries}, names, top)
    known, counts, told = _known(evidence), Counts(), list[Finding]()
    unmatched = dict(known)
    for finding, key in zip(result.findings, keys(result.findings, {name: path for path, name in file_of.items()})):
        entry, seen = known.get(_squeezed(key), (None, None)) if key else (None, None)
        if entry is not None and seen is not None:
            unmatched.pop(_squeezed(entry.key), None)
            finding = _by(finding, seen, _set(finding, groups), trusted)
        _count(counts, finding)
        told.append(finding)
    new = list(_unreported(list(unmatched.values()), file_of, result.texts, groups, counts))
    counts.unreported = len(new)
    counts.stale += sum(not os.path.exists(os.path.join(top, key.path)) for key in known if key.path not in file_of)
    return replace(result, findings=tuple(sorted([*told, *new], key=lambda each: each.sort_key))), counts


def _count(counts: Counts, finding: Finding) -> None:
    if finding.measured is not None:
        counts.measured += bool(finding.measured.count)
        counts.refuted += not finding.measured.count
    elif finding.kind in (Kind.STALL, Kind.SETUP):
        counts.unreached += 1


def _files(paths: Iterable[str], names: Sequence[str], top: str) -> dict[str, str]:
    """Return the file of each path: the one there in the project, else the only one whose path ends like that."""
    at = {relative(name, top): name for name in names}
    ends: dict[str, list[str]] = defaultdict(list)
    for name in names:
        ends[os.path.basename(name)].append(name)
    found: dict[str, str] = {}
    for path in sorted(paths):
        likely = [each for each in ends[os.path.basename(path)] if real(each).replace("\\", "/").endswith(f"/{path}")]
        if path in at or len(likely) == 1:
            found[path] = at.get(path) or likely[0]
    return found


def _known(evidence: Evidence) -> dict[Key, tuple[Entry, Measured]]:
    """Return what is known of each line: by the run in which it cost most or, if it never waited, ran most often."""
    found: dict[Key, tuple[Entry, Measured]] = {}
    for entry in evidence.entries:
        seen = entry.seen(evidence.runs[entry.run])
        if not entry.count and entry.reached < ENOUGH_PASSES:
            continue
        key = _squeezed(entry.key)
        if key not in found or (seen.cost, -seen.reached) < (found[key][1].cost, -found[key][1].reached):
            found[key] = entry, seen
    return found


def _squeezed(key: Key) -> Key:
    return key._replace(statement=squeezed(key.statement))


def _set(finding: Finding, groups: Groups) -> Severity | None:
    """Return the severity that the configuration sets for a finding's rule."""
    group = groups.of(finding.span.filename)
    rule = next((each for each in group.rules if each.code == finding.code), None)
    return None if rule is None else group.settings.severity_for(rule)


def _by(finding: Finding, seen: Measured, severity: Severity | None, trusted: bool) -> Finding:
    """Return a finding with what a run has seen of it; `severity` is the one that is set for its rule."""
    message = f"{finding.message}; {seen.words}"
    if not seen.count:
        lowered = finding.severity if severity is not None or not trusted else min(finding.severity, Severity.NOTE)
        return replace(finding, message=message, measured=seen, severity=lowered)
    often = _seen_often(finding.frequency) if seen.every_step else finding.frequency
    raised = max(finding.severity, severity_of(finding.kind, often, Confidence.CERTAIN))
    return replace(
        finding,
        message=message,
        measured=seen,
        severity=raised if severity is None else severity,
        frequency=often,
        confidence=Confidence.CERTAIN,
    )


def _seen_often(frequency: Frequency) -> Frequency:
    """Return the frequency of what waited in every step: nothing of it is assumed, and it hangs on nothing."""
    level = max(frequency.level, Level.EVERY_STEP)
    return replace(frequency, level=level, assumed=False, cause="", conditions=(), off=(), per="", others=())


def _unreported(
    left: Sequence[tuple[Entry, Measured]],
    file_of: Mapping[str, str],
    texts: Texts,
    groups: Groups,
    counts: Counts,
) -> Iterator[Finding]:
    """Yield findings for lines that waited and that no rule reports, and count the lines that are gone."""
    by_file: dict[str, list[tuple[Entry, Measured]]] = defaultdict(list)
    for entry, seen in left:
        if entry.key.path in file_of:
            by_file[file_of[entry.key.path]].append((entry, seen))
    for name, entries in sorted(by_file.items()):
        source = texts.source(name)
        functions = {entry.key.function for entry, _ in entries}
        there = {_place(each): each for each in (statements(source, functions) if source else ())}
        texts_there = {place[:2] for place in there}
        waited = []
        for entry, seen in entries:
            place = (entry.key.function, squeezed(entry.key.statement), entry.key.nth)
            counts.stale += place[:2] not in texts_there
            if entry.key.rule == UNREPORTED and entry.count and place in there:
                waited.append(Waited(there[place].span, entry, seen))
        if source is not None and waited:
            yield from _reported(waited, source, groups, texts)


def _place(statement: Statement) -> tuple[str, str, int]:
    return statement.function, squeezed(statement.text), statement.nth


def _reported(waited: Sequence[Waited], source: Source, groups: Groups, texts: Texts) -> Iterator[Finding]:
    """Yield the findings about lines of a file that waited, if the configuration and comments allow them."""
    group = groups.of(source.filename)
    rules = [rule for rule in group.rules if rule.wants(Waited, "")]
    done = Checked(source.filename, suppressions=suppressions(source))
    seen_at = {(each.span.row, each.span.column): each.seen for each in waited}
    for finding in Check(group.settings, rules, [done], {}).findings(waited, texts):
        seen = seen_at[finding.span.row, finding.span.column]
        yield replace(finding, message=f"{finding.message}; {seen.words}", measured=seen)
