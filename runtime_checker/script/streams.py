"""Standard output and error as they were before a program ran, whatever it has made of them."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from typing import TextIO


@contextmanager
def kept_streams() -> Iterator[None]:
    """Give the streams back at the end: a program may replace and close them, and the report comes afterwards."""
    before, spare = (sys.stdout, sys.stderr), (_spare(1), _spare(2))
    try:
        yield
    finally:
        for stream in (sys.stdout, sys.stderr):
            with suppress(OSError, ValueError, AttributeError):
                stream.flush()
        sys.stdout, sys.stderr = (_usable(stream, handle) for stream, handle in zip(before, spare))


def _spare(number: int) -> int:
    """Return another handle for a stream, or none for one that is closed."""
    try:
        return os.dup(number)
    except OSError:
        return -1


def _usable(stream: TextIO, handle: int) -> TextIO:
    """Return the stream, or if it is closed one for the handle."""
    if handle < 0:
        return stream
    if stream is None or not stream.closed:
        os.close(handle)
        return stream
    return open(handle, "w", encoding="utf-8", errors="backslashreplace")
