"""The backward passes that are under way: who called them, which the engine's own threads do not know.

In such a thread runs what a program has written for the backward pass: `Function.backward`, hooks, the forward of
checkpoints. What waits there belongs to the line that called `backward()`, and to the budget of that line.
"""

from __future__ import annotations

import sys
import threading
from collections.abc import Callable
from contextvars import Context, copy_context
from dataclasses import dataclass
from types import FrameType
from typing import Any, Final

from ..observe import Frame, stack_of

_NAME: Final = "_engine_run_backward"


@dataclass(frozen=True, slots=True)
class Call:
    """A call of the engine: by which thread and frame, in which context."""

    thread: int
    frame: FrameType
    context: Context

    def inside(self, stack: tuple[Frame, ...]) -> tuple[Frame, ...]:
        """Return the stack of a thread of the engine, continued by that of the caller."""
        return (*stack_of(self.frame), *stack)

    def run(self, function: Callable[..., None], *args: Any) -> None:
        """Call a function in the context of the caller, with what the engine's thread has set on top."""
        context = self.context.copy()
        for variable, value in copy_context().items():
            context.run(variable.set, value)
        context.run(function, *args)


class Backward:
    """The calls of the engine, while installed."""

    def __init__(self) -> None:
        self._calls: list[Call] = []
        self._undo: list[tuple[Any, Any]] = []

    def install(self) -> None:
        """Wrap the function by which Python calls the engine, wherever torch has imported it."""
        import torch

        for module in (torch.autograd.graph, torch.autograd):
            original = getattr(module, _NAME, None)
            if original is not None:
                setattr(module, _NAME, self._noting(original))
                self._undo.append((module, original))

    def uninstall(self) -> None:
        """Restore everything."""
        while self._undo:
            module, original = self._undo.pop()
            setattr(module, _NAME, original)

    def caller(self) -> Call | None:
        """Return the call for which this thread of the engine runs, the latest if there are several.

        Such a thread may call the engine again, as reentrant checkpoints do: that call is on its own stack.
        """
        here = threading.get_ident()
        others = [call for call in tuple(self._calls) if call.thread != here]
        return others[-1] if others and _is_engines() else None

    def _noting(self, original: Callable[..., Any]) -> Callable[..., Any]:
        def run_backward(*args: Any, **kwargs: Any) -> Any:
            call = Call(threading.get_ident(), sys._getframe(1), copy_context())
            self._calls.append(call)
            try:
                return original(*args, **kwargs)
            finally:
                self._calls.remove(call)

        return run_backward


def _is_engines() -> bool:
    """Whether this thread is one that the engine has started: it goes backward, and Python did not start it."""
    import torch

    is_foreign = isinstance(threading.current_thread(), threading._DummyThread)
    return is_foreign and torch._C._current_graph_task_id() != -1
