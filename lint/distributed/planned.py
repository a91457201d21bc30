"""From a project to its graph: the files that a check would find, and the configurations that links depend on."""

from __future__ import annotations

import glob
import os
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import fields

import click

from ..options import Options
from ..output.text import escape
from ..settings.files import CONFIGURATIONS
from ..settings.pins import LOCKS
from ..task import Task
from . import graph
from .arguments import working_in
from .parts import PartError, is_inside


def planned(directory: str, roots: Sequence[str], base: str, options: Options) -> None:
    """Write the graph of a project to a directory. Raises PartError and click.UsageError."""
    directory, base = os.path.abspath(directory), os.path.abspath(base)
    options = options.elsewhere()
    with working_in(base):
        task = Task.of(["."], options)
        for problem in task.found.problems:
            click.echo(f"{escape(problem.span.filename)}: {escape(problem.message)}", err=True)
        names = sorted(file.name.replace(os.sep, "/") for file in task.files)
        odd = next((name for name in names if not is_inside(name) or name.splitlines() != [name]), None)
        if odd is not None:
            raise PartError(f"{odd!r}: a file with this name cannot be in a graph; rename or exclude it")
        missing = next((root for root in roots if root not in names), None)
        if missing is not None:
            raise PartError(f"{missing}: is given as a root, but is not among the checked files; name one of them")
        places = _places(names)
        inputs = sorted({*_configurations(places, task), *([options.config_file] if options.config_file else [])})
    linking = list(_words(options))
    about = [*(word for root in roots for word in ("--root", root)), "--base", base]
    again = ["ninja", directory, *about, *linking]
    watched = [os.path.join(base, place) for place in places]
    report = list(_words(options, ("config", "isolated")))
    try:
        graph.write(graph.Plan(base, names, roots, inputs, watched, linking, report, again), directory)
    except OSError as error:
        raise PartError(f"{error.filename or directory}: could not be written: {error.strerror or error}") from error


def _places(names: Iterable[str]) -> list[str]:
    """Return the directories with files, and those above them."""
    found = {""}
    for name in names:
        place = os.path.dirname(name)
        while place not in found:
            found.add(place)
            place = os.path.dirname(place)
    return sorted(found)


def _configurations(places: Sequence[str], task: Task) -> Iterator[str]:
    """Yield the files that say how the project is set up; the working directory is its base."""
    here, top = os.getcwd(), os.path.abspath(task.settings.top)
    while here != top and here.startswith(os.path.join(top, "")):
        here = os.path.dirname(here)
        places = [*places, here]
    for place in places:
        for name in (*CONFIGURATIONS, *LOCKS):
            if os.path.isfile(os.path.join(place, name)):
                yield os.path.abspath(os.path.join(place, name))
        yield from map(os.path.abspath, glob.glob(os.path.join(glob.escape(place), "requirements*.txt")))
    for group in task.groups:
        if group.settings.extend:
            yield os.path.abspath(os.path.join(group.settings.root, os.path.expanduser(group.settings.extend)))


def _words(options: Options, only: Sequence[str] = ()) -> Iterator[str]:
    """Yield the options that were given, as the command line has them."""
    for each in fields(options):
        value = getattr(options, each.name)
        if value in (None, False, (), each.default) or (only and each.name not in only):
            continue
        for one in value if isinstance(value, tuple) else [value]:
            yield f"--{each.name.replace('_', '-')}"
            yield from [] if one is True else [str(one)]
