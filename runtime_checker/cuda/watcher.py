"""A real GPU: every wait of the host, through torch's sync debug mode and through what that mode cannot see.

Four senses, joined so that each wait is told once:

- the debug mode's warning says *that* an operator has waited, with the stack it was called from (`warning_hook`).
  Waits in backward arrive there, too, in the thread and at the line that called `backward()`.
- the GPU trace says *when* a wait begins, and hears event and device synchronisation. It calls Python at each
  allocation, so it is for runs, not for tests that only forbid.
- wrappers around copies and synchronising calls see staged copies, and time what they wrap (`patches`).
- the profiler, on request, sees what escapes all of them (`profile`).

Hooks and mode belong to the process: they are installed with the first watcher and removed with the last.
"""

from __future__ import annotations

import contextlib
import ctypes
import os
import sys
import threading
import time
from collections.abc import Callable, Sequence
from types import FrameType, TracebackType
from typing import Any, Final, TypeAlias

from ..device import DeviceError
from ..observe import HERE, Frame, Kind, Origin, Wait, origin_of, stack_of
from .operators import KINDS, operator_at
from .pairs import Instruction, Pairs, Start
from .patches import Patches
from .warning_hook import WarningHook

WARN: Final = 1
_TRACED: Final = ("StreamSynchronizationCallbacks", "EventSynchronizationCallbacks", "DeviceSynchronizationCallbacks")


class NoCudaError(DeviceError):
    """There is no CUDA device to watch, or this PyTorch cannot use one."""


Listen: TypeAlias = Callable[[Callable[[str], None] | None], None]
"""How to hear of each call of the runtime that waits and that no warning tells; None ends it."""


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
        _SENSES.add(self._hear, self._trace, self._listen)
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """Stop watching; restore hooks, mode and filters."""
        _SENSES.remove(self._hear)
        if self._profiler is not None:
            from .profile import missing

            self.waits.extend(missing(self._profiler, self.waits, self._roots))

    def _hear(self, stack: tuple[Frame, ...], operator: str, kind: Kind, seconds: float | None) -> None:
        origin = self._origins.get(stack)
        if origin is None:  # few stacks wait again and again: they are kept once
            origin = self._origins[stack] = origin_of(stack, self._roots)
        self.waits.append(origin.wait(operator, kind, seconds))


Listener = Callable[[tuple[Frame, ...], str, Kind, float | None], None]


class _Senses:
    """The hooks of the process, shared by all watchers."""

    def __init__(self) -> None:
        self._lock = threading.RLock()
        self._listeners: list[Listener] = []
        self._hook = WarningHook(self._warned)
        self._pairs = Pairs(self._lost)
        self._patches = Patches(self._called)
        self._mode = 0
        self._traces: list[tuple[Any, Callable[..., None]]] = []
        self._listen: Listen | None = None

    def add(self, listener: Listener, trace: bool, listen: Listen | None) -> None:
        """Report each wait to a listener from now on."""
        with self._lock:
            if not self._listeners:
                self._install()
            self._listeners.append(listener)
            if trace and not self._traces:
                self._install_trace()
            if listen is not None and self._listen is None:
                self._listen = listen
                listen(self._silent)

    def remove(self, listener: Listener) -> None:
        """Stop reporting to a listener."""
        with self._lock:
            if len(self._listeners) == 1:
                self._uninstall()  # while somebody still listens to what is left over
            self._listeners.remove(listener)

    def _install(self) -> None:
        get, set_mode = _debug_mode()
        self._mode = get()
        self._hook.forward = False  # what torch says about the mode itself is not the program's concern
        self._hook.install()
        try:
            set_mode(WARN)
            self._patches.install()
        except BaseException:
            self._uninstall()
            raise
        self._hook.forward = self._mode == WARN

    def _uninstall(self) -> None:
        for registry, callback in self._traces:
            registry.callback_list.remove(callback)
        if self._traces:
            _switch_trace(False)
        self._traces.clear()
        if self._listen is not None:
            self._listen(None)
            self._listen = None
        self._patches.uninstall()
        self._hook.forward = False
        _debug_mode()[1](self._mode)
        self._hook.uninstall()
        self._pairs.flush()

    def _install_trace(self) -> None:
        import torch
        from torch.cuda import _gpu_trace

        torch._C._activate_gpu_trace()
        _switch_trace(True)
        for name, callback in zip(_TRACED, (self._stream, self._event, self._device), strict=True):
            registry = getattr(_gpu_trace, name)
            registry.add_callback(callback)
            self._traces.append((registry, callback))

    # What the senses say. Each of these runs in the thread that waits.

    def _warned(self, frame: FrameType) -> None:
        """Note that an operator that waited has returned."""
        now = time.perf_counter()
        current = self._patches.current
        outside = _outside(frame)
        seconds = self._pairs.end(_instruction(outside), now) if outside else None
        if seconds is None and current.started is not None:
            seconds = now - current.started
        operator, kind = operator_at(frame)
        self._tell(stack_of(frame), operator, current.kind if kind == "unknown" and current.kind else kind, seconds)

    def _stream(self, *_: object) -> None:
        """Note that the host is about to wait for a stream; a warning will follow if all goes well."""
        self._hook.rearm()
        frame = _caller()
        if frame is None:
            self._pairs.strays.append(time.perf_counter())
            return
        operator, _kind = operator_at(frame)
        self._pairs.begin(Start(time.perf_counter(), _instruction(frame), stack_of(frame), operator))

    def _event(self, *_: object) -> None:
        self._unwarned("event synchronize")

    def _device(self, *_: object) -> None:
        self._unwarned("device synchronize")

    def _unwarned(self, operator: str) -> None:
        """Note that the host is about to wait without a warning; an enclosing wrapper reports it, with the time."""
        frame = _caller()
        if frame is not None and self._listen is None and not self._patches.current.synchronizes:
            self._tell(stack_of(frame), operator, "synchronize", None)

    def _silent(self, call: str) -> None:
        """The runtime waits, and torch has not warned."""
        frame = _caller() or _of_backward()
        if frame is not None and not self._patches.current.synchronizes:
            operator, kind = operator_at(frame)
            is_explicit = kind == "unknown" and not call.endswith("StreamSynchronize")
            self._tell(stack_of(frame), operator, "synchronize" if is_explicit else kind, None)

    def _called(self, operator: str, kind: Kind, seconds: float) -> None:
        self._tell(stack_of(sys._getframe(1)), operator, kind, seconds)

    def _lost(self, start: Start) -> None:
        self._tell(start.stack, start.operator, KINDS.get(start.operator, "unknown"), None)

    def _tell(self, stack: tuple[Frame, ...], operator: str, kind: Kind, seconds: float | None) -> None:
        for listener in tuple(self._listeners):
            listener(stack, operator, kind, seconds)


_SENSES: Final = _Senses()


def _debug_mode() -> tuple[Callable[[], int], Callable[[int], None]]:
    """Return how to read and set the mode; the private functions do not start CUDA, so the program may still fork."""
    import torch

    get = getattr(torch._C, "_cuda_get_sync_debug_mode", None)
    set_mode = getattr(torch._C, "_cuda_set_sync_debug_mode", None)
    if get is None or set_mode is None:
        raise NoCudaError("this PyTorch was built without CUDA")
    return get, set_mode


def _switch_trace(is_on: bool) -> None:
    """Switch the activated trace, which torch itself never does.

    While it is on, torch calls Python wherever memory of the device is freed, even with an exception in flight, which
    then is lost: a SystemError arrives in its place. Source: torch 2.6 to 2.15, c10/core/impl/GPUTrace.h.
    """
    import torch

    with contextlib.suppress(OSError, ValueError):
        library = ctypes.CDLL(os.path.join(os.path.dirname(torch.__file__), "lib", "libc10.so"))
        ctypes.c_bool.in_dll(library, "_ZN3c104impl8GPUTrace9haveStateE").value = is_on


def _instruction(frame: FrameType) -> Instruction:
    return id(frame), frame.f_lasti


def _caller() -> FrameType | None:
    """Return the frame that called the operator whose trace calls us; None in a thread without Python."""
    return _outside(sys._getframe(1))


def _of_backward() -> FrameType | None:
    """The frame that waits for the engine's threads to go backward, if there is but one."""
    found = [frame for frame in sys._current_frames().values() if frame.f_code.co_name == "_engine_run_backward"]
    return found[0] if len(found) == 1 else None


def _outside(frame: FrameType | None) -> FrameType | None:
    """Return the innermost frame that is neither ours nor in torch's callback registry."""
    while frame is not None and (frame.f_code.co_filename.startswith(HERE) or frame.f_code.co_name == "fire_callbacks"):
        frame = frame.f_back
    return frame
