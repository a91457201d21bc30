"""From files to findings: linked operations go to the rules, and what the rules report is selected and suppressed."""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, TypeAlias

from ..files.modules import Modules
from ..files.patterns import Patterns
from ..files.source import Unreadable, content
from ..files.statement import normalised
from ..files.texts import Texts
from ..finding import Finding, Span
from ..plugins.known import identity
from ..rule import Report, Rule, all_rules, names_of_calls
from ..settings.config import Settings
from ..settings.configurations import Configurations
from ..settings.files import find_settings
from ..settings.selection import chosen_rules, selects
from ..suppression.suppress import Judgement, Suppression
from .cache import Cache, digest
from .context import context
from .discovery import discover
from .file import Checked, Failure, File, Project
from .groups import Group, Groups, grouped
from .linked import Linked
from .project import check_files

if TYPE_CHECKING:
    from ..inference.notes.operations import Operation
    from ..inference.notes.summary import FileSummary


Analyses: TypeAlias = "Callable[[Sequence[File], int | None], Iterable[Checked]]"
"""Returns the analysis of each file, in any order, using the given number of processes."""


@dataclass(frozen=True, slots=True)
class Result:
    """The findings of a run, ordered by file and position, and the linter's own failures."""

    findings: tuple[Finding, ...]
    failures: tuple[Failure, ...]
    files: int
    seconds: float
    texts: Texts


@dataclass(frozen=True, slots=True)
class _Said:
    """The report of one rule on one operation."""

    rule: Rule
    report: Report
    finding: Finding


def check_paths(
    paths: Sequence[str], settings: Settings | None = None, rules: Sequence[Rule] | None = None
) -> list[Finding]:
    """Return the findings in files and directories, each with its nearest configuration unless settings are given.

    Raises ConfigError for invalid settings. Files that cannot be checked are findings of SYNC902.
    """
    start = Path(paths[0]) if paths else Path()
    adapt = None if settings else lambda own: own
    configurations = Configurations(settings or find_settings(start if start.is_dir() else start.parent), adapt)
    found = discover(paths, configurations)
    files = [File(name, name in paths) for name in found.files]
    others = context(files, configurations)
    own = configurations.run
    chosen = chosen_rules([own.layer], own.plugins) if rules is None else rules
    groups = grouped(Group(own, chosen), [*files, *others], configurations, rules=rules)
    return list(run(files, own, chosen, others=others, problems=found.problems, jobs=1, groups=groups).findings)


def run(
    files: Sequence[File],
    settings: Settings,
    rules: Sequence[Rule],
    *,
    others: Sequence[File] = (),
    problems: Sequence[Unreadable] = (),
    cache: Path | None = None,
    jobs: int | None = None,
    step: Callable[[], object] = lambda: None,
    analyses: Analyses = check_files,
    groups: Groups | None = None,
) -> Result:
    """Check the files with the rules.

    `others` are further files of the project, which are known but not reported on; `problems` are what discovery
    met; `cache` is the directory of what earlier runs found out; `step` is called after each file;
    `analyses` is who reads and analyses the files; `groups` tell for which files other settings and rules hold.
    """
    started = time.perf_counter()
    texts = Texts({file.name: file.data for file in files if file.data is not None})
    groups = groups or Groups(Group(settings, rules))
    modules = _modules([*files, *others], groups)
    files, others = _placed(files, groups, cache, modules), _placed(others, groups, cache, modules)
    kept = Cache(Project(os.path.abspath(settings.top), cache=str(cache or "")))
    key = _key(files, others, groups, problems) if cache else ""
    failures: tuple[Failure, ...] = ()
    findings = kept.get_run(key)
    if findings is None or not speaks_of(findings, {file.name for file in (*files, *others)}, problems):
        done = _analysed([*files, *others], analyses, jobs, step)
        findings, failures = _checked(groups.parts(files), others, problems, done, texts)
        if not failures:
            kept.keep_run(key, findings)
    return Result(findings, failures, len(files), time.perf_counter() - started, texts)


def speaks_of(findings: Sequence[Finding], names: set[str], problems: Sequence[Unreadable]) -> bool:
    """Whether findings that were kept are about files of the run, and no others: their lines will be printed."""
    known = names | {problem.span.filename for problem in problems}
    reasons = (reason.span for each in findings for reason in (*each.reasons, *each.frequency.reasons))
    return all(span is None or span.filename in known for span in (*(each.span for each in findings), *reasons))


def summaries(
    files: Sequence[File], groups: Groups, cache: Path | None = None, beside: Sequence[File] = ()
) -> list[FileSummary]:
    """Return what the files of a project tell each other, and those `beside` them, which are not read."""
    done = check_files(_placed(files, groups, cache, _modules([*files, *beside], groups)))
    return [checked.summary for checked in done if checked.summary is not None]


def _modules(files: Sequence[File], groups: Groups) -> Modules:
    return Modules(os.path.abspath(groups.own.settings.top), [file.name for file in files])


def _placed(files: Sequence[File], groups: Groups, cache: Path | None, modules: Modules) -> list[File]:
    calls = frozenset[str]().union(*(_calls_from_outside(each.rules) for each in groups))
    projects = {
        id(each): Project(modules.root, each.settings.gpu_names, str(cache or ""), modules, calls, each.settings.facts)
        for each in groups
    }
    return [replace(file, project=projects[id(groups.of(file.name))]) for file in files]


def _calls_from_outside(rules: Sequence[Rule]) -> frozenset[str]:
    """Return the calls that rules from outside the package want to see; those of the package are always recorded."""
    if not rules:  # importing ours is half of what a run costs that needs none
        return frozenset()
    ours = {id(each) for each in all_rules()}
    return names_of_calls(rule for rule in rules if id(rule) not in ours)


def _analysed(
    files: Sequence[File], analyses: Analyses, jobs: int | None, step: Callable[[], object]
) -> dict[str, Checked]:
    done = {}
    for checked in analyses(files, jobs):
        done[checked.filename] = checked
        step()
    return done


def _key(files: Sequence[File], others: Sequence[File], groups: Groups, problems: Sequence[Unreadable]) -> str:
    """Return the name of everything that a result depends on."""
    numbers = {id(each): str(number) for number, each in enumerate(groups)}
    parts: list[bytes | str] = [repr(problems), str(len(files)), str(len(numbers))]
    for group in groups:
        parts += [repr(group.settings), str(len(group.rules)), *(rule.code for rule in group.rules)]
        parts += [*sorted(_calls_from_outside(group.rules)), identity(group.settings.plugins)]
    for file in (*files, *others):
        data = content(file.name, file.name) if file.data is None else file.data
        number = numbers[id(groups.of(file.name))]
        parts += [file.name, str(file.named), number, data.message if isinstance(data, Unreadable) else data]
    return digest(parts)


def _checked(
    parts: Sequence[tuple[Group, Sequence[File]]],
    others: Sequence[File],
    problems: Sequence[Unreadable],
    done: Mapping[str, Checked],
    texts: Texts,
) -> tuple[tuple[Finding, ...], tuple[Failure, ...]]:
    """Return the findings in the files, and what went wrong in the linter itself."""
    findings: list[Finding] = []
    failures: dict[str, Failure] = {}
    files = [file for _, part in parts for file in part]
    linked = Linked([done[file.name] for file in files], [done[file.name] for file in others])
    for group, part in parts:
        reported = [done[file.name] for file in part]
        unreadable = (each.unreadable for each in reported if each.unreadable)
        operations = linked.operations(group.settings, [file.name for file in part])
        check = _Check(group.settings, group.rules, reported, linked.failures)
        findings += check.findings([*problems, *unreadable, *operations], texts)
        failures |= check.failures
        problems = ()
    return tuple(sorted(findings, key=lambda finding: finding.sort_key)), tuple(failures.values())


class _Check:
    """The last part of a run: from the operations of files to the findings."""

    def __init__(
        self, settings: Settings, rules: Sequence[Rule], done: Sequence[Checked], failures: Mapping[str, Failure]
    ) -> None:
        self.settings = settings
        self.rules = rules
        self.done = done
        self.failures = {**failures, **{each.filename: each.failure for each in done if each.failure}}
        self._broken: set[tuple[str, str]] = set()
        self._handlers: dict[tuple[type, str], tuple[Rule, ...]] = {}

    def findings(self, things: Sequence[Operation | Unreadable], texts: Texts) -> list[Finding]:
        """Return all findings that are neither suppressed nor below a threshold."""
        judgement = Judgement(
            {each.filename: each.suppressions for each in self.done}, self.rules, self.settings.plugins
        )
        said = list(self._say(things))
        kept = [each for each in said if not judgement.silences(each.rule, each.finding.span)]
        judged = judgement.outcome(frozenset(self.failures))
        kept += [each for each in self._say(judged) if not judgement.silences(each.rule, each.finding.span)]
        return [_complete(each, texts) for each in self._loud_enough(self._once(kept))]

    def _say(self, things: Iterable[Operation | Unreadable | Suppression]) -> Iterator[_Said]:
        """Yield what the rules report; a rule that raises reports nothing, and its file is reported as failed."""
        for thing in things:
            for rule in self._handling(thing):
                if (rule.code, thing.span.filename) in self._broken:
                    continue
                try:
                    report = rule.check(thing)
                    finding = None if report is None else rule.finding(report)
                except (Exception, SystemExit) as error:
                    self._fail(thing.span.filename, f"rule {rule.code}", error, rule.plugin)
                    if rule.plugin:
                        self._broken.add((rule.code, thing.span.filename))
                    continue
                if report is not None and finding is not None:
                    yield _Said(rule, report, finding)

    def _handling(self, thing: Operation | Unreadable | Suppression) -> tuple[Rule, ...]:
        key = (type(thing), getattr(thing, "name", ""))
        if key not in self._handlers:
            self._handlers[key] = tuple(rule for rule in self.rules if rule.wants(*key))
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
