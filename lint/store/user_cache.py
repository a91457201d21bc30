"""The user's cache directory, and the key in it by which the linter recognizes what it wrote itself.

The key is random, readable only by the user, and never part of what is checked: nothing that comes with a project can
pass for an entry of ours.
"""

from __future__ import annotations

import contextlib
import os
import stat
import sys
from collections.abc import Iterable
from functools import cache
from typing import Final

from ..files.paths import is_below
from ..limits import LARGEST_ENTRY

_KEY: Final = "key"
_KEY_SIZE: Final = 32
_REPARSE_POINT: Final = 0x400
"""The attribute of all kinds of Windows links, junctions included."""

_READING: Final = os.O_RDONLY | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_BINARY", 0)
_MAKING: Final = (
    os.O_WRONLY | os.O_CREAT | os.O_EXCL | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_BINARY", 0)
)  # O_EXCL: neither a file that is there nor what a link leads to is ever opened


class CacheError(Exception):
    """There is no cache for this run; the message is one line: why, and what to do."""


def user_cache() -> str:
    """Return the directory of this user's synclint caches. Raises CacheError."""
    place = os.environ.get("XDG_CACHE_HOME", "")
    if not os.path.isabs(place):
        place = _customary()
    if not os.path.isabs(place):
        raise CacheError("the user's cache directory is unknown; set XDG_CACHE_HOME")
    return os.path.join(place, "synclint")


def _customary() -> str:
    """Return where the system keeps users' caches."""
    if sys.platform == "win32":
        return os.environ.get("LOCALAPPDATA", "")
    return os.path.expanduser("~/Library/Caches" if sys.platform == "darwin" else "~/.cache")


def key_for(root: str) -> bytes:
    """Return the user's key for the cache of a project, creating it if needed. Raises CacheError."""
    place = user_cache()
    if is_below(os.path.join(os.path.realpath(place), ""), root):
        raise CacheError(f"{place} is inside the checked project; set XDG_CACHE_HOME to a directory outside it")
    return key(place)


@cache
def key(place: str) -> bytes:
    """Return the key in a user's cache directory, creating it if needed. Raises CacheError."""
    path = os.path.join(place, _KEY)
    try:
        if not os.path.lexists(path):
            _make_key(place, path)
        found = plain_file(path)
        info = os.lstat(path)
    except (OSError, ValueError) as error:
        raise CacheError(f"{path} could not be written or read: {_why(error)}; set XDG_CACHE_HOME") from error
    if len(found) != _KEY_SIZE:
        raise CacheError(f"{path} is not a synclint key; remove it")
    if os.name == "posix" and (info.st_uid != os.geteuid() or stat.S_IMODE(info.st_mode) & 0o077):
        raise CacheError(f"{path} is not private to this user; remove it, or set XDG_CACHE_HOME")
    return found


def _make_key(place: str, path: str) -> None:
    """Create the key as a whole; if two processes do so at once, the first one wins."""
    os.makedirs(place, 0o700, exist_ok=True)
    temporary = os.path.join(place, f"new-{os.urandom(8).hex()}")
    try:
        make_file(temporary, [os.urandom(_KEY_SIZE)])
        with contextlib.suppress(FileExistsError):
            _name(temporary, path)
    finally:
        with contextlib.suppress(OSError):
            os.remove(temporary)


def _name(temporary: str, path: str) -> None:
    """Give a file its name unless another has it. Raises FileExistsError."""
    try:
        os.link(temporary, path)
    except FileExistsError:
        raise
    except (OSError, AttributeError):  # no hard links there
        if os.path.lexists(path):
            raise FileExistsError(path) from None
        os.rename(temporary, path)


def _why(error: OSError | ValueError) -> str:
    return getattr(error, "strerror", None) or str(error)


def is_directory(path: str) -> bool:
    """Whether a path is a directory itself, not a link to one."""
    try:
        info = os.lstat(path)
    except (OSError, ValueError):
        return False
    return stat.S_ISDIR(info.st_mode) and not getattr(info, "st_file_attributes", 0) & _REPARSE_POINT


def plain_file(path: str) -> bytes:
    """Return the content of a file; nothing for a link, a pipe or a device. Raises OSError."""
    descriptor = os.open(path, _READING)
    with open(descriptor, "rb") as file:
        info = os.fstat(descriptor)
        if not stat.S_ISREG(info.st_mode) or info.st_size > LARGEST_ENTRY:
            return b""
        return file.read()


def make_file(path: str, data: Iterable[bytes]) -> None:
    """Write a new file, private to the user. Raises OSError, also if it exists."""
    with open(os.open(path, _MAKING, 0o600), "wb") as file:
        file.writelines(data)
