"""Tells of files that a search leaves out although git tracks them: a change may have hidden them."""

from __future__ import annotations

import os
from collections.abc import Sequence

import click

from ..files.paths import real
from ..finding import many
from ..limits import MOST_LEFT_OUT
from ..output.text import escape
from ..run.discovery import SUFFIXES
from ..task import Task
from .git import tracked
from .git_program import GitError


def tell_of_tracked(task: Task) -> None:
    """Tell of the tracked files among what was left out; nothing where git cannot say."""
    left_out = {real(each) for each in task.found.left_out if os.path.basename(each) != ".git"}
    try:
        names = [each for each in tracked(str(task.start)) if each.endswith(SUFFIXES)] if left_out else []
    except GitError:
        return
    found = [each for each in names if _is_among(each, left_out) and os.path.lexists(each)]
    if found:
        click.echo(f"{_listed(found)}; name them to check them, or list them under `exclude`", err=True)


def _is_among(path: str, left_out: set[str]) -> bool:
    while path not in left_out:
        above = os.path.dirname(path)
        if above == path:
            return False
        path = above
    return True


def _listed(found: Sequence[str]) -> str:
    names = [escape(os.path.relpath(each)) for each in found[:MOST_LEFT_OUT]]
    names += [f"{len(found) - MOST_LEFT_OUT} more"] if len(found) > MOST_LEFT_OUT else []
    return f"not checked, though git tracks {many(len(found), 'file')}: {', '.join(names)}"
