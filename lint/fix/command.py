"""`check --fix`: fixes written to the files, or shown as a diff."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import click

from ..files.regular import read
from ..finding import Finding, Severity, many
from ..options import Options
from ..output.text import escape
from ..plugins.known import known_rules
from ..run.analyses import Analyses
from ..run.result import Result
from ..settings.selection import meant
from ..severity import fails
from ..store.rewrite import write
from ..task import Task
from .blame import Made
from .diff import of_file
from .passes import UNSAFE, Passes

if TYPE_CHECKING:
    from ..adoption.old_findings import Adoption


def fixed(task: Task, result: Result, adoption: Adoption | None, analyses: Analyses) -> tuple[Result, int | None]:
    """Fix what is found, and return what is still found; with the exit code, if nothing is to be reported.

    `analyses` are those of the run that found it. Raises click.UsageError.
    """
    options = task.options
    shown = adoption.narrowed(result, tells=False) if adoption else result
    fixing = Fixing(task, result, shown, analyses)
    if options.diff:
        return _shown(fixing)
    if "-" in task.paths:
        for each in task.files:
            click.echo(fixing.passes.contents.get(each.name, each.data or b""), nl=False)
    else:
        fixing.write()
    fixing.complain()
    for line in fixing.summary(options.show_fixes) if not options.quiet else ():
        click.echo(line, err=True)
    if options.fix_only or "-" in task.paths:
        return fixing.result, 2 if fixing.result.failures or task.found.missing else int(_is_left(fixing, options))
    return fixing.result, None


def _shown(fixing: Fixing) -> tuple[Result, int]:
    """Print what would change."""
    for line in fixing.diff():
        click.echo(line)
    fixing.complain()
    number = sum(len(each.findings) for each in fixing.made)
    if not fixing.task.options.quiet:
        click.echo(f"Would fix {many(number, 'finding')}." if number else "No fixes.", err=True)
        if others := fixing.others():
            click.echo(others, err=True)
    return fixing.result, 2 if fixing.result.failures or fixing.task.found.missing else int(bool(number))


def _is_left(fixing: Fixing, options: Options) -> bool:
    """Whether findings that are left make a run fail that prints the fixed file instead of a report."""
    groups = fixing.task.groups
    found = ((each, groups.of(each.span.filename).settings.fail_on) for each in fixing.result.findings)
    return not options.fix_only and any(least is not None and fails(each, least) for each, least in found)


def refuse_contradictions(options: Options) -> None:
    """Raise click.UsageError for options that cannot be combined with fixes."""
    for name in options.given("write_baseline", "prune_baseline", "add_ignore"):
        raise click.UsageError(f"{name} and --fix cannot be combined; run one after the other")


class Fixing:
    """The fixes of a run: made in memory first, then shown or written."""

    def __init__(self, task: Task, result: Result, shown: Result, analyses: Analyses) -> None:
        """Make the fixes of what is shown; `result` is everything that was found."""
        self.task = task
        hidden = {each.fingerprint for each in result.findings} - {each.fingerprint for each in shown.findings}
        self.passes = Passes(task, result, lambda each: each.fingerprint not in hidden and self._wants(each), analyses)
        self.passes.run()
        self.safe = len(self.passes.made)
        if task.options.unsafe_fixes:
            self.passes.run(UNSAFE)

    @property
    def result(self) -> Result:
        """The findings that are left."""
        return self.passes.result

    @property
    def made(self) -> list[Made]:
        """The fixes that were made."""
        return self.passes.made

    def _wants(self, finding: Finding) -> bool:
        """Whether a finding is shown, and its rule's fixes are wanted for its file."""
        options = self.task.options
        if finding.severity <= Severity.NOTE and not options.show_notes:
            return False
        settings = self.task.groups.of(finding.span.filename).settings
        rules = known_rules(settings.plugins)
        is_fixable = not settings.fixable or finding.code in meant(settings.fixable, rules)
        return is_fixable and finding.code not in meant(settings.unfixable, rules)

    def others(self) -> str:
        """Return how many fixes of other kinds there are: of those made, or in what is left."""
        if self.task.options.unsafe_fixes:
            number = sum(len(each.findings) for each in self.made[self.safe :])
            return f"{number} of them unsafe." if number else ""
        left = (each for each in self.passes.confirmed() if each.fix.offer.applicability == "unsafe")
        number = sum(len(each.findings) for each in left)
        return f"{number} more with `--unsafe-fixes`." if number else ""

    def diff(self) -> Iterator[str]:
        """Yield what would change."""
        for filename, after in sorted(self.passes.contents.items()):
            yield from of_file(filename, self.passes.original[filename], after)

    def write(self) -> None:
        """Write the files, each as a whole; say which could not be written and are as they were."""
        for filename, data in sorted(self.passes.contents.items()):
            why = _written(filename, self.passes.original[filename], data, self.task.settings.top)
            if why:
                self.passes.complaints[filename] = why
                self.passes.forget(filename)

    def complain(self) -> None:
        """Say which files were left as they were, and why."""
        for filename, why in sorted(self.passes.complaints.items()):
            click.echo(f"{escape(filename)}: not fixed: {escape(why)}", err=True)

    def summary(self, details: bool) -> Iterator[str]:
        """Yield how much was fixed, and with `details` by which rules in which files."""
        found = [(each.filename, one) for each in self.made for one in each.findings]
        if not found:
            return
        files = dict.fromkeys(name for name, _ in found)
        yield f"Fixed {many(len(found), 'finding')} in {many(len(files), 'file')}{':' if details else '.'}"
        for filename in files if details else ():
            yield f"- {escape(filename)}:"
            counts = Counter((one.code, one.name) for name, one in found if name == filename)
            yield from (f"    {number} × {code} ({name})" for (code, name), number in sorted(counts.items()))


def _written(filename: str, before: bytes, after: bytes, tree: Path) -> str:
    """Write a file; return why it is as it was, or nothing."""
    try:
        if read(filename) != before:
            return "it was changed in the meantime"
        write(filename, after, tree)
    except OSError as error:
        return error.strerror or str(error)
    return ""
