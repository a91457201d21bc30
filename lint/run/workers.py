"""Worker processes that check files; one that dies or hangs costs the file it was at, not the run."""

from __future__ import annotations

import contextlib
import gc
import multiprocessing
import os
import signal
import sys
import threading
import time
from collections import deque
from collections.abc import Iterator, Sequence
from multiprocessing.connection import Connection, wait
from typing import Any, Final

from .. import limits
from ..bounds.limit import OutOfTime, end_after_limit
from ..files.source import Unreadable, start_of
from .file import Checked, Failure, File
from .project import check_file

PATIENCE: Final = 600.0
"""Seconds after which a file is given up whatever its process does, be it nothing at all."""

_READY: Final = "ready"
_CONTEXT: Final[Any] = multiprocessing.get_context("fork" if sys.platform == "linux" else "spawn")


class Worker:
    """One process, which knows all files from the beginning, and the file it is at."""

    def __init__(self, files: Sequence[File]) -> None:
        self.pipe, theirs = _CONTEXT.Pipe()
        self.process = _CONTEXT.Process(target=_serve, args=(theirs, os.getpid(), files), daemon=True)
        with _in_trusted_folder():
            self.process.start()
        theirs.close()
        self.files = files
        self.file: File | None = None
        self.deadline = time.monotonic() + PATIENCE

    def give(self, number: int) -> None:
        """Name the next file; a process that is already dead says so when it is asked for the result."""
        self.file = self.files[number]
        self.deadline = time.monotonic() + PATIENCE
        with contextlib.suppress(OSError):
            self.pipe.send(number)

    def stop(self) -> None:
        """End the process, whatever it does."""
        self.process.kill()
        self.process.join()
        self.pipe.close()


@contextlib.contextmanager
def _in_trusted_folder() -> Iterator[None]:
    """Start a new Python where the standard library is: it looks for its first modules in the current directory."""
    if _CONTEXT.get_start_method() == "fork":
        yield
        return
    here = os.getcwd()
    os.chdir(os.path.dirname(os.__file__))
    try:
        yield
    finally:
        os.chdir(here)


def _end_with_parent(parent: int) -> None:
    """End this process when its parent has gone without a word, whatever it is at."""
    if sys.platform == "win32":
        process = multiprocessing.parent_process()
        assert process is not None
        process.join()
    while sys.platform != "win32" and os.getppid() == parent:
        time.sleep(1)
    os._exit(1)


def _serve(pipe: Connection, parent: int, files: Sequence[File]) -> None:
    """Check files until nobody asks for more; Ctrl-C is for the parent to handle."""
    threading.Thread(target=_end_with_parent, args=(parent,), daemon=True).start()
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    gc.set_threshold(100_000, 50, 50)  # as in the parent, where the process is not a copy of it
    limits.taken()  # those of the parent, where the process is a copy of it
    pipe.send(_READY)
    while True:
        try:
            file = files[pipe.recv()]
        except (EOFError, OSError):
            return
        end_after_limit()
        checked = check_file(file)
        try:
            pipe.send((checked, limits.taken()))
        except Exception as error:
            failure = Failure.of(file.name, "handing over the analysis", error)
            pipe.send((Checked(file.name, failure=failure), []))


def check_in_workers(files: Sequence[File], jobs: int) -> Iterator[Checked]:
    """Yield what became of each file, in the order in which they finish.

    If no worker can be started, the files are checked in this process.
    """
    todo = deque(range(len(files)))
    crew: list[Worker] = []
    try:
        while todo or any(worker.file for worker in crew):
            while len(crew) < min(jobs, len(todo)):
                crew.append(Worker(files))
            for worker in _answering(crew):
                yield from _next(worker, crew, todo)
    except (_NoWorkersError, BlockingIOError):
        begun = [worker.file for worker in crew if worker.file]
        yield from map(check_file, [*begun, *(files[number] for number in todo)])
    finally:
        for worker in crew:
            worker.stop()


class _NoWorkersError(Exception):
    """A worker died before it was ready for its first file."""


def _answering(crew: list[Worker]) -> list[Worker]:
    """Return the workers that have a result, or have exceeded their time."""
    first = min(worker.deadline for worker in crew)
    said = wait([worker.pipe for worker in crew], max(0.0, first - time.monotonic()))
    now = time.monotonic()
    return [worker for worker in crew if worker.pipe in said or worker.deadline <= now]


def _next(worker: Worker, crew: list[Worker], todo: deque[int]) -> Iterator[Checked]:
    """Take a worker's result and give it the next file; without a result or a file, let it go."""
    file, answer = worker.file, _answer(worker)
    if file is None and answer != _READY:
        raise _NoWorkersError
    worker.file = None
    if isinstance(answer, Checked):
        yield answer
    elif file is not None and isinstance(answer, str):
        yield Checked(file.name, unreadable=Unreadable(start_of(file.name), answer))
    if todo and (isinstance(answer, Checked) or file is None):
        worker.give(todo.popleft())
    else:
        crew.remove(worker)
        worker.stop()


def _answer(worker: Worker) -> Checked | str:
    """Return the worker's result, or why there is none."""
    if not worker.pipe.poll():
        return f"took longer than {PATIENCE:g} s to analyse; exclude it"
    try:
        answer: tuple[Checked, list[limits.Met]] | str = worker.pipe.recv()
    except (EOFError, OSError):
        worker.process.join(1)
        if worker.process.exitcode == -getattr(signal, "SIGXCPU", 0):
            return f"{OutOfTime()} to analyse; exclude it"
        return "crashed the process that analysed it; exclude it"
    if isinstance(answer, str):
        return answer
    checked, met = answer
    limits.note(met)
    return checked
