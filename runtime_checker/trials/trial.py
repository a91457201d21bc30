"""A trial: a call, what the facts believe of it, and what came of running it."""

from __future__ import annotations

import sys
import warnings
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

from ..observe import Watcher
from ..verify.examples import validating


@dataclass(frozen=True, slots=True)
class Trial:
    """One call: the least number of waits according to the facts, and how to run it.

    They may say nothing of waits here (`believed` is None), or nothing of where the tensors of the result are (`lives`
    is empty). `prepare` is run unwatched, and what it returns watched.
    """

    name: str
    variant: str
    believed: int | None
    prepare: Callable[[], Callable[[], object]]
    lives: str = ""


@dataclass(frozen=True, slots=True)
class Result:
    """The outcome of a trial; `seen` is None where it could not be run, and `note` says why or by what it waited."""

    trial: Trial
    seen: int | None
    note: str = ""
    lives: str = ""

    @property
    def is_absent(self) -> bool:
        """Whether there is nothing to try: a method that is declared and not implemented."""
        return self.seen is None and self.note.startswith("NotImplementedError")

    @property
    def agrees(self) -> bool:
        """Whether facts and run say the same: no wait, or at least as many as believed; and where the result is."""
        if self.seen is None:
            return True
        if self.trial.lives and self.lives and self.trial.lives != self.lives:
            return False
        if self.trial.believed is None:
            return True
        return (self.seen > 0) == (self.trial.believed > 0) and self.seen >= self.trial.believed


def run(trial: Trial, watch: Callable[[], Watcher]) -> Result:
    """Try one call, with distributions that validate, whatever ran in this process before."""
    try:
        with quiet(), validating():
            call = trial.prepare()
            with watch() as watcher:
                returned = call()
    except Exception as error:
        return Result(trial, None, f"{type(error).__name__}: {error}".partition("\n")[0])
    counted: dict[str, int] = {}
    for wait in watcher.waits:
        counted[wait.operator] = counted.get(wait.operator, 0) + 1
    note = ", ".join(f"{count} {name}" for name, count in sorted(counted.items()))
    return Result(trial, len(watcher.waits), note, _lives(returned))


@contextmanager
def quiet() -> Iterator[None]:
    """Silence warnings, except in Python 3.10, where that would change what is watched."""
    with warnings.catch_warnings(action="ignore") if sys.version_info >= (3, 11) else warnings.catch_warnings():
        yield


def _lives(returned: Any) -> str:
    """Return where all tensors of a result are, or nothing."""
    found = {each.device.type for each in _tensors(returned)}
    return found.pop() if len(found) == 1 else ""


def _tensors(value: Any) -> Iterator[Any]:
    if hasattr(value, "storage_offset"):
        yield value
    elif isinstance(value, (tuple, list)):
        for each in value:
            yield from _tensors(each)
