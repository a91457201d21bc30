"""Calls that recurse deeply, run in threads of their own: on a large stack, or on one more of the usual size."""

from __future__ import annotations

import sys
from collections.abc import Callable
from typing import TYPE_CHECKING, Final, TypeVar

if TYPE_CHECKING:
    from threading import Event

_LARGE: Final = 512 * 1024 * 1024
_DEEP_RECURSION: Final = 100_000
_SHALLOW: Final = 300
"""So many calls within each other leave most of a stack of the usual size."""

T = TypeVar("T")


def in_deep_stack(call: Callable[[], T]) -> T:
    """Return the result of a call that recurses deeply, run in a thread with a large stack.

    Raises what the call raises, and RecursionError if no such thread can be started.
    """
    import threading

    limit, size = sys.getrecursionlimit(), threading.stack_size()
    try:
        threading.stack_size(_LARGE)
        sys.setrecursionlimit(_DEEP_RECURSION)
        return on_fresh_stack(call)
    except ValueError as error:
        raise RecursionError("no thread with a large stack can be started") from error
    finally:
        sys.setrecursionlimit(limit)
        threading.stack_size(size)


def is_shallow() -> bool:
    """Whether the stack of this thread holds so few calls that a new one would hardly have more room."""
    frame = sys._getframe(1)
    for _ in range(_SHALLOW):
        if frame.f_back is None:
            return True
        frame = frame.f_back
    return False


def on_fresh_stack(call: Callable[[], T]) -> T:
    """Return the result of a call, run in a new thread so that its recursion starts from nothing.

    Raises what the call raises, and RecursionError where no thread can be started. What interrupts the wait for the
    thread, such as a limit of time, interrupts the call.
    """
    import threading

    done = threading.Event()
    outcome: list[T] = []
    errors: list[BaseException] = []

    def work() -> None:
        try:
            outcome.append(call())
        except BaseException as error:
            errors.append(error)
        finally:
            done.set()

    thread = threading.Thread(target=work, daemon=True)
    try:
        thread.start()
    except RuntimeError as error:
        raise RecursionError("no thread can be started") from error
    _wait(done, thread.ident or 0)
    if errors:
        raise errors[0]
    return outcome[0]


def _wait(done: Event, thread: int) -> None:
    """Wait for a thread, a second at a time: if it received a signal, that is handled when the main thread runs."""
    while not done.is_set():
        try:
            done.wait(1)
        except BaseException as error:  # noqa: PERF203
            _raise_in(thread, type(error))


def _raise_in(thread: int, error: type[BaseException]) -> None:
    """Raise an exception in another thread, as soon as it runs Python."""
    import ctypes

    ctypes.pythonapi.PyThreadState_SetAsyncExc(ctypes.c_ulong(thread), ctypes.py_object(error))
