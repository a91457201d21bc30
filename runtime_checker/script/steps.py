"""Counts a program's steps by its optimizers, and marks the end of each in the record of waits."""

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
    """The measured part of a run: its waits, how many steps, and how long a step took.

    `before` and `after` are the numbers of waits outside it. Without steps everything is measured, and nothing is known
    per step.
    """

    ledger: Ledger
    step_seconds: float | None = None
    skipped: int = 0
    before: int = 0
    after: int = 0


@dataclass(slots=True)
class Steps:
    """The ends of steps: how many waits there had been, and when.

    In a program with several optimizers, the one that steps most often makes the steps.
    """

    waits: Sequence[Wait]
    limit: int | None = None
    marks: list[tuple[int, float]] = field(default_factory=list)
    started: float = field(default_factory=time.perf_counter)
    _counts: Counter[int] = field(default_factory=Counter)
    _process: int = field(default_factory=os.getpid)

    def stepped(self, optimizer: object, *_: object) -> None:
        """Note that an optimizer has stepped. Raises Enough after the requested number of steps."""
        if os.getpid() != self._process:
            return
        self._counts[id(optimizer)] += 1
        if self._counts[id(optimizer)] > len(self.marks):
            self.marks.append((len(self.waits), time.perf_counter()))
        if self.is_done:
            raise Enough(0)

    @property
    def is_done(self) -> bool:
        """Whether the requested number of steps has run."""
        return self.limit is not None and len(self.marks) >= self.limit

    def window(self, warmup: int) -> Window:
        """Return what was measured: from the end of the warm-up to the end of the last step.

        If a run is shorter than its warm-up, its last step is measured. If the first step is measured, it begins with
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
    """Call a function after each optimizer step, while entered."""
    handle: Any = None
    try:
        from torch.optim.optimizer import register_optimizer_step_post_hook

        handle = register_optimizer_step_post_hook(steps.stepped)
    except ImportError:  # an old or broken torch: steps are not counted
        pass
    try:
        yield
    finally:
        if handle is not None:
            handle.remove()
