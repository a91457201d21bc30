"""Reads files of the checked tree: only regular ones, and only up to a size.

A hostile or careless tree has links to devices, pipes that nobody writes to, and files without end where files are
expected. Whatever is read of it is read here.
"""

from __future__ import annotations

import errno
import os
import stat
from pathlib import Path
from typing import Final

from ..limits import LARGEST_FILE

_FLAGS: Final = os.O_RDONLY | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_NOCTTY", 0) | getattr(os, "O_BINARY", 0)
_CHUNK: Final = 1 << 20


class NotReadError(OSError):
    """There is a file, but not one that is read; `strerror` says what it is and what to do."""

    def __init__(self, reason: str, path: str | Path) -> None:
        super().__init__(errno.EINVAL, reason, os.fspath(path))


def read(path: str | Path, largest: int = LARGEST_FILE) -> bytes:
    """Return the bytes of a regular file. Raises OSError, also for what is none (NotReadError), and never blocks."""
    try:
        handle = os.open(path, _FLAGS)
    except OSError as error:
        if error.errno == errno.ENXIO:
            raise NotReadError("it is a socket, not a file; remove or exclude it", path) from error
        raise
    except ValueError as error:  # a null byte in the name
        raise NotReadError("no file can have this name", path) from error
    try:
        found = os.fstat(handle)
        if not stat.S_ISREG(found.st_mode):
            raise NotReadError(f"it is {kind(found.st_mode)}, not a file; remove or exclude it", path)
        return _bytes(handle, found.st_size, largest, path)
    finally:
        os.close(handle)


def _bytes(handle: int, size: int, largest: int, path: str | Path) -> bytes:
    parts: list[bytes] = []
    length = 0
    while length <= largest and size <= largest:
        part = os.read(handle, max(size - length, 0) + 1 if size - length < _CHUNK else _CHUNK)
        if not part:
            return b"".join(parts) if len(parts) != 1 else parts[0]
        parts.append(part)
        length += len(part)
    raise NotReadError(f"it is larger than {largest >> 20} MiB; exclude it", path)


def kind(mode: int) -> str:
    """Return what kind of thing a path is that is not a regular file."""
    if stat.S_ISDIR(mode):
        return "a directory"
    if stat.S_ISFIFO(mode):
        return "a named pipe"
    return "a socket" if stat.S_ISSOCK(mode) else "a device"
