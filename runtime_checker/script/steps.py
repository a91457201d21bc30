"""Counts a program's steps by its optimizers, and marks where each ends in the record of waits."""

from __future__ import annotations

import os
import time
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any

from ..observe import Ledger, Wait
from .program import Enough


@dataclass(frozen=True, slots=True)
class Window:
    """The measured part of a run: its waits, how many steps, and how long a step was.

    `before` and `after` are the numbers of waits outside. Without steps everything is measured, and per step nothing
    is known.
    """

    ledger: Ledger
    step_seconds: float | None = None
    skipped: int = 0
    before: int = 0
    after: int = 0


@dataclass(slots=True)
class Steps:
    """The ends of steps: how many waits there were, and when.

    A program with several optimizers makes a step when the one that steps most often does.
    """

    waits: Sequence[Wait]
    limit: int | None = None
    marks: list[tuple[int, float]] = field(default_factory=list)
    _counts: Counter[int] = field(default_factory=Counter)
    _process: int = field(default_factory=os.getpid)

    def stepped(self, optimizer: object, *_: object) -> None:
        """An optimizer has stepped. Raises Enough when there were as many steps as wanted."""
        if os.getpid() != self._process:
            return
        self._counts[id(optimizer)] += 1
        if self._counts[id(optimizer)] > len(self.marks):
            self.marks.append((len(self.waits), time.perf_counter()))
        if self.limit is not None and len(self.marks) >= self.limit:
            raise Enough(0)

    def window(self, warmup: int) -> Window:
        """What was measured: from the end of the warm-up to the end of the last step.

        Of a run that is shorter than its warm-up the last step is measured. A first step that is measured begins with
        the program.
        """
        if not self.marks:
            return Window(Ledger(self.waits))
        skipped = min(warmup, len(self.marks) - 1)
        start, started = self.marks[skipped - 1] if skipped else (0, None)
        end, ended = self.marks[-1]
        steps = len(self.marks) - skipped
        seconds = (ended - started) / steps if started is not None else None
        return Window(Ledger(self.waits[start:end], steps), seconds, skipped, start, len(self.waits) - end)


@contextmanager
def counted(steps: Steps) -> Iterator[None]:
    """Within: optimizers tell when they have stepped."""
    handle: Any = None
    try:
        from torch.optim.optimizer import register_optimizer_step_post_hook

        handle = register_optimizer_step_post_hook(steps.stepped)
    except ImportError:  # an old or broken torch: then nobody counts
        pass
    try:
        yield
    finally:
        if handle is not None:
            handle.remove()
