"""Omits old findings, so that a project that has some can start: the baseline, and what a commit already had.

Whatever can be wrong with a file or with git is reported before the run.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

import click

from ..files.paths import BASELINE, is_below, real
from ..finding import Finding, many
from ..output.text import escape
from ..run.discovery import SUFFIXES
from ..run.engine import run
from ..run.file import File
from ..run.result import Result
from ..settings.selection import UNREADABLE
from ..task import Task
from . import baseline, git
from .baseline import BaselineError, Entry
from .git_program import GitError
from .old_problems import old_problems

_WRITING = ("write_baseline", "prune_baseline")
_SHOWING = ("new_from", "diff_only", "add_ignore")


@dataclass(slots=True)
class Adoption:
    """The baseline that applies to a run, and the commits that its findings are compared with."""

    task: Task
    file: Path | None
    known: list[Entry] = field(default_factory=list)
    stale: list[Entry] = field(default_factory=list)
    earlier: git.Commit | None = None
    since: git.Commit | None = None
    result: Result | None = None

    @classmethod
    def of(cls, task: Task, file: Path | None) -> Adoption:
        """Read what is needed before the run. Raises click.UsageError."""
        _refuse_contradictions(task, file)
        try:
            self = cls(task, file, baseline.read(file) if file else [])
            self._ask_git()
        except (BaselineError, GitError) as error:
            raise click.UsageError(str(error)) from error
        return self

    @property
    def writes(self) -> bool:
        """Whether the run is made to write the baseline."""
        return self.task.options.writes_baseline

    @property
    def compares(self) -> bool:
        """Whether only what is new since a commit is reported."""
        return self.earlier is not None or self.since is not None

    def _ask_git(self) -> None:
        new_from, diff_only = self.task.options.new_from, self.task.options.diff_only
        if new_from is None and diff_only is None:
            return
        top = git.repository(str(self.task.start))
        if new_from is not None:
            named = git.commit(top, new_from)
            self.earlier = git.base(named) or named
        if diff_only is not None:
            self.since = git.parting(git.commit(top, diff_only), diff_only)

    def narrowed(self, result: Result, tells: bool = True) -> Result:
        """Return the result without what is already known, and tell how much that is. Raises click.UsageError."""
        self.result = result
        hidden = self._in_baseline(result)
        if self.writes:
            return result
        if tells:
            self._note(len(hidden))
        try:
            hidden |= self._in_earlier(result)
            left = [finding for at, finding in enumerate(result.findings) if at not in hidden]
            return replace(result, findings=self._on_changed_lines(left))
        except GitError as error:
            raise click.UsageError(str(error)) from error

    def _in_baseline(self, result: Result) -> set[int]:
        """Return the positions of the findings in the baseline, and remember which of its entries are gone."""
        if self.file is None or not self.known:
            return set()
        is_judged = self._judge(result)
        found = baseline.entries(result.findings, self.file.parent)
        known, rest = baseline.match(found, self.known, is_judged)
        self.stale = [entry for entry in rest if is_judged(entry)]
        return known

    def _judge(self, result: Result) -> Callable[[Entry], bool]:
        """Return a test for entries whose finding this run would have seen: in files it read, by rules it used."""
        unread = {each.span.filename for each in result.findings if each.code == UNREADABLE}
        unread |= {failure.filename for failure in result.failures}
        read = {real(file.name) for file in self.task.files if file.name not in unread}
        known_of = {real(name): {rule.code for rule in group.rules} for name, group in self.task.groups.apart.items()}
        codes = {rule.code for rule in self.task.rules}
        root = str(self.file.parent) if self.file else ""

        def is_judged(entry: Entry) -> bool:
            path = os.path.normpath(os.path.join(root, entry.path))
            if self.task.options.min_confidence or entry.rule not in known_of.get(real(path), codes):
                return False
            return real(path) in read or self._is_gone(path)

        return is_judged

    def _is_gone(self, path: str) -> bool:
        """Whether a file that a search would have found no longer exists."""
        return not os.path.lexists(path) and any(is_below(real(path), each) for each in self.task.paths)

    def _note(self, known: int) -> None:
        if self.file is None or self.task.options.quiet:
            return
        where = escape(os.path.relpath(self.file))
        if known:
            click.echo(f"{many(known, 'finding')} in {where} not shown (--no-baseline shows all)", err=True)
        if self.stale and "-" not in self.task.paths:
            click.echo(f"{many(len(self.stale), 'finding')} of {where} gone (--prune-baseline removes them)", err=True)

    def _in_earlier(self, result: Result) -> set[int]:
        """Return the positions of the findings that already existed in the earlier commit, wherever they were."""
        if self.earlier is None or not result.findings:
            return set()
        task, root = self.task, self.task.settings.root
        files, others = _earlier_files(self.earlier, task)
        before = run(
            files,
            task.settings,
            task.rules,
            others=others,
            problems=old_problems(task.found.problems, self.earlier),
            cache=task.cache,
            jobs=task.options.jobs,
            groups=task.groups_of([*files, *others]),
        )
        found, old = baseline.entries(result.findings, root), baseline.entries(before.findings, root)
        return baseline.match(found, old, lambda _: True)[0]

    def _on_changed_lines(self, findings: Sequence[Finding]) -> tuple[Finding, ...]:
        """Return the findings on lines that the commit does not have, if only those are requested. Raises GitError."""
        if self.since is None or not findings:
            return tuple(findings)
        ends = {name: _end(name) for name in {each.span.filename for each in findings}}
        changed = git.changed(self.since, ends.values(), SUFFIXES)
        problems = self.task.found.problems
        old = {each.span.filename for each in old_problems(problems, self.since)}
        new = {each.span.filename for each in problems} - old

        def is_new(each: Finding) -> bool:
            name = each.span.filename
            return name in new or (name not in old and _is_touched(each, changed.get(ends[name])))

        return tuple(filter(is_new, findings))

    def write(self) -> None:
        """Write the baseline, or remove from it what is gone, and say so. Raises click.UsageError."""
        assert self.result is not None
        target = self.file or self.task.settings.top.absolute() / BASELINE
        if self.task.options.prune_baseline:
            content = sorted(set(self.known) - set(self.stale))
            what = f"removed {many(len(self.stale), 'finding')} from"
        else:
            is_judged = self._judge(self.result)
            kept = [entry for entry in self.known if not is_judged(entry)]
            content = [*kept, *baseline.entries(self.result.findings, target.parent)]
            what = f"wrote {many(len(self.result.findings), 'finding')} to"
        try:
            baseline.save(target, content, self.task.settings.top)
        except BaselineError as error:
            raise click.UsageError(str(error)) from error
        click.echo(f"{what} {escape(os.path.relpath(target))}")


def _is_touched(finding: Finding, ranges: git.Ranges | None) -> bool:
    """Whether a finding is on a changed line, or in a file whose changed lines are unknown."""
    if ranges is None:
        return True
    return bool(ranges) if finding.code == UNREADABLE else git.touches(ranges, finding.span)


def _earlier_files(commit: git.Commit, task: Task) -> tuple[list[File], list[File]]:
    """Return the files and others of a task as a commit has them; files since deleted may have moved into the files."""
    blobs = commit.files()
    files, others = ({_end(file.name): file for file in some} for some in (task.files, task.others))
    files |= {
        path: File(os.path.relpath(path))
        for path in blobs
        if path.endswith(SUFFIXES) and not os.path.lexists(path) and path not in files
    }
    wanted = {path: blobs[path] for path in (*files, *others) if path in blobs}
    data = git.contents(wanted)
    return _with(data, files), _with(data, others)


def _end(name: str) -> str:
    """Return the real path of a file; for a link, that of its target."""
    return os.path.realpath(name) if os.path.islink(name) else real(name)


def _with(data: Mapping[str, bytes], files: Mapping[str, File]) -> list[File]:
    return [replace(file, data=data[path]) for path, file in files.items() if path in data]


def _refuse_contradictions(task: Task, file: Path | None) -> None:
    """Raise click.UsageError if two options exclude each other."""
    writing, showing = task.options.given(*_WRITING), task.options.given(*_SHOWING)
    both = [*writing, *showing]
    if writing and len(both) > 1:
        raise click.UsageError(f"{both[0]} and {both[1]} cannot be combined; run one after the other")
    if writing and "-" in task.paths:
        raise click.UsageError(f"{both[0]} needs files; pass their names instead of `-`")
    if task.options.prune_baseline and file is None:
        raise click.UsageError(f"there is no {BASELINE} to prune; write one with --write-baseline")
    if "-" in task.paths and task.options.diff_only is not None:
        raise click.UsageError("standard input has no lines that git tracks; pass file names with --diff-only")
