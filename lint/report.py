"""The report of a run: printed, and written to files, in the requested formats."""

from __future__ import annotations

import os
import shutil
import sys
from collections.abc import Callable, Iterator
from typing import TypeAlias

import click

from .finding import Finding, many
from .limits import LEAST_WIDTH, WIDEST_REPORT
from .offers import Fix
from .options import Options
from .output.aside import aside
from .output.outcome import Outcome
from .output.targets import STDOUT, Target, renderer, targets, write
from .run.result import Result
from .task import Task

Fixes: TypeAlias = "Callable[[Finding], Fix | None]"
"""Returns the fix of a finding, if it can be made."""


def outputs(options: Options) -> tuple[Target, ...]:
    """Return where the report goes: `--output-format FORMAT` is short for `--output FORMAT=-`. Raises click.UsageError.

    Without either, people get `full`, and GitHub Actions gets `github`.
    """
    words = list(options.output)
    if options.output_format:
        return targets([*words, f"{options.output_format}={STDOUT}"])
    found = targets(words)
    if any(each.path == STDOUT for each in found):
        return found
    return (Target("github" if os.environ.get("GITHUB_ACTIONS") == "true" else "full"), *found)


def report(result: Result, task: Task, where: tuple[Target, ...], fix: Fixes) -> None:
    """Print and write the report of one run. Raises click.ClickException."""
    options = task.options
    for each in where:
        _write(_lines(result, task, each, fix), each)
    if options.verbose:
        click.echo(f"{many(result.files, 'file')} in {result.seconds:.2f} s", err=True)


def _write(lines: Iterator[str], target: Target) -> None:
    try:
        write(target.path, lines, target.form)
    except BrokenPipeError:  # the reader of our output closed the pipe
        raise
    except OSError as error:
        name = "standard output" if target.path == STDOUT else target.path
        raise click.ClickException(f"could not write the report to {name}: {error.strerror or error}") from error


def _lines(result: Result, task: Task, where: Target, fix: Fixes) -> Iterator[str]:
    """Return the lines of one output; counts replace what is printed, not what is written to files."""
    printed, options = where.path == STDOUT, task.options
    outcome = Outcome(
        findings=result.findings,
        lines=result.texts.lines,
        failures=result.failures,
        files=result.files,
        notes=options.show_notes or options.show_all,
        summed_up=not options.quiet,
        color=printed and _is_colorful(options.color),
        links=printed and options.color != "never" and _is_terminal(),
        fix=fix,
        shows_fixes=options.show_fixes,
        hints=_hints(options),
        by_file=options.group_by == "file",
        width=max(shutil.get_terminal_size().columns, LEAST_WIDTH) if printed and _is_terminal() else WIDEST_REPORT,
        on_purpose=result.on_purpose,
        is_aside=(lambda _: False) if options.show_all else aside(task.paths),
    )
    if printed and options.statistics:
        from .output.statistics import render_counts

        return render_counts(outcome, as_json=where.form == "json")
    return renderer(where.form)(outcome)


def _hints(options: Options) -> tuple[bool, ...]:
    """Return which kinds of fixes, safe ones and unsafe ones, this run has not made."""
    if not options.fix:
        return (True, False)
    return () if options.unsafe_fixes else (False,)


def _is_colorful(color: str) -> bool:
    """Whether to print colors: `--color` counts most, then NO_COLOR, then FORCE_COLOR, then what the output is."""
    if color != "auto":
        return color == "always"
    if os.environ.get("NO_COLOR"):
        return False
    if os.environ.get("FORCE_COLOR"):
        return os.environ["FORCE_COLOR"] != "0"
    return os.environ.get("TERM") != "dumb" and _is_terminal()


def _is_terminal() -> bool:
    return sys.stdout is not None and sys.stdout.isatty()
