"""Checks the open documents as the command line would if they were saved now."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from ..adoption import baseline
from ..adoption.baseline import BaselineError, Entry
from ..fields import FieldError
from ..files.modules import Modules
from ..files.paths import find_baseline, real
from ..files.source import Source, Unreadable, parse
from ..finding import Finding, Span
from ..inference.explain import Known, Others, known_at
from ..inference.values.union import Function
from ..joined.joining import joined
from ..measurements.reading import evidence
from ..run.cache import cache_of
from ..run.context import context
from ..run.discovery import is_excluded
from ..run.engine import run
from ..run.file import Checked, File, Project
from ..run.groups import Group, Groups, grouped
from ..run.result import Result
from ..settings.config import Settings, evidence_files
from ..settings.configurations import Configurations
from ..settings.files import ConfigError, find_settings
from ..settings.selection import UnknownRuleError, chosen_rules
from ..store.user_cache import CacheError
from .documents import Document
from .memory import Memory
from .moves import Moves


@dataclass(frozen=True, slots=True)
class Answer:
    """The findings in one document; `lines` returns those of any file that they mention."""

    document: Document
    findings: tuple[Finding, ...] = ()
    lines: Callable[[str], Sequence[str]] = lambda _: ()


@dataclass(slots=True)
class Answers:
    """The answer about some documents; `complaints` are messages for the user, one line each.

    A document of a project with an invalid configuration has no answer.
    """

    found: list[Answer] = field(default_factory=list)
    complaints: list[str] = field(default_factory=list)


@dataclass(slots=True)
class _Project:
    """A project between two checks; `others` are its files that are not open, `excluded` open ones to skip."""

    configurations: Configurations
    groups: Groups
    memory: Memory
    others: list[File]
    excluded: set[str]
    names: frozenset[str]
    modules: Modules
    summaries: list[Checked] = field(default_factory=list)


class Checker:
    """Checks documents repeatedly, and keeps what makes the next check fast."""

    def __init__(self, cache: Path | None = None) -> None:
        self._cache = cache
        self._projects: dict[Path, _Project] = {}
        self._good: dict[str, Document] = {}

    def check(self, documents: Sequence[Document], look_again: bool = False) -> Answers:
        """Return the findings in the documents, in the light of each other and of the rest of their projects.

        `look_again` says that files may have come and gone, or that other documents are open than before.
        """
        answers = Answers()
        groups = _by_project(documents, answers)
        for settings, group in groups.values():
            self._check_project(settings, group, look_again, answers)
        self._projects = {top: project for top, project in self._projects.items() if top in groups}
        uris = {document.uri for document in documents}
        self._good = {uri: document for uri, document in self._good.items() if uri in uris}
        return answers

    def known(self, document: Document, row: int, column: int) -> Known | None:
        """Return what inference knows about the smallest expression at a position; None if there is none.

        For a call, its result matters, not that a function is called. While the document is broken, the answer is about
        the last text that was not; None if the document was never checked.
        """
        good = self._good.get(document.uri)
        project = next((each for each in self._projects.values() if real(document.name) in each.names), None)
        if good is None or project is None or (at := Moves(document.lines, good.lines).row(row)) is None:
            return None
        source = parse(good.data, good.name)
        if not isinstance(source, Source):
            return None
        name = good.name
        others = Others.of(each for each in project.summaries if each.filename != name)
        settings = project.groups.of(name).settings
        found = [each for each in known_at(source, at, settings, others) if _is_of_interest(each, at, column)]
        forwards = Moves(good.lines, document.lines)
        return next(
            (each._replace(span=forwards.span(each.span) or each.span) for each in sorted(found, key=_size)), None
        )

    def _project(self, settings: Settings, documents: Sequence[Document], look_again: bool) -> _Project:
        """Return what is remembered about the project, found out again if it may have changed. Raises ConfigError."""
        old = self._projects.get(settings.top)
        if old is not None and old.configurations.run == settings and not look_again:
            return old
        configurations = Configurations(settings, lambda own: own)
        excluded = {each.name for each in documents if is_excluded(each.name, configurations)}
        opened = [File(each.name) for each in documents if each.name not in excluded]
        others = context(opened, configurations)
        names = frozenset(real(file.name) for file in (*opened, *others))
        own = Group(settings, chosen_rules([settings.layer], settings.plugins))
        groups = grouped(own, [*(File(each.name) for each in documents), *others], configurations)
        memory = old.memory if old is not None and old.names == names else Memory(_cache(settings, self._cache))
        modules = Modules(os.path.abspath(settings.top), [each.name for each in (*opened, *others)])
        self._projects[settings.top] = _Project(configurations, groups, memory, others, excluded, names, modules)
        return self._projects[settings.top]

    def _check_project(
        self, settings: Settings, documents: Sequence[Document], look_again: bool, answers: Answers
    ) -> None:
        try:
            project = self._project(settings, documents, look_again)
            answers.found += self._answers(project, documents, answers.complaints)
        except ConfigError as error:
            answers.complaints.append(str(error))
        except (UnknownRuleError, BaselineError) as error:
            answers.complaints.append(f"{settings.root}: {error}")
        except Exception as error:  # of one project; the documents of others are checked all the same
            answers.complaints.append(f"{settings.root}: internal error: {type(error).__name__}: {error}")

    def _answers(self, project: _Project, documents: Sequence[Document], complaints: list[str]) -> list[Answer]:
        left_out = [Answer(each) for each in documents if each.name in project.excluded]
        documents = [each for each in documents if each.name not in project.excluded]
        own = project.groups.own
        parsed = {each.name: self._parsed(each, project) for each in documents}
        project.summaries = []

        def analyses(files: Sequence[File], jobs: int | None) -> Iterator[Checked]:
            for checked in project.memory.check(files, jobs):
                project.summaries.append(checked)
                yield checked

        result = run(
            [File(good.name, data=good.data) for good, _ in parsed.values()],
            own.settings,
            own.rules,
            others=project.others,
            problems=[problem for _, problem in parsed.values() if problem],
            analyses=analyses,
            groups=project.groups,
            connect=project.memory.connections,
            remembered=project.memory.remembered,
        )
        project.memory.forget_unused()
        complaints += [f"{each.filename}: internal error in {each.part}: {each.error}" for each in result.failures]
        result = _by_evidence(result, project.groups, sorted(project.names), complaints)
        new = _without_known(result, own.settings, {each.name for each in documents})
        by_name = {each.name: [found for found in new if found.span.filename == each.name] for each in documents}
        answers = (_answer(each, *parsed[each.name], by_name[each.name], result) for each in documents)
        return [*left_out, *answers]

    def _parsed(self, document: Document, project: _Project) -> tuple[Document, Unreadable | None]:
        """Return the document as it was when it could last be parsed, and what is wrong with it now."""
        settings = project.groups.of(document.name).settings
        shared = Project(
            project.modules.root,
            settings.gpu_names,
            modules=project.modules,
            facts=settings.facts,
            default_device=settings.default_device,
        )
        (checked,) = project.memory.check([File(document.name, data=document.data, project=shared)])
        if checked.unreadable is None or checked.summary is not None:
            self._good[document.uri] = document
        elif (good := self._good.get(document.uri)) is not None:
            return good, checked.unreadable
        return document, None


def _by_project(documents: Sequence[Document], answers: Answers) -> dict[Path, tuple[Settings, list[Document]]]:
    """Return the documents by project, with its topmost settings; without those whose configuration is invalid."""
    groups: dict[Path, tuple[Settings, list[Document]]] = {}
    for document in documents:
        settings = _settings_above(document, answers.complaints)
        if settings is not None:
            groups.setdefault(settings.top, (settings, []))[1].append(document)
    return groups


def _settings_above(document: Document, complaints: list[str]) -> Settings | None:
    """Return the topmost settings of the document's project."""
    try:
        nearest = find_settings(Path(document.name).parent)
        return nearest if nearest.top == nearest.root else find_settings(nearest.top)
    except (ConfigError, OSError) as error:
        complaints.append(str(error))
        return None


def _cache(settings: Settings, given: Path | None) -> Path | None:
    """Return where a project's analyses are kept; without such a place, they are found out again."""
    try:
        return cache_of(settings, str(given) if given else None)
    except CacheError:
        return None


def _answer(
    document: Document, good: Document, problem: Unreadable | None, findings: Sequence[Finding], result: Result
) -> Answer:
    """Return the findings in an earlier text whose lines still exist; what is wrong now is shown where it is."""
    if good is document:
        return Answer(document, tuple(findings), result.texts.lines)
    moves = Moves(good.lines, document.lines)
    moved = (each if problem and each.span == problem.span else moves.finding(each) for each in findings)

    def lines(name: str) -> Sequence[str]:
        return document.lines if name == document.name else result.texts.lines(name)

    return Answer(document, tuple(each for each in moved if each is not None), lines)


def _by_evidence(result: Result, groups: Groups, names: Sequence[str], complaints: list[str]) -> Result:
    """Return the result with what recorded runs have seen, if the configuration names evidence."""
    files = evidence_files((), groups.own.settings)
    try:
        return joined(result, evidence(files), names, groups, trusted=False)[0] if files else result
    except FieldError as error:
        complaints.append(str(error))
        return result


def _without_known(result: Result, settings: Settings, names: set[str]) -> list[Finding]:
    """Return the findings that are not in the baseline. Raises BaselineError."""
    file = find_baseline(settings.top)
    if file is None:
        return list(result.findings)
    root, read = file.parent, {real(name) for name in names}

    def may_move(entry: Entry) -> bool:
        return real(os.path.join(root, entry.path)) in read

    hidden, _ = baseline.match(baseline.entries(result.findings, root), baseline.read(file), may_move)
    return [each for at, each in enumerate(result.findings) if at not in hidden]


def covers(span: Span, row: int, column: int) -> bool:
    """Whether a position is in a region."""
    return (span.row, span.column) <= (row, column) < (span.end_row, span.end_column)


def _is_of_interest(known: Known, row: int, column: int) -> bool:
    return covers(known.span, row, column) and not isinstance(known.value, Function)


def _size(known: Known) -> tuple[int, int]:
    span = known.span
    return span.end_row - span.row, span.end_column - span.column
