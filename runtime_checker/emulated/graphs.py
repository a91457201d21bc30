"""CUDA graphs on the emulated device: the operators are captured that the CPU computes, and a launch does so again.

The stubs know which streams are captured and what that forbids (`stubs/cudart.c`). Nothing runs while a graph is
captured, so that at the end memory holds what it held before.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from enum import IntEnum
from typing import Any, Final

import torch


class Event(IntEnum):
    """What the stubs tell of a graph, by its number."""

    ENDED = 0
    LAUNCHED = 1
    DESTROYED = 2


@dataclass(slots=True)
class Graph:
    """What has been captured: the steps that a launch runs, and what was in memory that they have written to."""

    steps: list[Callable[[], object]] = field(default_factory=list)
    before: list[tuple[torch.Tensor, torch.Tensor]] = field(default_factory=list)

    def keep(self, target: torch.Tensor) -> None:
        """Remember what is in memory, as a CPU tensor sees it."""
        self.before.append((target, target.clone()))

    def end(self) -> None:
        """Put back what was in memory."""
        for target, values in reversed(self.before):
            target.copy_(values)
        self.before.clear()

    def launch(self) -> None:
        """Compute again, on the same memory."""
        for step in self.steps:
            step()


_GRAPHS: Final[dict[int, Graph]] = {}


def captured() -> Graph | None:
    """Return the graph that the current stream is captured in."""
    if not torch.cuda.is_current_stream_capturing():
        return None
    from .load import capturing

    return _GRAPHS.setdefault(capturing(), Graph())


FORGIVING: Final[list[Callable[[str], None]]] = []
"""Who is told of what torch refuses in a capture, so that the program can go on; nobody by default."""


def is_forgiven(error: Exception) -> bool:
    """Whether an error is that of a capture, and somebody is told of it instead."""
    words = str(error).split("\n")[0]
    if not FORGIVING or "captur" not in words or captured() is None:
        return False
    FORGIVING[-1](words)
    return True


def told(number: int, event: int) -> None:
    """Do what the end of a capture, or the launch of a graph, does."""
    if event == Event.DESTROYED:
        _GRAPHS.pop(number, None)
    elif (graph := _GRAPHS.get(number)) is not None:
        with torch._C.DisableTorchFunction(), torch._C._AutoDispatchBelowAutograd():
            graph.launch() if event == Event.LAUNCHED else graph.end()


def overwrite(values: Any, targets: list[torch.Tensor]) -> None:
    """Write what was computed again where it was written before."""
    for target, value in zip(targets, values):
        if isinstance(value, torch.Tensor):
            target.copy_(value)


def as_launched(value: Any, original: Any) -> Any:
    """Return an argument as a launch has it: a number of the host as it was."""
    is_number = isinstance(original, torch.Tensor) and not original.is_cuda and not original.dim()
    return value.clone() if is_number else value
