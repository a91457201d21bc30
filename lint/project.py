"""The files of one run, each read and analysed on its own: here, or in worker processes when there are many."""

from __future__ import annotations

import os
import traceback
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from .source import Source, Unreadable, in_deep_stack, parse, read, start_of
from .suppress import Suppression, suppressions

if TYPE_CHECKING:
    from .inference.summary import FileSummary

ENOUGH_FOR_WORKERS: Final = 200
"""With fewer files than this, starting processes costs more than it saves."""


@dataclass(frozen=True, slots=True)
class File:
    """One file to check. `named` says that the user gave its name; `data` is its content where it has no file.

    `root` is the project's directory, `gpu_names` are the names that the settings say are devices on the GPU.
    """

    name: str
    named: bool = False
    data: bytes | None = None
    root: str = ""
    gpu_names: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Failure:
    """An error of our own: the file it happened in, the part of the linter, the exception and its traceback."""

    filename: str
    part: str
    error: str
    trace: str

    @classmethod
    def of(cls, filename: str, part: str, error: Exception) -> Failure:
        """The failure that an exception means."""
        text = f"{type(error).__name__}: {error}".split("\n")[0]
        return cls(filename, part, text, "".join(traceback.format_exception(error)))


@dataclass(frozen=True, slots=True)
class Checked:
    """What became of one file; all is empty for a file that cannot matter."""

    filename: str
    summary: FileSummary | None = None
    suppressions: tuple[Suppression, ...] = ()
    unreadable: Unreadable | None = None
    failure: Failure | None = None


def processors() -> int:
    """How many processors this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def check_files(files: Sequence[File], jobs: int | None = None) -> Iterator[Checked]:
    """What became of each file, in any order. Without `jobs`, many files are shared among all processors."""
    if jobs is None:
        jobs = processors() if len(files) > ENOUGH_FOR_WORKERS else 1
    jobs = min(jobs, len(files))
    if jobs <= 1:
        yield from map(check_file, files)
        return
    from .workers import check_in_workers

    yield from check_in_workers(files, jobs)


def check_file(file: File) -> Checked:
    """Read and analyse one file. Never raises: an error of our own is part of the answer."""
    try:
        if file.data is None:
            source = read(file.name, file.name, file.named)
        else:
            source = parse(file.data, file.name, file.named)
        if source is None:
            return Checked(file.name)
        if isinstance(source, Unreadable):
            return Checked(file.name, unreadable=source)
        return _analysed(source, file)
    except Exception as error:
        return Checked(file.name, failure=Failure.of(file.name, "the analysis", error))


def _analysed(source: Source, file: File) -> Checked:
    from .inference import interpreter

    try:
        try:
            summary = interpreter.analyse(source, file.root, file.gpu_names)
        except RecursionError:
            summary = in_deep_stack(lambda: interpreter.analyse(source, file.root, file.gpu_names))
    except (RecursionError, MemoryError):
        message = "is nested too deeply to be analysed; exclude it"
        return Checked(source.filename, unreadable=Unreadable(start_of(source.filename), message))
    return Checked(source.filename, summary, suppressions(source))
