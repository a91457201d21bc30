"""From files to findings: linked operations go to the rules, and what the rules report is selected and suppressed."""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import TypeAlias

from ..files.modules import Modules
from ..files.source import Unreadable, content
from ..files.texts import Texts
from ..finding import Finding
from ..plugins.known import identity
from ..rule import Rule, all_rules, names_of_calls
from ..settings.config import Settings
from ..settings.configurations import Configurations
from ..settings.files import find_settings
from ..settings.selection import chosen_rules
from ..store.digests import digest
from .again import Again, Given, noted
from .cache import Cache
from .check import Check
from .connected import Connections, connected, connections, marked
from .context import context
from .discovery import discover
from .earlier import Earlier
from .file import Checked, Failure, File, Project
from .groups import Group, Groups, grouped
from .known import Analysed, known_now
from .linked import Linked
from .project import check_files
from .remembered import Remembered
from .result import Result

Analyses: TypeAlias = "Callable[[Sequence[File], int | None], Iterable[Checked]]"
"""Returns the analysis of each file, in any order, using the given number of processes."""

Connect: TypeAlias = "Callable[[Sequence[File], Modules], Connections]"
"""Returns what connects files, for callers who know which of them have changed since they asked last."""


def check_paths(
    paths: Sequence[str], settings: Settings | None = None, rules: Sequence[Rule] | None = None
) -> list[Finding]:
    """Return the findings in files and directories, each with its nearest configuration unless settings are given.

    Raises ConfigError for invalid settings. Files that cannot be checked are findings of SYNC902.
    """
    start = Path(paths[0]) if paths else Path()
    adapt = None if settings else lambda own: own
    configurations = Configurations(settings or find_settings(start if os.path.isdir(start) else start.parent), adapt)
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
    connect: Connect | None = None,
    remembered: Remembered | None = None,
) -> Result:
    """Check the files with the rules.

    `others` are further files of the project, which are known but not reported on; `problems` are what discovery
    met; `cache` is the directory of what earlier runs found out; `step` is called after each file;
    `analyses` is who reads and analyses the files, `connect` who knows what connects them; `groups` tell for which
    files other settings and rules hold; `remembered` is what a run before left in memory.
    """
    started = time.perf_counter()
    texts = Texts({file.name: file.data for file in files if file.data is not None})
    groups = groups or Groups(Group(settings, rules))
    modules = _modules([*files, *others], groups)
    modules = remembered.as_known(modules) if remembered else modules
    files, others = _placed(files, groups, cache, modules), _placed(others, groups, cache, modules)
    kept = Cache(Project(os.path.abspath(settings.top), cache=str(cache or "")))
    given = Given(groups, files, others, problems, _contents([*files, *others]) if cache else ())
    key = _key(given) if cache else ""
    failures: tuple[Failure, ...] = ()
    findings = kept.get_run(key)
    if findings is None or not speaks_of(findings, {file.name for file in given.every}, problems):
        findings = _as_part(kept, given, modules, connect, partial(_analysed, analyses=analyses, jobs=jobs), texts)
    if findings is None:
        earlier = kept.get_earlier(_frame(given)) if given.can_be_known else None
        given = _with_connected(given, modules, earlier, connect)
        found = _again(kept, given, earlier, partial(_analysed, analyses=analyses, jobs=jobs), texts)
        findings = found.findings if found else None
        if findings is None:
            done = _analysed(given.every, analyses, jobs, step)
            last = analyses is check_files and given.can_be_kept and remembered is None
            findings, failures = _anew(kept, given, done, texts, remembered, last)
        if not failures and given.is_on_disk:
            kept.keep_run(key, findings)
    return Result.of(findings, failures, len(files), time.perf_counter() - started, texts)


def _with_connected(given: Given, modules: Modules, earlier: Earlier | None, connect: Connect | None) -> Given:
    """Return what a run is given with a mark on the files that connect others."""
    contents, before = dict(zip(given.names, given.contents)), earlier.connections if earlier else None
    links = connect(given.every, modules) if connect else connections(given.every, modules, contents, before)
    names, given = frozenset(links.names), given._replace(connections=links)
    if not names:
        return given
    files, others = marked(given.files, names), marked(given.others, names)
    kept = dict(zip(given.names, given.contents))
    new = [each for each in (*files, *others) if each.connected and kept]
    kept.update(zip((each.name for each in new), _contents(new)))
    return given._replace(files=files, others=others, contents=[*kept.values()])


def _again(
    kept: Cache,
    given: Given,
    earlier: Earlier | None,
    analysed: Analysed,
    texts: Texts,
    wanted: frozenset[str] | None = None,
) -> Earlier | None:
    """Return what is found by what an earlier run over the same project found out; None if that is not enough.

    `wanted` are the files whose findings are asked for; None: all.
    """
    if earlier is None or not given.can_be_known:
        return None
    try:
        known = known_now(kept, earlier, given, analysed, wanted is not None)
        found = None if known is None else Again(given, known, wanted).found(texts)
    except Exception:  # a run from nothing tells whose fault it is; `--verbose` and our tests hear of it
        import logging

        logging.getLogger(__name__).debug("what an earlier run found out could not be used", exc_info=True)
        return None
    if found is not None and given.is_on_disk:
        kept.keep_earlier(_frame(given), found)
    return found


def _as_part(
    kept: Cache, given: Given, modules: Modules, connect: Connect | None, analysed: Analysed, texts: Texts
) -> tuple[Finding, ...] | None:
    """Return the findings in some files by what an earlier run found out that reported on the whole project.

    A pre-commit hook names other files each time. None if there was no such run, or if that is not enough: a file that
    is named is read even if nothing in it speaks of torch, which a run over the project does not.
    """
    every = {file.name: replace(file, named=False) for file in given.every}
    if len(every) == len(given.files) or given.problems or not given.can_be_known:
        return None
    earlier = kept.get_earlier(_frame(given._replace(files=[*every.values()], others=[])))
    if earlier is None or earlier.reported != len(every) or {*earlier.names} != every.keys():
        return None
    contents = dict(zip(given.names, given.contents))
    contents |= zip((file.name for file in given.files), _contents([every[file.name] for file in given.files]))
    files, now = [every[name] for name in earlier.names], [contents[name] for name in earlier.names]
    whole = given._replace(files=files, others=[], contents=now)
    whole, names = _with_connected(whole, modules, earlier, connect), frozenset(file.name for file in given.files)
    found = _again(kept, whole, earlier, analysed, texts, names)
    if found is None or not names <= {*found.indexed}:
        return None
    return tuple(finding for finding in found.findings if finding.span.filename in names)


def _anew(
    kept: Cache, given: Given, done: dict[str, Checked], texts: Texts, remembered: Remembered | None, last: bool
) -> tuple[tuple[Finding, ...], tuple[Failure, ...]]:
    """Return the findings of all files, and what went wrong in the linter itself; `last`: see `Linked`."""
    files = [file for _, part in given.groups.parts(given.files) for file in part]
    reported, others = ([done[file.name] for file in each] for each in (files, given.others))
    linked = Linked(reported, others, given.modules, given.can_be_kept, remembered, last)
    del reported, others
    findings, failures = _checked(given, linked, done, texts)
    if not failures and given.can_be_kept:
        kept.keep_earlier(_frame(given), noted(given, done, linked, findings))
    return findings, failures


def speaks_of(findings: Sequence[Finding], names: set[str], problems: Sequence[Unreadable]) -> bool:
    """Whether findings that were kept are about files of the run, and no others: their lines will be printed."""
    known = names | {problem.span.filename for problem in problems}
    reasons = (reason.span for each in findings for reason in (*each.reasons, *each.frequency.all_reasons))
    return all(span is None or span.filename in known for span in (*(each.span for each in findings), *reasons))


def analyses_of(
    files: Sequence[File], groups: Groups, cache: Path | None = None, beside: Sequence[File] = ()
) -> list[Checked]:
    """Return the analyses of a project's files, which know of those `beside` them, which are not read."""
    modules = _modules([*files, *beside], groups)
    placed = _placed(files, groups, cache, modules)
    return [*check_files(marked(placed, connected([*placed, *beside], modules)))]


def _modules(files: Sequence[File], groups: Groups) -> Modules:
    return Modules(os.path.abspath(groups.own.settings.top), [file.name for file in files])


def _placed(files: Sequence[File], groups: Groups, cache: Path | None, modules: Modules) -> list[File]:
    calls = frozenset[str]().union(*(_calls_from_outside(each.rules) for each in groups))

    def project(about: Settings) -> Project:
        kept = str(cache or "")
        return Project(modules.root, about.gpu_names, kept, modules, calls, about.facts, about.default_device)

    projects = {id(each): project(each.settings) for each in groups}
    return [replace(file, project=projects[id(groups.of(file.name))]) for file in files]


def _calls_from_outside(rules: Sequence[Rule]) -> frozenset[str]:
    """Return the calls that rules from outside the package want to see; those of the package are always recorded."""
    if not rules:  # importing ours is half of what a run costs that needs none
        return frozenset()
    ours = {id(each) for each in all_rules()}
    return names_of_calls(rule for rule in rules if id(rule) not in ours)


def _analysed(
    files: Sequence[File], analyses: Analyses, jobs: int | None, step: Callable[[], object] = lambda: None
) -> dict[str, Checked]:
    done = {}
    for checked in analyses(files, jobs):
        done[checked.filename] = checked
        step()
    return done


def _contents(files: Sequence[File]) -> list[str]:
    """Return a digest of what is in each file."""
    found = []
    for file in files:
        data = content(file.name, file.name) if file.data is None else file.data
        found.append(data.message if isinstance(data, Unreadable) else Cache(file.project).digest_of(file, data))
    return found


def _frame(given: Given) -> str:
    """Return the name of what a result depends on but for the files; with other paths given, it is another one."""
    parts: list[str] = [repr(given.problems), _folder_of(given.files)]
    for group in given.groups:
        parts += [repr(group.settings), str(len(group.rules)), *(rule.code for rule in group.rules)]
        parts += [*sorted(_calls_from_outside(group.rules)), identity(group.settings.plugins)]
    return digest([*parts, *(file.name for file in given.files if file.named)])


def _folder_of(files: Sequence[File]) -> str:
    """Return the folder in which all of the files are."""
    return os.path.commonpath([os.path.dirname(os.path.abspath(file.name)) for file in files]) if files else ""


def _key(given: Given) -> str:
    """Return the name of everything that a result depends on."""
    numbers = {id(each): str(number) for number, each in enumerate(given.groups)}
    parts = [_frame(given), str(len(given.files)), str(len(numbers))]
    for file in given.every:
        parts += [file.name, str(file.named), numbers[id(given.groups.of(file.name))]]
    return digest([*parts, *given.contents])


def _checked(
    given: Given, linked: Linked, done: Mapping[str, Checked], texts: Texts
) -> tuple[tuple[Finding, ...], tuple[Failure, ...]]:
    """Return the findings in the files, and what went wrong in the linter itself."""
    findings: list[Finding] = []
    failures: dict[str, Failure] = {}
    problems = given.problems
    for group, part in given.groups.parts(given.files):
        reported = [done[file.name] for file in part]
        unreadable = (each.unreadable for each in reported if each.unreadable)
        operations = linked.operations(group.settings, [file.name for file in part])
        check = Check(group.settings, group.rules, reported, linked.failures)
        findings += check.findings([*problems, *unreadable, *operations], texts)
        failures |= check.failures
        problems = ()
    return tuple(sorted(findings, key=lambda finding: finding.sort_key)), tuple(failures.values())
