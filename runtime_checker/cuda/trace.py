"""The GPU trace, by which torch calls Python before it waits, and the calls whose warnings are lost without it.

While the trace is on, torch calls Python wherever memory of the device is freed, even with an exception in flight,
which then is lost: a SystemError arrives in its place. So it is on only for as long as somebody needs it. Source:
torch 2.6 to 2.15, c10/core/impl/GPUTrace.h.
"""

from __future__ import annotations

import contextlib
import ctypes
import functools
import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any, Final

_TRACED: Final = ("StreamSynchronizationCallbacks", "EventSynchronizationCallbacks", "DeviceSynchronizationCallbacks")
_CALL: Final = "__call__"
_STATE: Final = "_ZN3c104impl8GPUTrace9haveStateE"


class Traces:
    """The callbacks of the trace, while anything needs them."""

    def __init__(self, *callbacks: Callable[..., None]) -> None:
        self._callbacks = callbacks
        self._installed: list[tuple[Any, Callable[..., None]]] = []
        self._is_kept = False
        self._depth = 0

    def keep(self) -> None:
        """Leave the trace on until it is removed."""
        self._install()
        self._is_kept = True
        _switch(True)

    @contextmanager
    def meanwhile(self) -> Iterator[None]:
        """Have the trace on while entered."""
        self._install()
        self._depth += 1
        if not self._is_kept:
            _switch(True)
        try:
            yield
        finally:
            self._depth -= 1
            if not self._is_kept and not self._depth:
                _switch(False)

    def remove(self) -> None:
        """Switch the trace off, which torch itself never does, and remove the callbacks."""
        for registry, callback in self._installed:
            registry.callback_list.remove(callback)
        if self._installed:
            _switch(False)
        self._installed.clear()
        self._is_kept = False

    def _install(self) -> None:
        if self._installed:
            return
        import torch
        from torch.cuda import _gpu_trace

        torch._C._activate_gpu_trace()
        for name, callback in zip(_TRACED, self._callbacks, strict=True):
            registry = getattr(_gpu_trace, name)
            registry.add_callback(callback)
            self._installed.append((registry, callback))


class Operators:
    """Wrappers around `torch.ops`, whose warnings go past Python to the error stream.

    `within` is called with each call, and hears of its waits in another way.
    """

    def __init__(self, within: Callable[[Callable[[], Any]], Any]) -> None:
        self._within = within
        self._undo: list[tuple[Any, Any, Any]] = []

    def install(self) -> None:
        """Wrap both ways of calling an operator: with and without the name of the overload."""
        from torch._ops import OpOverload, OpOverloadPacket

        for owner in (OpOverload, OpOverloadPacket):
            original = owner.__call__
            wrapper = self._calling(original)
            self._undo.append((owner, original, wrapper))
            setattr(owner, _CALL, wrapper)

    def uninstall(self) -> None:
        """Restore them, unless somebody else has wrapped them since."""
        while self._undo:
            owner, original, wrapper = self._undo.pop()
            if getattr(owner, _CALL) is wrapper:
                setattr(owner, _CALL, original)

    def _calling(self, original: Callable[..., Any]) -> Callable[..., Any]:
        @functools.wraps(original)
        def __call__(*args: Any, **kwargs: Any) -> Any:  # noqa: N807
            return (
                self._within(functools.partial(original, *args, **kwargs)) if self._undo else original(*args, **kwargs)
            )

        return __call__


@functools.cache
def _state() -> Any:
    """Return the variable by which torch knows whether there is a trace; None where it cannot be found."""
    import torch

    with contextlib.suppress(OSError, ValueError):
        library = ctypes.CDLL(os.path.join(os.path.dirname(torch.__file__), "lib", "libc10.so"))
        return ctypes.c_bool.in_dll(library, _STATE)
    return None


def _switch(is_on: bool) -> None:
    state = _state()
    if state is not None:
        state.value = is_on
