"""The command `check`: from the words of the command line to a report and an exit code."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import click

from .config import LOUDNESS, ConfigError, Settings, find_settings, read_settings
from .discovery import Found, discover
from .engine import Result, run
from .finding import HOME, Confidence
from .output.text import escape, shown, summary
from .project import File
from .selection import Layer, UnknownRuleError, chosen_rules

if TYPE_CHECKING:
    from collections.abc import Callable

    from .rule import Rule

MANY: Final = 100
"""A progress bar is for runs over more files than this."""


def check(paths: Sequence[str], options: dict[str, Any]) -> int:
    """Check the paths and print the report; the result is the exit code. Raises click.UsageError."""
    try:
        settings = _settings(paths, options)
        rules = _rules(settings, options)
    except (ConfigError, UnknownRuleError) as error:
        raise click.UsageError(str(error)) from error
    found, files = _files(paths, settings, options)
    with _progress(len(files), options["quiet"]) as step:
        result = run(files, settings, rules, problems=found.problems, jobs=options["jobs"], step=step)
    _print(result, options)
    _print_failures(result, options["verbose"])
    if result.failures or found.missing:
        return 2
    failing = settings.fail_on is not None and any(each.severity >= settings.fail_on for each in result.findings)
    return int(failing and not options["exit_zero"])


def _settings(paths: Sequence[str], options: dict[str, Any]) -> Settings:
    """The settings of the nearest configuration under those of the command line. Raises ConfigError."""
    if options["isolated"]:
        settings = Settings(root=Path.cwd())
    elif options["config"]:
        settings = read_settings(Path(options["config"]))
    else:
        settings = find_settings(_start(paths, options["stdin_filename"]))
    settings = replace(settings, exclude=(*settings.exclude, *options["exclude"]))
    if options["min_confidence"]:
        settings = replace(settings, min_confidence=Confidence[options["min_confidence"].upper()])
    if options["fail_on"]:
        settings = replace(settings, fail_on=LOUDNESS.get(options["fail_on"]))
    return settings


def _start(paths: Sequence[str], stdin_filename: str | None) -> Path:
    """The directory that all paths share, where the search for a configuration begins."""
    given = [stdin_filename or "." if path == "-" else path for path in paths]
    places = [path if os.path.isdir(path) else os.path.dirname(path) for path in map(os.path.abspath, given)]
    try:
        return Path(os.path.commonpath(places))
    except ValueError:  # on different drives
        return Path.cwd()


def _rules(settings: Settings, options: dict[str, Any]) -> tuple[Rule, ...]:
    """The rules of this run. Raises UnknownRuleError."""
    return chosen_rules([settings.layer, Layer(options["select"], options["extend_select"], options["ignore"])])


def _files(paths: Sequence[str], settings: Settings, options: dict[str, Any]) -> tuple[Found, list[File]]:
    """The files to check, and what was met on the way. Standard input counts as a file given by name."""
    if "-" in paths:
        if len(paths) > 1:
            raise click.UsageError("`-` reads standard input and stands alone; leave the other paths away")
        name = options["stdin_filename"] or "<stdin>"
        if options["force_exclude"] and not discover([name], settings.root, settings.exclude, True).files:
            return Found(), []
        return Found(), [File(name, named=True, data=sys.stdin.buffer.read())]
    found = discover(paths, settings.root, settings.exclude, options["force_exclude"])
    named = {os.path.normpath(path) for path in paths}
    return found, [File(name, name in named) for name in found.files]


@contextmanager
def _progress(files: int, quiet: bool) -> Iterator[Callable[[], object]]:
    """What to call after each file: moves a bar where a person watches a long run."""
    if quiet or files <= MANY or not sys.stderr.isatty():
        yield lambda: None
        return
    with click.progressbar(length=files, label="checking", file=sys.stderr, width=0) as bar:
        yield lambda: bar.update(1)


def _print(result: Result, options: dict[str, Any]) -> None:
    for line in _report(result, options):
        sys.stdout.write(line + "\n")
    sys.stdout.flush()
    if options["verbose"]:
        click.echo(f"{result.files} files in {result.seconds:.2f} s", err=True)


def _report(result: Result, options: dict[str, Any]) -> Iterable[str]:
    """The report's lines. Only the chosen format is imported."""
    findings = shown(result.findings, options["show_notes"])
    match options["statistics"], options["output_format"]:
        case True, "json":
            from .output.statistics import render_json

            return render_json(result.findings)
        case False, "json":
            from .output.json import render as render_rows

            return render_rows(result.findings)
        case False, "github":
            from .output.github import render as render_commands

            return render_commands(findings)
        case True, _:
            from .output.statistics import render as render_counts

            lines = render_counts(findings)
        case _, "concise":
            from .output.concise import render as render_lines

            lines = render_lines(findings)
        case _:
            from .output.full import render as render_frames

            lines = render_frames(findings, result.texts.lines, _is_colorful(options["no_color"]))
    return _with_summary(lines, result, options)


def _with_summary(lines: Iterable[str], result: Result, options: dict[str, Any]) -> Iterator[str]:
    yield from lines
    if not options["quiet"]:
        yield summary(result.findings, result.files, options["show_notes"])


def _is_colorful(no_color: bool) -> bool:
    return not no_color and not os.environ.get("NO_COLOR") and os.environ.get("TERM") != "dumb" and sys.stdout.isatty()


def _print_failures(result: Result, verbose: bool) -> None:
    for each in result.failures:
        where = f"{escape(each.filename)}: internal error in {each.part}: {escape(each.error)}"
        click.echo(f"{where}; the file was not fully checked; please report it at {HOME}/issues", err=True)
        if verbose:
            click.echo("\n".join(map(escape, each.trace.split("\n"))), err=True)
