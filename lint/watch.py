"""`--watch`: checks again whenever a file changes."""

from __future__ import annotations

import gc
import os
from collections.abc import Callable, Sequence
from typing import Final

import click

from .output.text import escape
from .run.discovery import EXCLUDED, SUFFIXES
from .settings.files import CONFIGURATIONS

WATCHED: Final = (*SUFFIXES, ".gitignore", ".txt", ".toml", *CONFIGURATIONS)
"""How the names of files end whose contents can change a result."""


def watch(paths: Sequence[str], run: Callable[[], int]) -> int:
    """Run once, and again after each change below the paths, until interrupted. Raises click.UsageError.

    An error of one run, such as a configuration that is being written, ends that run only.
    """
    if "-" in paths:
        raise click.UsageError("--watch: standard input does not change; name files or directories")
    try:
        import watchfiles
    except ImportError as error:
        raise click.UsageError("--watch needs watchfiles: pip install watchfiles") from error
    missing = [path for path in paths if not os.path.lexists(path)]
    if missing:
        raise click.UsageError(f"--watch: {missing[0]} does not exist")
    gc.enable()
    _once(run)
    for _ in watchfiles.watch(*paths, watch_filter=lambda _, path: matters(path, paths), raise_interrupt=True):
        click.clear()
        _once(run)
    return 0


def _once(run: Callable[[], int]) -> None:
    try:
        run()
    except click.ClickException as error:
        click.echo(f"synclint: {escape(error.format_message())}", err=True)
    click.echo("watching for changes; Ctrl-C ends", err=True)


def matters(path: str, roots: Sequence[str]) -> bool:
    """Whether a change of a file can change a result; below the roots, directories without code are left out."""
    inside = [os.path.relpath(path, root) for root in roots]
    below = next((each for each in inside if not each.startswith(os.pardir)), path)
    return path.endswith(WATCHED) and EXCLUDED.isdisjoint(below.split(os.sep)[:-1])
