"""What we need again once a program has ended, whatever it did to its process: streams, hooks, and the end itself."""

from __future__ import annotations

import atexit
import contextlib
import os
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any, Final, TextIO

_STREAMS: Final = ("stdout", "stderr")
_GRACE: Final = 2.0
"""The seconds in which threads may end by themselves once a program has been stopped."""


@contextmanager
def kept() -> Iterator[None]:
    """Have our streams and `sys.exit` back at the end, whatever was closed or replaced while entered."""
    before = {name: (getattr(sys, name), _copy(getattr(sys, name))) for name in _STREAMS}
    leave, hook = sys.exit, sys.excepthook
    try:
        yield
    finally:
        for name, (stream, copy) in before.items():
            flush(getattr(sys, name, None))
            setattr(sys, name, _usable(stream, copy))
        sys.exit, sys.excepthook = leave, hook


def flush(stream: Any) -> None:
    """Flush a stream, if it is one that can be."""
    with contextlib.suppress(Exception):
        stream.flush()


def _copy(stream: Any) -> int | None:
    """Return a descriptor of our own for what a stream writes to."""
    with contextlib.suppress(OSError, ValueError, AttributeError):
        return os.dup(stream.fileno())
    return None


def _usable(stream: Any, copy: int | None) -> TextIO:
    """Return the stream, or one to the same place if the program has closed it or sent it elsewhere."""
    found: TextIO = stream
    if copy is None:
        return found
    with contextlib.suppress(OSError, ValueError):
        if os.path.sameopenfile(stream.fileno(), copy):
            os.close(copy)
            return found
    return open(copy, "w", encoding="utf-8", errors="backslashreplace", buffering=1)


def threads_left() -> tuple[str, ...]:
    """Return the names of the threads that would keep the process from ending, after a moment in which they may end."""
    until = time.monotonic() + _GRACE
    others = [each for each in threading.enumerate() if not each.daemon and each is not threading.current_thread()]
    found = []
    for thread in others:
        if thread is not threading.main_thread():
            thread.join(max(0.0, until - time.monotonic()))
            found += [thread.name] if thread.is_alive() else []
    return tuple(found)


def end(code: int) -> None:
    """End the process as Python would, but without waiting for threads."""
    atexit._run_exitfuncs()
    for name in _STREAMS:
        flush(getattr(sys, name, None))
    os._exit(code)
