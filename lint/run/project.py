"""The files of one run, each read and analysed on its own: here, or in worker processes if there are many."""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from functools import partial
from typing import TYPE_CHECKING

from .. import limits
from ..bounds.limit import OutOfTime, limited
from ..bounds.stack import in_deep_stack
from ..declared import Declared
from ..files.modules import Modules
from ..files.source import Source, Unreadable, content, parse, start_of, text_of
from ..limits import ENOUGH_FILES
from ..suppression.suppress import suppressions
from .cache import Cache
from .file import Checked, Failure, File, has_company

if TYPE_CHECKING:
    from ..inference.notes.mentions import Mentions


def processors() -> int:
    """Return how many processors this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def check_files(files: Sequence[File], jobs: int | None = None) -> Iterator[Checked]:
    """Yield what became of each file, in any order; without `jobs`, many files are shared among all processors."""
    unknown = []
    for file in files:
        known = Cache(file.project).get(file)
        if known is None:
            unknown.append(file)
        else:
            yield known
    if jobs is None:
        jobs = processors() if len(unknown) > ENOUGH_FILES else 1
    jobs = min(jobs, len(unknown))
    if jobs <= 1:
        yield from map(check_file, unknown)
        return
    from .workers import check_in_workers

    yield from check_in_workers(unknown, jobs)


def check_file(file: File) -> Checked:
    """Read and analyse one file and store the result; never raises, since an internal error is part of the result."""
    limits.at(file.name)
    try:
        with limited():
            return _checked(file)
    except OutOfTime as error:
        return Checked(file.name, unreadable=Unreadable(start_of(file.name), f"{error} to analyse; exclude it"))
    except Exception as error:
        return Checked(file.name, failure=Failure.of(file.name, "the analysis", error))
    finally:
        limits.at("")


def _checked(file: File) -> Checked:
    data = content(file.name, file.name) if file.data is None else file.data
    if isinstance(data, Unreadable):
        return Checked(file.name, unreadable=data)
    wanted = file.named or file.connected or Declared(file.project.facts).mentioned(data)
    source = parse(data, file.name, wanted)
    if source is None or isinstance(source, Unreadable):
        text = text_of(data, file.name) if has_company(file) else ""
        return Checked(file.name, unreadable=source, mentions=_mentions(text, file) if isinstance(text, str) else None)
    return Cache(file.project).keep(file, data, _analysed(source, file))


def _analysed(source: Source, file: File) -> Checked:
    from ..inference.reading import interpreter

    project = file.project
    analyse = partial(
        interpreter.analyse,
        source,
        project.modules or Modules(project.root, [file.name]),
        project.gpu_names,
        project.calls,
        project.facts,
        project.default_device,
    )
    try:
        try:
            summary = analyse()
        except RecursionError:
            summary = in_deep_stack(analyse)
    except (RecursionError, MemoryError):
        message = "is nested too deeply to be analysed; exclude it"
        return Checked(source.filename, unreadable=Unreadable(start_of(source.filename), message))
    return Checked(source.filename, summary, suppressions(source), source.broken, mentions=_mentions(source.text, file))


def _mentions(text: str, file: File) -> Mentions | None:
    """Return what a file mentions, which matters only to others."""
    if not has_company(file):
        return None
    from ..inference.notes.mentions import mentions

    return mentions(text, file.name)
