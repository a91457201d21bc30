"""A CUDA device for machines without one: real values, computed by the CPU, that behave as if they were on a GPU.

with watch_simulated() as watcher:
    model.to("cuda")(inputs.cuda()).sum().item()
print(watcher.waits)
"""

from __future__ import annotations

import threading
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from types import TracebackType

from ..observe import Wait
from .device import NAME, Device
from .dispatch import DispatchMode
from .function import FunctionMode
from .patches import install
from .waits import version_of

_LOCK = threading.RLock()
_ACTIVE: list[_Shared] = []


@dataclass(slots=True)
class _Shared:
    """The process's device, what has been replaced for it, and how many watchers use it."""

    device: Device
    replaced: ExitStack
    users: int = 0


class SimulatedWatcher:
    """Creates a CUDA device and watches it.

    A nested watcher shares the outer one's device. `roots` are the user's files and directories; without them,
    everything outside installed libraries counts. `torch_version` is the version whose GPU code is modelled.
    """

    has_clock = False

    def __init__(self, roots: Sequence[str] = (), torch_version: str | None = None) -> None:
        self.waits: list[Wait] = []
        self._roots = tuple(roots)
        self._version = version_of(torch_version) if torch_version else None
        self._stack: ExitStack | None = None

    @property
    def device(self) -> str:
        """The name of what is watched."""
        return NAME

    def __enter__(self) -> SimulatedWatcher:
        with ExitStack() as stack:
            device = _join(self._version)
            stack.callback(_leave)
            if not device.here.watched:
                stack.enter_context(_modes(device))
            watched = (self.waits, self._roots)
            device.watchers.append(watched)
            stack.callback(_remove, device.watchers, self.waits)
            self._stack = stack.pop_all()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        stack, self._stack = self._stack, None
        if stack is not None:
            stack.close()


def watch_simulated(roots: Sequence[str] = (), torch_version: str | None = None) -> SimulatedWatcher:
    """Return a simulated CUDA device, as a context manager that lists what waited for it."""
    return SimulatedWatcher(roots, torch_version)


def is_active() -> bool:
    """Whether there is a simulated device, which answers for torch.cuda."""
    return bool(_ACTIVE)


def _remove(watchers: list[tuple[list[Wait], tuple[str, ...]]], waits: list[Wait]) -> None:
    """Remove the watcher with this very list, not one with an equal list."""
    watchers[:] = [each for each in watchers if each[0] is not waits]


def _join(version: tuple[int, int] | None) -> Device:
    """Return the existing device, or a new one."""
    with _LOCK:
        if not _ACTIVE:
            device = Device(version)
            with ExitStack() as stack:
                install(stack, device, lambda: _modes(device))
                _ACTIVE.append(_Shared(device, stack.pop_all()))
        _ACTIVE[-1].users += 1
        return _ACTIVE[-1].device


def _leave() -> None:
    """Restore everything if nobody uses the device any more."""
    with _LOCK:
        shared = _ACTIVE[-1]
        shared.users -= 1
        if not shared.users:
            _ACTIVE.remove(shared)
            shared.replaced.close()


@contextmanager
def _modes(device: Device) -> Iterator[None]:
    """Watch this thread with modes of its own."""
    with DispatchMode(device), FunctionMode(device):
        device.here.watched = True
        try:
            yield
        finally:
            device.here.watched = False
