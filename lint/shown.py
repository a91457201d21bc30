"""What a run would be about: its files, and the settings that hold for them."""

from __future__ import annotations

import json
import os
from collections.abc import Iterator, Mapping

import click

from .finding import Confidence, Severity
from .output.text import escape
from .settings.config import KEYS, Settings
from .settings.keys import NEVER, OFF
from .task import Task


def show_files(task: Task) -> int:
    """Print the files that would be checked and return the exit code."""
    for file in task.files:
        click.echo(escape(file.name))
    return _exit_code(task)


def show_settings(task: Task) -> int:
    """Print the settings of each group of files, as a configuration file would have them; return the exit code."""
    shown = ["\n".join(_lines(group.settings, len(files))) for group, files in task.groups.parts(task.files) if files]
    click.echo("\n\n".join(shown or _lines(task.settings, 0)))
    return _exit_code(task)


def _exit_code(task: Task) -> int:
    for problem in task.found.problems:
        click.echo(f"{escape(problem.span.filename)}: {escape(problem.message)}", err=True)
    return 2 if task.found.missing else 0


def _lines(settings: Settings, files: int) -> Iterator[str]:
    count = f"{files} file" if files == 1 else f"{files} files"
    yield f"# {count}; patterns are relative to {escape(os.path.abspath(settings.root))}"
    values = {name: getattr(settings, item.name) for name, item in KEYS.items() if name != "extend"}
    for name, value in values.items():
        if not isinstance(value, Mapping):
            yield f"{name} = {_toml(value)}{_required(settings, name, value)}"
    for name, value in values.items():
        if isinstance(value, Mapping) and value:
            yield f"[{name}]"
            yield from (f"{json.dumps(row)} = {_toml(each)}" for row, each in value.items())


def _required(settings: Settings, name: str, value: object) -> str:
    """Return what the project requires of a library whose versions are not configured, as a comment."""
    pins = () if value else settings.pins.get(name, ())
    return f"  # required: {escape(', '.join(pins))}" if pins else ""


def _toml(value: object) -> str:
    """Return a setting as TOML writes it: texts and lists look as in JSON."""
    if isinstance(value, (Severity, Confidence)):
        value = value.words if value else OFF
    return escape(json.dumps(NEVER if value is None else value, ensure_ascii=False))
