"""Runs the programs of one package on a device, and writes down what each line of the package did.

    python -m accuracy_programs PACKAGE FILE DEVICE

A JSON object a line: the program, and either the rows that ran and the waits of its measured step, or why it could not
be run. A program is named before it runs, so that one that kills the process is known, and is not run when the file is
continued.
"""

from __future__ import annotations

import contextlib
import importlib
import io
import json
import os
import random
import signal
import socket
import sys
import time
import warnings
from collections import Counter
from collections.abc import Callable, Iterator
from pathlib import Path
from types import FrameType
from typing import Any, Final

import torch
from synclint.runtime_checker.device import watch
from synclint.runtime_checker.observe import Wait, Watcher

from .program import MEASURED, Program, unique

SECONDS: Final = 20
"""No program may take longer, all its attempts to be built included."""


class TooLongError(BaseException):
    """A program took too long. Not an Exception, so that no search for arguments goes on."""


def execute(package: str, path: str, device: str) -> None:
    """Run all programs that the file does not know yet."""
    _forbid_downloads()
    torch.set_num_threads(1)
    warnings.simplefilter("ignore")
    known = {json.loads(line)["program"] for line in Path(path).read_text().splitlines()} if Path(path).exists() else ()
    module = importlib.import_module(f"accuracy_programs.{package}")
    root = str(Path(importlib.import_module(package).__file__ or "").parent)
    with open(path, "a", encoding="utf-8") as file, watch(device, [root], trace=False) as watcher:
        for program in unique(module.programs()):
            if program.name in known:
                continue
            print(json.dumps({"program": program.name, "begun": True}), file=file, flush=True)
            print(json.dumps({"program": program.name, **_run(program, watcher, root)}), file=file, flush=True)
            watcher.waits.clear()


def _forbid_downloads() -> None:
    """Weights and data sets are never fetched: what wants them cannot be built."""
    os.environ["HF_HUB_OFFLINE"] = "1"

    def refuse(*_: Any) -> None:
        raise OSError("nothing is downloaded here")

    socket.socket.connect = refuse  # type: ignore[method-assign, assignment]
    time.sleep = lambda _: None  # nobody has to wait before it is tried again


def _run(program: Program, watcher: Watcher, root: str) -> dict[str, Any]:
    """Build a program, make one step so that everything lazy is there, and measure the second step."""
    try:
        with _limited(), contextlib.redirect_stdout(io.StringIO()), contextlib.redirect_stderr(io.StringIO()):
            step = _after_seed(program.prepare)
            _after_seed(step)
            MEASURED.reset(watcher.waits, whole=program.whole)
            with followed(root):
                _after_seed(step)
            if program.whole:
                MEASURED.end()
    except (Exception, TooLongError, SystemExit) as error:
        return {"error": f"{type(error).__name__}: {error}".partition("\n")[0][:200]}
    rows = {name: sorted(found) for name, found in MEASURED.rows.items()}
    return {"rows": rows, "waits": _counted(MEASURED.waits, root)} if rows else {"error": "nothing of it ran"}


@contextlib.contextmanager
def followed(root: str) -> Iterator[None]:
    """Within: the rows of the package's files that run while something is measured are noted."""

    def entered(frame: FrameType, event: str, _: object) -> Any:
        if not frame.f_code.co_filename.startswith(root):
            return None
        rows = MEASURED.rows[frame.f_code.co_filename]

        def trace(frame: FrameType, event: str, _: object) -> Any:
            if event == "line" and MEASURED.active:
                rows.add(frame.f_lineno)
            return trace

        return trace

    sys.settrace(entered)
    try:
        yield
    finally:
        sys.settrace(None)


def _after_seed(function: Callable[[], Any]) -> Any:
    """Call with the same random numbers as always."""
    _seed()
    return function()


def _seed() -> None:
    torch.manual_seed(0)
    random.seed(0)
    with contextlib.suppress(ImportError):
        importlib.import_module("numpy").random.seed(0)


def _counted(waits: list[Wait], root: str) -> list[tuple[str, int, str, str, int]]:
    """The waits in the package's own lines, by line and operator."""
    counts = Counter((*wait.place, wait.operator, wait.kind) for wait in waits if wait.filename.startswith(root))
    return [(*key, count) for key, count in counts.items()]


@contextlib.contextmanager
def _limited() -> Iterator[None]:
    def stop(*_: object) -> None:
        raise TooLongError(f"took longer than {SECONDS} seconds")

    before = signal.signal(signal.SIGALRM, stop)
    signal.alarm(SECONDS)
    try:
        yield
    finally:
        signal.alarm(0)
        signal.signal(signal.SIGALRM, before)
