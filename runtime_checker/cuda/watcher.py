"""A real GPU: every wait of the host, through torch's sync debug mode and through what that mode cannot see.

Four senses, joined so that each wait is told once:

- the debug mode's warning says *that* an operator has waited, with the stack it was called from (`warning_hook`).
  Waits in backward arrive there, too, in the thread and at the line that called `backward()`.
- the GPU trace says *when* a wait begins, and hears event and device synchronisation. It calls Python at each
  allocation, so it is for runs, not for tests that only forbid.
- wrappers around copies and synchronising calls see staged copies, and time what they wrap (`patches`).
- the profiler, on request, sees what escapes all of them (`profile`).

The hooks themselves belong to the process: see `senses`.
"""

from __future__ import annotations

from collections.abc import Sequence
from types import TracebackType
from typing import Any

from ..observe import Frame, Kind, Origin, Wait, origin_of
from .senses import SENSES, Listen


def watch_cuda(
    roots: Sequence[str] = (), *, trace: bool = True, profile: bool = False, listen: Listen | None = None
) -> CudaWatcher:
    """Return a watcher of the GPU; user lines are those in `roots`, or outside installed libraries.

    `trace` uses the GPU trace, for blocked times and for waits inside C++. `profile` adds, when the watcher is left,
    what only torch's profiler has seen. `listen` hears the runtime itself, where it is one that tells. Raises
    NoCudaError when entered where there is no CUDA.
    """
    return CudaWatcher(roots, trace, profile, listen)


class CudaWatcher:
    """Collects the waits of the whole process while entered."""

    def __init__(self, roots: Sequence[str], trace: bool, profile: bool, listen: Listen | None) -> None:
        self.waits: list[Wait] = []
        self._roots = tuple(roots)
        self._trace = trace
        self._profile = profile
        self._listen = listen
        self.has_clock = listen is None  # what listens to the runtime runs on stubs, where nothing takes its time
        self._profiler: Any = None
        self._origins: dict[tuple[Frame, ...], Origin] = {}

    @property
    def device(self) -> str:
        """The GPU's name."""
        import torch

        # Asking for the name would start CUDA in a process that has not used it and may still fork.
        if not torch.cuda.is_initialized():  # type: ignore[no-untyped-call]
            return "CUDA device (not used)"
        try:
            return str(torch.cuda.get_device_name())
        except RuntimeError:  # after an assertion on the device it answers nothing any more
            return "CUDA device"

    def __enter__(self) -> CudaWatcher:
        """Start watching."""
        # The profiler synchronises the device when it starts and stops: nobody listens to that.
        if self._profile:
            from .profile import start

            self._profiler = start()
        SENSES.add(self._hear, self._trace, self._listen)
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """Stop watching; restore hooks, mode and filters."""
        SENSES.remove(self._hear)
        if self._profiler is not None:
            from .profile import missing

            self.waits.extend(missing(self._profiler, self.waits, self._roots))

    def _hear(self, stack: tuple[Frame, ...], operator: str, kind: Kind, seconds: float | None) -> None:
        origin = self._origins.get(stack)
        if origin is None:  # few stacks wait again and again: they are kept once
            origin = self._origins[stack] = origin_of(stack, self._roots)
        self.waits.append(origin.wait(operator, kind, seconds if self.has_clock else None))
