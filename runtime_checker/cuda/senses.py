"""The hooks of the process: installed with the first watcher, removed with the last, shared by all."""

from __future__ import annotations

import sys
import threading
import time
from collections.abc import Callable
from types import FrameType
from typing import Any, Final, TypeAlias

from ..device import DeviceError
from ..observe import HERE, Frame, Kind, stack_of
from .backward import Backward
from .operators import KINDS, operator_at
from .pairs import Instruction, Pairs, Start
from .patches import Patches
from .trace import Operators, Traces
from .warning_hook import WarningHook

WARN: Final = 1


class NoCudaError(DeviceError):
    """There is no CUDA device to watch, or this PyTorch cannot use one."""


Listen: TypeAlias = Callable[[Callable[[str], None] | None], None]
"""How to be notified of each waiting runtime call that raises no warning; None stops it."""
Listener: TypeAlias = Callable[[tuple[Frame, ...], str, Kind, float | None], None]


class Senses:
    """The hooks of the process, shared by all watchers."""

    def __init__(self) -> None:
        self._lock = threading.RLock()
        self._listeners: list[Listener] = []
        self._hook = WarningHook(self._warned)
        self._pairs = Pairs(self._lost)
        self._patches = Patches(self._called)
        self._operators = Operators(self._within)
        self._backward = Backward()
        self._mode = 0
        self._traces = Traces(self._stream, self._event, self._device)
        self._listen: Listen | None = None

    def add(self, listener: Listener, trace: bool, listen: Listen | None) -> None:
        """Report each wait to a listener from now on."""
        with self._lock:
            if not self._listeners:
                self._install()
            self._listeners.append(listener)
            if trace:
                self._traces.keep()
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
            self._operators.install()
            self._backward.install()
        except BaseException:
            self._uninstall()
            raise
        self._hook.forward = self._mode == WARN

    def _uninstall(self) -> None:
        self._traces.remove()
        if self._listen is not None:
            self._listen(None)
            self._listen = None
        self._backward.uninstall()
        self._operators.uninstall()
        self._patches.uninstall()
        self._hook.forward = False
        _debug_mode()[1](self._mode)
        self._hook.uninstall()
        self._pairs.flush()

    def _within(self, call: Callable[[], Any]) -> Any:
        """Call what warns past Python, and hear of its waits by the trace, which runs no longer than that."""
        if self._listen is not None or not self._listeners:
            return call()
        with self._traces.meanwhile():
            try:
                return call()
            finally:
                self._pairs.drain()

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
        frame = _caller() or self._frame_of_backward()
        if frame is not None and not self._patches.current.synchronizes:
            operator, kind = operator_at(frame)
            is_explicit = kind == "unknown" and not call.endswith("StreamSynchronize")
            self._tell(stack_of(frame), operator, "synchronize" if is_explicit else kind, None)

    def _called(self, operator: str, kind: Kind, seconds: float) -> None:
        self._tell(stack_of(sys._getframe(1)), operator, kind, seconds)

    def _lost(self, start: Start) -> None:
        self._tell(start.stack, start.operator, KINDS.get(start.operator, "unknown"), None)

    def _tell(self, stack: tuple[Frame, ...], operator: str, kind: Kind, seconds: float | None) -> None:
        caller = self._backward.caller()
        for listener in tuple(self._listeners):
            if caller is None:
                listener(stack, operator, kind, seconds)
            else:
                caller.run(listener, caller.inside(stack), operator, kind, seconds)

    def _frame_of_backward(self) -> FrameType | None:
        """Return the frame that called the engine, in a thread of the engine that is in no Python function."""
        caller = self._backward.caller()
        return caller.frame if caller else None


SENSES: Final = Senses()


def _debug_mode() -> tuple[Callable[[], int], Callable[[int], None]]:
    """Return how to read and set the mode; the private functions do not start CUDA, so the program may still fork."""
    import torch

    get = getattr(torch._C, "_cuda_get_sync_debug_mode", None)
    set_mode = getattr(torch._C, "_cuda_set_sync_debug_mode", None)
    if get is None or set_mode is None:
        raise NoCudaError("this PyTorch was built without CUDA")
    return get, set_mode


def _instruction(frame: FrameType) -> Instruction:
    return id(frame), frame.f_lasti


def _caller() -> FrameType | None:
    """Return the frame that called the operator whose trace calls us; None in a thread without Python."""
    return _outside(sys._getframe(1))


def _outside(frame: FrameType | None) -> FrameType | None:
    """Return the innermost frame that is neither ours nor in torch's callback registry."""
    while frame is not None and (frame.f_code.co_filename.startswith(HERE) or frame.f_code.co_name == "fire_callbacks"):
        frame = frame.f_back
    return frame
