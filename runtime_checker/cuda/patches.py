"""Wrappers around torch calls that wait without a warning, or whose warning omits the direction or duration.

- Copies: `Tensor.to`, `cuda` and `copy_`. With `non_blocking=True` they only return at once if the host's side is
  pinned and dense; otherwise the driver copies through memory of its own, the host waits, and no debug mode says so.
- `torch.cuda.synchronize` and `Event.synchronize`, which the debug mode does not cover.
- `torch.cuda.empty_cache`, which waits if there is memory to give back.

The class `Tensor` itself keeps its methods: only tensors have the wrapped ones. Subclasses compare the functions that
their `__torch_function__` is given with `torch.Tensor.to`, which therefore has to stay what it is.
"""

from __future__ import annotations

import functools
import threading
import time
from collections.abc import Callable
from types import MethodType
from typing import Any, Final, Protocol

from ..observe import Kind
from ..staging import is_direct

_MISSING: Final = object()
COPIES: Final = ("to", "cuda", "copy_")


class Report(Protocol):
    """Called with a wait that a wrapper saw itself; the stack is that of the caller."""

    def __call__(self, operator: str, kind: Kind, seconds: float) -> None:
        """Report the wait."""


class Current(threading.local):
    """The wrapped call that this thread is in: since when, and the direction of a copy."""

    started: float | None = None
    kind: Kind | None = None
    synchronizes = False


class Patches:
    """The wrappers while they are installed; one that somebody has kept only passes calls on afterwards."""

    def __init__(self, report: Report) -> None:
        self.current = Current()
        self._report = report
        self._undo: list[Callable[[], None]] = []

    def install(self) -> None:
        """Wrap the calls."""
        import torch

        for name in COPIES:
            self._replace(torch.Tensor, name, self._copying)
        for owner in (torch.cuda, torch.cuda.Event, torch.Event, getattr(torch, "accelerator", None)):
            if owner is not None and hasattr(owner, "synchronize"):
                self._replace(owner, "synchronize", self._synchronizing)
        for owner in (torch.cuda.Stream, torch.Stream):
            self._replace(owner, "synchronize", self._timed)
        self._replace(torch.cuda, "empty_cache", self._freeing)

    def uninstall(self) -> None:
        """Restore everything."""
        while self._undo:
            self._undo.pop()()

    def _replace(
        self, owner: Any, name: str, wrapping: Callable[[str, Callable[..., Any]], Callable[..., Any]]
    ) -> None:
        own = vars(owner).get(name, _MISSING)  # methods of Tensor are inherited from a class written in C
        original = getattr(owner, name)
        wrapper = functools.wraps(original)(wrapping(name, original))
        replacement = _OfTensors(original, wrapper) if name in COPIES else wrapper
        try:
            setattr(owner, name, replacement)
        except TypeError:  # a class written in C accepts no new attributes; the GPU trace sees what it does
            return

        def undo() -> None:
            if vars(owner).get(name) is not replacement:
                return
            if own is _MISSING:
                delattr(owner, name)
            else:
                setattr(owner, name, own)

        self._undo.append(undo)

    def _copying(self, name: str, original: Callable[..., Any]) -> Callable[..., Any]:
        def wrapper(tensor: Any, *args: Any, **kwargs: Any) -> Any:
            if not self._undo or self.current.started is not None:
                return original(tensor, *args, **kwargs)
            source = (args[0] if args else kwargs.get("src", tensor)) if name == "copy_" else tensor
            with _In(self.current, "copy to host" if _is_on_gpu(source) else "copy to device") as current:
                result = original(tensor, *args, **kwargs)
            if _asks_not_to_wait(name, args, kwargs) and (kind := staged(name, source, result)):
                self._report(name, kind, current.seconds)
            return result

        return wrapper

    def _synchronizing(self, name: str, original: Callable[..., Any]) -> Callable[..., Any]:
        def wrapper(*args: Any, **kwargs: Any) -> Any:
            if not self._undo or self.current.synchronizes:
                return original(*args, **kwargs)
            self.current.synchronizes = True
            started = time.perf_counter()
            try:
                return original(*args, **kwargs)
            finally:
                self.current.synchronizes = False
                self._report(name, "synchronize", time.perf_counter() - started)

        return wrapper

    def _timed(self, _: str, original: Callable[..., Any]) -> Callable[..., Any]:
        def wrapper(*args: Any, **kwargs: Any) -> Any:
            if not self._undo or self.current.started is not None:
                return original(*args, **kwargs)
            with _In(self.current, "synchronize"):
                return original(*args, **kwargs)

        return wrapper

    def _freeing(self, name: str, original: Callable[..., Any]) -> Callable[..., Any]:
        def wrapper() -> Any:
            import torch

            if not self._undo or not torch.cuda.is_initialized():  # type: ignore[no-untyped-call]
                return original()
            reserved, started = torch.cuda.memory_reserved(), time.perf_counter()
            self.current.synchronizes = True
            try:
                result = original()
            finally:
                self.current.synchronizes = False
            if torch.cuda.memory_reserved() < reserved:
                self._report(name, "allocator", time.perf_counter() - started)
            return result

        return wrapper


class _OfTensors:
    """A method that is wrapped where it is called on a tensor, and itself where it is looked up on the class."""

    def __init__(self, original: Any, wrapper: Callable[..., Any]) -> None:
        self._original, self._wrapper = original, wrapper

    def __get__(self, tensor: Any, owner: Any = None) -> Any:
        return self._original if tensor is None else MethodType(self._wrapper, tensor)


class _In:
    """Set the thread's current call while entered; afterwards `seconds` tells how long it took."""

    def __init__(self, current: Current, kind: Kind) -> None:
        self._current, self._kind = current, kind
        self.seconds = 0.0

    def __enter__(self) -> _In:
        self._started = self._current.started = time.perf_counter()
        self._current.kind = self._kind
        return self

    def __exit__(self, *_: object) -> None:
        self._current.started = self._current.kind = None
        self.seconds = time.perf_counter() - self._started


def _is_on_gpu(tensor: Any) -> bool:
    return getattr(getattr(tensor, "device", None), "type", "") == "cuda"


def _asks_not_to_wait(name: str, args: tuple[Any, ...], kwargs: dict[str, Any]) -> bool:
    """Whether a copy was requested with `non_blocking`, by name or by position as the first bool."""
    if "non_blocking" in kwargs:
        return bool(kwargs["non_blocking"])
    flags = [each for each in args if isinstance(each, bool)]
    if name == "copy_" and "src" in kwargs:
        return bool(args and args[0])
    return bool(flags and flags[0])


def staged(name: str, source: Any, result: Any) -> Kind | None:
    """Return the kind of wait of a copy that was asked not to wait but does; None if it really returns at once.

    `to("cpu")` allocates pinned memory itself, so only `copy_` can write to pageable memory.
    """
    to_device = _is_on_gpu(result) and not _is_on_gpu(source)
    to_host = _is_on_gpu(source) and not _is_on_gpu(result)
    if to_device and not _is_ready(source, result):
        return "copy to device"
    if to_host and name == "copy_" and not _is_ready(result, source):
        return "copy to host"
    return None


def _is_ready(host: Any, other: Any) -> bool:
    """Whether the host's side of a copy needs no staging: pinned, and read or written where it is."""
    try:
        return not host.numel() or bool(host.is_pinned() and is_direct(host, other))
    except (RuntimeError, NotImplementedError):  # sparse and other tensors without strides
        return False
