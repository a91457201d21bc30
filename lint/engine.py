"""From files to findings: operations, linked, go to the rules; what the rules say is selected and silenced."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, TypeAlias

from .cache import Cache, digest
from .config import Settings, find_settings
from .context import context
from .discovery import Patterns, discover
from .file import Checked, Failure, File, Project
from .finding import Finding, Span
from .project import check_files
from .rule import Report, Rule
from .selection import chosen_rules, selects
from .source import Unreadable, content, text_of
from .statement import normalised
from .suppress import Judgement, Suppression

if TYPE_CHECKING:
    from .inference.operations import Operation
    from .inference.summary import FileSummary


Analyses: TypeAlias = "Callable[[Sequence[File], int | None], Iterable[Checked]]"
"""Who tells what became of each file, in any order, with the number of processes to use."""


class Texts:
    """The lines of the run's files, read again only where a finding needs them."""

    def __init__(self, given: Mapping[str, bytes]) -> None:
        self._given = given
        self._lines: dict[str, tuple[str, ...]] = {}

    def lines(self, filename: str) -> tuple[str, ...]:
        """The file's lines without line ends; none where it cannot be read."""
        if filename not in self._lines:
            self._lines[filename] = self._read(filename)
        return self._lines[filename]

    def _read(self, filename: str) -> tuple[str, ...]:
        try:
            data = self._given[filename] if filename in self._given else Path(filename).read_bytes()
        except (OSError, ValueError):
            return ()
        text = text_of(data, filename)
        return () if isinstance(text, Unreadable) else tuple(text.split("\n"))


@dataclass(frozen=True, slots=True)
class Result:
    """What a run found, in order of files and positions, and what went wrong in the linter itself."""

    findings: tuple[Finding, ...]
    failures: tuple[Failure, ...]
    files: int
    seconds: float
    texts: Texts


@dataclass(frozen=True, slots=True)
class _Said:
    """What one rule said about one operation."""

    rule: Rule
    report: Report
    finding: Finding


def check_paths(
    paths: Sequence[str], settings: Settings | None = None, rules: Sequence[Rule] | None = None
) -> list[Finding]:
    """The findings in files and directories, with the settings found beside the first path unless given.

    Raises ConfigError for wrong settings. Files that cannot be checked are findings of SYNC902.
    """
    start = Path(paths[0]) if paths else Path()
    settings = settings or find_settings(start if start.is_dir() else start.parent)
    found = discover(paths, settings.root, settings.exclude)
    files = [File(name, name in paths) for name in found.files]
    chosen = chosen_rules([settings.layer]) if rules is None else rules
    others = context(files, settings)
    return list(run(files, settings, chosen, others=others, problems=found.problems, jobs=1).findings)


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
) -> Result:
    """Check the files with the rules.

    `others` are further files of the project, which are known but not reported on; `problems` are what discovery
    met; `cache` is the directory of what earlier runs found out; `step` is called after each file;
    `analyses` is who reads and analyses the files.
    """
    started = time.perf_counter()
    texts = Texts({file.name: file.data for file in files if file.data is not None})
    files, others = _placed(files, settings, cache), _placed(others, settings, cache)
    kept = Cache(_project(settings, cache))
    key = _key(files, others, settings, rules, problems) if cache else ""
    failures: tuple[Failure, ...] = ()
    findings = kept.get_run(key)
    if findings is None or not _speaks_of(findings, {file.name for file in (*files, *others)}, problems):
        done = _analysed([*files, *others], analyses, jobs, step)
        findings, failures = _checked(files, others, settings, rules, problems, done, texts)
        if not failures:
            kept.keep_run(key, findings)
    return Result(findings, failures, len(files), time.perf_counter() - started, texts)


def _speaks_of(findings: Sequence[Finding], names: set[str], problems: Sequence[Unreadable]) -> bool:
    """Whether findings that were kept are about files of the run, and no others: their lines will be printed."""
    known = names | {problem.span.filename for problem in problems}
    reasons = (reason.span for each in findings for reason in (*each.reasons, *each.frequency.reasons))
    return all(span is None or span.filename in known for span in (*(each.span for each in findings), *reasons))


def summaries(files: Sequence[File], settings: Settings, cache: Path | None = None) -> list[FileSummary]:
    """What files of a project tell the others."""
    done = check_files(_placed(files, settings, cache))
    return [checked.summary for checked in done if checked.summary is not None]


def _project(settings: Settings, cache: Path | None) -> Project:
    return Project(str(settings.root.absolute()), settings.gpu_names, str(cache or ""))


def _placed(files: Sequence[File], settings: Settings, cache: Path | None) -> list[File]:
    project = _project(settings, cache)
    return [replace(file, project=project) for file in files]


def _analysed(
    files: Sequence[File], analyses: Analyses, jobs: int | None, step: Callable[[], object]
) -> dict[str, Checked]:
    done = {}
    for checked in analyses(files, jobs):
        done[checked.filename] = checked
        step()
    return done


def _key(
    files: Sequence[File],
    others: Sequence[File],
    settings: Settings,
    rules: Sequence[Rule],
    problems: Sequence[Unreadable],
) -> str:
    """The name of all that a result depends on."""
    parts: list[bytes | str] = [repr(settings), *(rule.code for rule in rules), repr(problems), str(len(files))]
    for file in (*files, *others):
        data = content(file.name, file.name) if file.data is None else file.data
        parts += [file.name, str(file.named), data.message if isinstance(data, Unreadable) else data]
    return digest(parts)


def _checked(
    files: Sequence[File],
    others: Sequence[File],
    settings: Settings,
    rules: Sequence[Rule],
    problems: Sequence[Unreadable],
    done: Mapping[str, Checked],
    texts: Texts,
) -> tuple[tuple[Finding, ...], tuple[Failure, ...]]:
    """The findings in the files, and what went wrong in the linter itself."""
    reported = [done[file.name] for file in files]
    known = [summary for file in others if (summary := done[file.name].summary) is not None]
    check = _Check(settings, rules, reported, known)
    findings = check.findings([*problems, *(each.unreadable for each in reported if each.unreadable)], texts)
    return findings, tuple(check.failures.values())


class _Check:
    """The second half of a run: from the summaries of all files to the findings."""

    def __init__(
        self, settings: Settings, rules: Sequence[Rule], done: Sequence[Checked], others: Sequence[FileSummary]
    ) -> None:
        self.settings = settings
        self.rules = rules
        self.done = done
        self.others = others
        self.failures = {each.filename: each.failure for each in done if each.failure}
        self._handlers: dict[type, tuple[Rule, ...]] = {}

    def findings(self, problems: Sequence[Unreadable], texts: Texts) -> tuple[Finding, ...]:
        """All findings that are neither silenced nor below a threshold."""
        judgement = Judgement({each.filename: each.suppressions for each in self.done}, self.rules)
        summaries = [each.summary for each in self.done if each.summary]
        said = list(self._say([*problems, *self._operations(summaries, self.others)]))
        kept = [each for each in said if not judgement.silences(each.rule, each.finding.span)]
        judged = judgement.outcome(frozenset(self.failures))
        kept += [each for each in self._say(judged) if not judgement.silences(each.rule, each.finding.span)]
        shown = self._loud_enough(self._once(kept))
        return tuple(sorted((_complete(each, texts) for each in shown), key=lambda finding: finding.sort_key))

    def _operations(self, summaries: Sequence[FileSummary], others: Sequence[FileSummary] = ()) -> list[Operation]:
        """The linked operations of all files. Where linking all fails, each file is linked alone."""
        if not summaries:
            return []
        from .inference.link import link

        every = sorted((*summaries, *others), key=lambda each: each.filename)
        try:
            return list(link(every, self.settings, frozenset(each.filename for each in summaries)))
        except Exception as error:
            if len(every) == 1:
                self._fail(summaries[0].filename, "linking", error)
                return []
            return self._linked_alone(summaries, error)

    def _linked_alone(self, summaries: Sequence[FileSummary], error: Exception) -> list[Operation]:
        """The operations of each file by itself; where none of them is to blame, all are."""
        failed = len(self.failures)
        found = [operation for summary in summaries for operation in self._operations([summary])]
        if len(self.failures) == failed:
            self._fail(summaries[0].filename, "linking it with the other files", error)
        return found

    def _say(self, things: Iterable[Operation | Unreadable | Suppression]) -> Iterator[_Said]:
        """What the rules say; a rule that raises is silent, and its file is reported as failed."""
        for thing in things:
            for rule in self._handling(type(thing)):
                try:
                    report = rule.check(thing)
                except Exception as error:
                    self._fail(thing.span.filename, f"rule {rule.code}", error)
                    continue
                if report is not None:
                    yield _Said(rule, report, rule.finding(report))

    def _handling(self, kind: type) -> tuple[Rule, ...]:
        if kind not in self._handlers:
            self._handlers[kind] = tuple(rule for rule in self.rules if issubclass(kind, rule.handles))
        return self._handlers[kind]

    def _fail(self, filename: str, part: str, error: Exception) -> None:
        self.failures.setdefault(filename, Failure.of(filename, part, error))

    def _once(self, said: Iterable[_Said]) -> Iterable[_Said]:
        """The loudest of what one rule says about one place."""
        best: dict[tuple[str, Span], _Said] = {}
        for each in said:
            key = (each.rule.code, each.finding.span)
            if key not in best or each.finding.severity > best[key].finding.severity:
                best[key] = each
        return best.values()

    def _loud_enough(self, said: Iterable[_Said]) -> Iterator[_Said]:
        """What is left by the settings: severities, the least confidence, ignored files."""
        severities = {rule.code: self.settings.severity_for(rule) for rule in self.rules}
        ignores = [
            (Patterns(str(self.settings.root.absolute()), [pattern]), selectors)
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
    path = str(Path(said.finding.span.filename).absolute())
    return any(
        any(selects(selector, said.rule) for selector in selectors) and patterns.verdict(path)
        for patterns, selectors in ignores
    )


def _complete(said: _Said, texts: Texts) -> Finding:
    """The finding with its statement, normalised; where it has none, with the text it marks."""
    first, last = said.report.statement
    span = said.finding.span
    lines = texts.lines(span.filename)
    if first:
        text = normalised(lines[first - 1 : last], span.row - first, span.column)
    else:
        marked = lines[span.row - 1 : span.row] if span.row == span.end_row else ()
        text = "".join(marked)[span.column - 1 : span.end_column - 1]
    return replace(said.finding, statement=text)
