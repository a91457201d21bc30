"""The command `check`: from the command line to a report and an exit code."""

from __future__ import annotations

import gc
import os
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

import click

from . import limits
from .files.paths import BASELINE, find_baseline
from .finding import Finding
from .limits import MANY_FILES
from .offers import Fix
from .options import Options
from .output.text import escape
from .report import Fixes, outputs, report
from .run.analyses import Analyses as Remembered
from .run.engine import Analyses, run
from .run.project import check_files
from .run.result import Result
from .settings.config import Settings, evidence_files
from .severity import fails
from .task import Task

if TYPE_CHECKING:
    from collections.abc import Callable

    from .adoption.old_findings import Adoption
    from .output.targets import Target


def check(paths: Sequence[str], options: Options) -> int:
    """Check the paths, print the report and return the exit code. Raises click.UsageError."""
    task = Task.of(paths, options)
    where = outputs(options)
    if options.show_files or options.show_settings:
        from .shown import show_files, show_settings

        return show_files(task) if options.show_files else show_settings(task)
    if task.found.left_out and not options.quiet:
        from .adoption.left_out import tell_of_tracked

        tell_of_tracked(task)
    if options.fixes:
        from .fix.command import fixed, refuse_contradictions

        refuse_contradictions(options)
    adoption = adoption_of(task)
    remembered = Remembered(str(task.cache or ""))
    result = examined(task, check_files if task.cache else remembered)
    if options.fixes:
        gc.collect()  # what the first run has left: others follow
        with no_collection():
            result, code = fixed(task, result, adoption, remembered)
        if code is not None:
            return code
    return finished(task, result, adoption, where, _fixes(task, result, remembered))


def _fixes(task: Task, result: Result, analyses: Remembered) -> Fixes:
    """Return what makes the fix of a finding, when it is first asked for one; the analysis has to confirm it."""
    made: list[Fixes] = []

    def fix(finding: Finding) -> Fix | None:
        if not finding.offers:
            return None
        if not made:
            from .fix.verified import Verified

            gc.collect()  # LibCST and the trees of files need the room that the run has left
            made.append(Verified(task, result, analyses).fix)
        with no_collection():
            return made[0](finding)

    return fix


def finished(
    task: Task, result: Result, adoption: Adoption | None, where: tuple[Target, ...], fix: Fixes = lambda _: None
) -> int:
    """Print the report about a result, or do with it what the options say, and return the exit code.

    `fix` returns the fix of a finding, if there is one.
    """
    options = task.options
    if files := evidence_files(options.evidence, task.settings):
        from .joined.told import with_evidence

        result = with_evidence(result, task, files)
    if adoption:
        result = adoption.narrowed(result)
    if adoption and adoption.writes and not task.found.missing:
        adoption.write()
    elif options.add_ignore is not None and not task.found.missing:
        from .adoption.add_ignore import add_ignores

        result = add_ignores(result, task)
    else:
        report(result, task, where, fix)
    print_failures(result, options.verbose)
    if result.failures or task.found.missing:
        return 2
    return int(_is_failing(task, result, adoption) and not options.exit_zero)


def examined(task: Task, analyses: Analyses = check_files) -> Result:
    """Return the result of the run, with a progress bar if a person watches a long one."""
    options, others = task.options, task.others
    if options.verbose:
        import logging

        logging.basicConfig(format="%(message)s", level=logging.DEBUG)
    with _progress(len(task.files) + len(others), options.quiet) as step, no_collection():
        return run(
            task.files,
            task.settings,
            task.rules,
            others=others,
            problems=task.found.problems,
            cache=task.cache,
            jobs=options.jobs,
            step=step,
            analyses=analyses,
            groups=task.groups,
        )


def adoption_of(task: Task) -> Adoption | None:
    """Return what this run omits, if anything; its module is imported only then. Raises click.UsageError."""
    options = task.options
    ignored = (options.no_baseline or options.isolated) and not options.write_baseline
    file = None if ignored else find_baseline(task.settings.top)
    if not ignored and not options.quiet:
        _tell_of_unread_baselines(task, file)
    compares = options.new_from is not None or options.diff_only is not None
    if file is None and not (compares or options.writes_baseline):
        return None
    from .adoption.old_findings import Adoption

    return Adoption.of(task, file)


def _tell_of_unread_baselines(task: Task, file: Path | None) -> None:
    """Warn of baselines beside nested configurations, which are not read: a project has only one."""
    top = task.settings.top.absolute()
    above = {task.start, *task.start.parents} if top in task.start.parents else set()
    places = {place for place in above if top in place.parents}
    places |= {group.settings.root.absolute() for group, files in task.groups.parts(task.files) if files}
    places -= {top, file.parent if file else top}
    for each in sorted(place / BASELINE for place in places if os.path.isfile(place / BASELINE)):
        name, project = (escape(os.path.relpath(path)) for path in (each, file or top / BASELINE))
        click.echo(f"{name} is not read: the project's is {project}; delete it and use --write-baseline", err=True)


def _is_failing(task: Task, result: Result, adoption: Adoption | None) -> bool:
    """Whether what is reported makes the run fail: for each file, by its own configuration."""
    if adoption and adoption.writes:
        return False
    counts = not (adoption and adoption.compares)
    found: dict[int, list[Finding]] = {id(group): [] for group in task.groups}
    for each in result.findings:
        found[id(task.groups.of(each.span.filename))].append(each)
    failing = [_fails(task, group.settings, found[id(group)], counts) for group in task.groups]
    return any(failing)


def _fails(task: Task, settings: Settings, findings: Sequence[Finding], counts: bool) -> bool:
    if settings.max_findings and counts:
        from .adoption.budget import is_failing

        return is_failing(task, settings, findings)
    return settings.fail_on is not None and any(fails(each, settings.fail_on) for each in findings)


@contextmanager
def _progress(files: int, quiet: bool) -> Iterator[Callable[[], object]]:
    """Return what to call after each file: it moves a progress bar if a person watches a long run."""
    if quiet or files <= MANY_FILES or not sys.stderr.isatty():
        yield lambda: None
        return
    with click.progressbar(length=files, label="checking", file=sys.stderr, width=0) as bar:
        yield lambda: bar.update(1)


@contextmanager
def no_collection() -> Iterator[None]:
    """Disable garbage collection: a run creates hardly any cycles, and looking for them costs a tenth of linking."""
    was_enabled = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was_enabled:
            gc.enable()


def print_failures(result: Result, verbose: bool) -> None:
    """Report errors of the linter itself on standard error, and with `--verbose` the limits that were met."""
    for each in result.failures:
        where = f"{escape(each.filename)}: internal error in {each.part}: {escape(each.error)}"
        click.echo(f"{where}; the file was not fully checked; please report it {each.whom}", err=True)
        if verbose:
            click.echo("\n".join(map(escape, each.trace.split("\n"))), err=True)
    if verbose:
        for line in limits.told():
            click.echo(escape(line), err=True)
