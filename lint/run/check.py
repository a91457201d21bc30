"""The last part of a run: from the operations of files to the findings."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from ..files.patterns import Patterns
from ..files.source import Unreadable
from ..files.statement import normalised
from ..files.texts import Texts
from ..finding import Finding, Kind, Severity, Span
from ..plugins.known import known_rules
from ..rule import Report, Rule
from ..settings.config import Settings
from ..settings.selection import ON_PURPOSE, selects
from ..suppression.suppress import Judgement, Suppression
from .file import Checked, Failure

if TYPE_CHECKING:
    from ..inference.notes.operations import Operation
    from ..measurements.waited import Waited


@dataclass(frozen=True, slots=True)
class _Said:
    """The report of one rule on one operation."""

    rule: Rule
    report: Report
    finding: Finding


class Check:
    """What the rules report on operations, selected and suppressed."""

    def __init__(
        self, settings: Settings, rules: Sequence[Rule], done: Sequence[Checked], failures: Mapping[str, Failure]
    ) -> None:
        self.settings = settings
        self.rules = rules
        every = known_rules() if rules else ()
        self.quiet = tuple(each for each in every if each.code == ON_PURPOSE and each not in rules)
        self.done = done
        self.failures = {**failures, **{each.filename: each.failure for each in done if each.failure}}
        self._broken: set[tuple[str, str]] = set()
        self._handlers: dict[tuple[type, str], tuple[Rule, ...]] = {}

    def findings(self, things: Sequence[Operation | Unreadable | Waited], texts: Texts) -> list[Finding]:
        """Return all findings that are neither suppressed nor below a threshold, and waits on purpose.

        Those have no severity where nobody has selected their rule: beside them, curing other waits gains little.
        """
        judgement = Judgement(
            {each.filename: each.suppressions for each in self.done}, self.rules, self.settings.plugins
        )
        every = list(self._say(things))
        said = [each for each in every if each.rule not in self.quiet]
        kept = [each for each in said if not judgement.silences(each.rule, each.finding.span)]
        judged = judgement.outcome(frozenset(self.failures))
        kept += [each for each in self._say(judged) if not judgement.silences(each.rule, each.finding.span)]
        on_purpose = (each for each in self._once(every) if each.rule in self.quiet)
        quiet = [replace(each, finding=replace(each.finding, severity=Severity.NONE)) for each in on_purpose]
        return [_complete(each, texts) for each in (*self._loud_enough(self._once(kept)), *quiet)]

    def _say(self, things: Iterable[Operation | Unreadable | Suppression | Waited]) -> Iterator[_Said]:
        """Yield what the rules report, of what ends the program nothing about how long it waits."""
        for thing in things:
            said = [*self._said_of(thing)]
            is_fatal = any(each.report.fatal for each in said)
            yield from (each for each in said if not is_fatal or each.report.fatal or each.rule.kind is not Kind.STALL)

    def _said_of(self, thing: Operation | Unreadable | Suppression | Waited) -> Iterator[_Said]:
        """Yield what the rules report of one thing; a rule that raises reports nothing, and its file has failed."""
        for rule in self._handling(thing):
            if (rule.code, thing.span.filename) in self._broken:
                continue
            try:
                report = _as_compiled(rule, thing, rule.check(thing))
                finding = None if report is None else rule.finding(report)
            except (Exception, SystemExit) as error:
                self._fail(thing.span.filename, f"rule {rule.code}", error, rule.plugin)
                if rule.plugin:
                    self._broken.add((rule.code, thing.span.filename))
                continue
            if report is not None and finding is not None:
                yield _Said(rule, report, finding)

    def _handling(self, thing: Operation | Unreadable | Suppression | Waited) -> tuple[Rule, ...]:
        key = (type(thing), getattr(thing, "name", ""))
        if key not in self._handlers:
            self._handlers[key] = tuple(rule for rule in (*self.rules, *self.quiet) if rule.wants(*key))
        return self._handlers[key]

    def _fail(self, filename: str, part: str, error: BaseException, plugin: str = "") -> None:
        self.failures.setdefault(filename, Failure.of(filename, part, error, plugin))

    def _once(self, said: Iterable[_Said]) -> Iterable[_Said]:
        """Return the most severe of what one rule reports about one place."""
        best: dict[tuple[str, Span], _Said] = {}
        for each in said:
            key = (each.rule.code, each.finding.span)
            if key not in best or each.finding.severity > best[key].finding.severity:
                best[key] = each
        return best.values()

    def _loud_enough(self, said: Iterable[_Said]) -> Iterator[_Said]:
        """Yield what the settings leave: severities, the minimum confidence, ignored files."""
        severities = {rule.code: self.settings.severity_for(rule) for rule in self.rules}
        ignores = [
            (Patterns(os.path.abspath(self.settings.root), [pattern]), selectors)
            for pattern, selectors in self.settings.per_file_ignores.items()
        ]
        for each in said:
            severity = severities[each.rule.code]
            if severity is not None and each.finding.severity:
                each = replace(each, finding=replace(each.finding, severity=severity))
            if not each.finding.severity or each.finding.confidence < self.settings.min_confidence:
                continue
            if not _ignored(each, ignores):
                yield each


def _ignored(said: _Said, ignores: Sequence[tuple[Patterns, tuple[str, ...]]]) -> bool:
    path = os.path.abspath(said.finding.span.filename)
    return any(
        any(selects(selector, said.rule) for selector in selectors) and patterns.cover(path)
        for patterns, selectors in ignores
    )


def _complete(said: _Said, texts: Texts) -> Finding:
    """Return the finding with its normalised statement; without one, with the text that it marks."""
    first, last = said.report.statement
    span = said.finding.span
    lines = texts.lines(span.filename)
    if first:
        text = normalised(lines[first - 1 : last], span.row - first, span.column)
    else:
        marked = lines[span.row - 1 : span.row] if span.row == span.end_row else ()
        text = "".join(marked)[span.column - 1 : span.end_column - 1]
    return replace(said.finding, statement=text)


def _as_compiled(rule: Rule, thing: object, report: Report | None) -> Report | None:
    """Return what a rule reports, in compiled code with what becomes of the wait; imported only where that matters."""
    if report is None or getattr(thing, "compiled", None) is None:
        return report
    from ..compiled import in_compiled

    return in_compiled(rule, thing, report)
