"""Pairs the beginning of each wait with its end: pure bookkeeping that imports neither torch nor a clock.

The GPU trace announces a wait before it begins, the debug mode's warning arrives when the operator has returned. Both
come from the same instruction of the same frame, which identifies them. An operator may wait several times.
"""

from __future__ import annotations

import threading
from collections import defaultdict, deque
from collections.abc import Callable
from dataclasses import dataclass
from typing import Final, TypeAlias

from ..observe import Frame

Instruction: TypeAlias = tuple[int, int]
"""A live frame's identity and the offset of its current instruction."""

MOST_STRAYS: Final = 10_000


@dataclass(slots=True)
class Start:
    """An announced wait: when, by which instruction, with which stack, and when it was over, once known."""

    at: float
    instruction: Instruction
    stack: tuple[Frame, ...]
    operator: str
    end: float | None = None


class Pairs:
    """The announced waits of each thread that have not ended yet.

    `lost` is called with those whose end never came: the operator raised, or the program switched the debug mode off.
    """

    def __init__(self, lost: Callable[[Start], None]) -> None:
        self._lost = lost
        self._open: dict[int, deque[Start]] = defaultdict(deque)
        self.strays: deque[float] = deque(maxlen=MOST_STRAYS)
        """Waits announced by threads without Python frames, those of the backward engine, that await their warning."""

    def begin(self, start: Start) -> None:
        """Note that a wait of this thread is about to begin."""
        waiting = self._open[threading.get_ident()]
        while waiting and waiting[0].instruction != start.instruction:
            self._lost(waiting.popleft())
        waiting.append(start)

    def end(self, instruction: Instruction, now: float) -> float | None:
        """End a wait of this thread; return how long it was, or None if it was never announced."""
        waiting = self._open[threading.get_ident()]
        while waiting and waiting[0].instruction != instruction:
            self._lost(waiting.popleft())
        if not waiting:
            if self.strays:
                self.strays.popleft()
            return None
        if waiting[0].end is None:  # the first warning of the operator: all its waits are over
            ends = [*(start.at for start in list(waiting)[1:]), now]
            for start, at in zip(waiting, ends, strict=True):
                start.end = at
        first = waiting.popleft()
        return (first.end or now) - first.at

    def drain(self) -> None:
        """Report the remaining waits of this thread: what announced them has returned, and no warning follows."""
        waiting = self._open[threading.get_ident()]
        while waiting:
            self._lost(waiting.popleft())

    def flush(self) -> None:
        """Report all remaining waits: nothing more will end."""
        for waiting in list(self._open.values()):
            while waiting:
                self._lost(waiting.popleft())
        self._open.clear()
        self.strays.clear()
