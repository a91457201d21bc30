"""A CUDA device for machines that have none: real values, computed by the CPU, that answer as if they lived on a GPU.

    with watch_simulated() as watcher:
        model.to("cuda")(inputs.cuda()).sum().item()
    print(watcher.waits)
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from types import TracebackType

from .observe import Wait
from .simulated_device import NAME, Device
from .simulated_dispatch import DispatchMode
from .simulated_function import FunctionMode
from .simulated_patches import installed
from .simulated_waits import version_of

_LOCK = threading.RLock()
_ACTIVE: list[tuple[Device, ExitStack]] = []


class SimulatedWatcher:
    """Makes a CUDA device and watches it.

    A watcher inside another one shares its device. `roots` are the files and directories of the user's; without them
    everything that is not an installed library counts. `torch_version` is the version whose GPU code is modelled.
    """

    def __init__(self, roots: Sequence[str] = (), torch_version: str | None = None) -> None:
        self.waits: list[Wait] = []
        self._roots = tuple(roots)
        self._version = version_of(torch_version) if torch_version else None
        self._stack: ExitStack | None = None

    @property
    def device(self) -> str:
        """What is watched."""
        return NAME

    def __enter__(self) -> SimulatedWatcher:
        with ExitStack() as stack:
            device = stack.enter_context(_shared_device(self._version))
            watched = (self.waits, self._roots)
            device.watchers.append(watched)
            stack.callback(_remove, device.watchers, watched)
            self._stack = stack.pop_all()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        stack, self._stack = self._stack, None
        if stack is not None:
            stack.close()


def watch_simulated(roots: Sequence[str] = (), torch_version: str | None = None) -> SimulatedWatcher:
    """A simulated CUDA device, as a context manager that lists what waited for it."""
    return SimulatedWatcher(roots, torch_version)


def _remove(items: list[tuple[list[Wait], tuple[str, ...]]], item: tuple[list[Wait], tuple[str, ...]]) -> None:
    """Remove that very item, not one that equals it."""
    items[:] = [each for each in items if each[0] is not item[0]]


@contextmanager
def _shared_device(version: tuple[int, int] | None) -> Iterator[Device]:
    """The device that is there already, or a new one, with this thread watched."""
    with _LOCK:
        if _ACTIVE:
            device, _ = _ACTIVE[-1]
            fresh = False
        else:
            device, fresh = Device(version), True
    if not fresh:
        yield device
        return
    watch_thread = _modes_of(device)
    with ExitStack() as stack:
        stack.enter_context(installed(device, watch_thread))
        stack.enter_context(watch_thread())
        _ACTIVE.append((device, stack))
        stack.callback(_ACTIVE.pop)
        yield device


def _modes_of(device: Device) -> Callable[[], ExitStack]:
    def enter() -> ExitStack:
        with ExitStack() as stack:
            stack.enter_context(DispatchMode(device))
            stack.enter_context(FunctionMode(device))
            return stack.pop_all()

    return enter
