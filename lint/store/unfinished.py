"""Names under which files are being written, so that the next run can remove what a killed one has left behind.

A name is random and on record before a file has it: whoever finds the file under that name knows that it is ours. The
records are signed, in the user's cache directory, and locked by the run that writes.
"""

from __future__ import annotations

import contextlib
import hashlib
import os
import re
import sys
from collections.abc import Iterator
from typing import Final

from .user_cache import CacheError, is_directory, key, key_for, make_file, plain_file, user_cache

_RECORDS: Final = "unfinished"
_NAME: Final = re.compile(r"\.synclint-[0-9a-f]{32}")
_RECORD: Final = re.compile(r"[0-9a-f]{32}")
_CODE_SIZE: Final = 32


@contextlib.contextmanager
def new_name(directory: str) -> Iterator[str]:
    """Give the path of a file that is not there yet, in a directory; it is on record until the block ends."""
    number = os.urandom(16).hex()
    path = os.path.join(directory, f".synclint-{number}")
    with contextlib.ExitStack() as left:
        with contextlib.suppress(OSError, CacheError):  # only a kill would be the worse for it
            key_for(directory)
            record = os.path.join(_records(), number)
            left.callback(_remove, record)
            make_file(record, [_signed(os.fsencode(path))])
            left.callback(os.close, _locked(record))
        yield path


def remove_unfinished() -> None:
    """Remove the files that killed runs were writing, and nothing that has another name."""
    with contextlib.suppress(OSError, CacheError):
        if not is_directory(place := _records(make=False)):
            return
        for each in os.listdir(place):
            if _RECORD.fullmatch(each):
                _finish(os.path.join(place, each))


def _finish(record: str) -> None:
    """Remove what a record is about, unless the run that made it is still alive."""
    with contextlib.suppress(OSError, ValueError, CacheError):
        handle = _locked(record, waits=False)
        try:
            data = plain_file(record)
            path = os.fsdecode(data[_CODE_SIZE:])
            if sys.platform == "win32":
                os.close(handle)
                handle = -1
                os.remove(record)  # refused while it is open in the run that made it
            if data == _signed(os.fsencode(path)) and _NAME.fullmatch(os.path.basename(path)):
                _remove(path)
            _remove(record)
        finally:
            if handle >= 0:
                os.close(handle)


def _locked(record: str, waits: bool = True) -> int:
    """Open a record and lock it. Raises OSError, without waiting also where another run has locked it."""
    handle = os.open(record, os.O_RDONLY | getattr(os, "O_NOFOLLOW", 0))
    if sys.platform != "win32":
        import fcntl

        try:
            fcntl.flock(handle, fcntl.LOCK_EX | (0 if waits else fcntl.LOCK_NB))
        except OSError:
            os.close(handle)
            raise
    return handle


def _records(make: bool = True) -> str:
    """Return the directory of the records. Raises OSError, CacheError."""
    place = os.path.join(user_cache(), _RECORDS)
    if make:
        os.makedirs(place, 0o700, exist_ok=True)
    return place


def _signed(path: bytes) -> bytes:
    return hashlib.blake2b(path, digest_size=_CODE_SIZE // 2, key=key(user_cache())).hexdigest().encode() + path


def _remove(path: str) -> None:
    with contextlib.suppress(OSError):
        os.remove(path)
