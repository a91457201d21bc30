"""Files are replaced as a whole or not at all."""

from __future__ import annotations

import contextlib
import errno
import os
import stat
from pathlib import Path

from .unfinished import new_name, remove_unfinished
from .user_cache import make_file


def write(file: str | Path, data: bytes, tree: str | Path | None = None) -> None:
    """Replace the file's content with the data, or create the file. Raises OSError, leaving everything as it was.

    A link stays a link, but one that leads out of the `tree`, if that is given, is not written through. The file keeps
    its permissions, its owner and its other names (hard links); one that is write-protected is not written.
    """
    path = os.path.realpath(file)
    if tree is not None and os.path.islink(file) and not path.startswith(os.path.join(os.path.realpath(tree), "")):
        raise PermissionError(errno.EPERM, f"it is a link that leads out of the project, to {path}", str(file))
    try:
        found = os.stat(path)
    except FileNotFoundError:
        _replace(path, data, 0o666 & ~_umask())
        return
    if not stat.S_ISREG(found.st_mode):
        raise OSError(errno.EINVAL, "it is no regular file", path)
    if not os.access(path, os.W_OK):
        raise PermissionError(errno.EACCES, "it is write-protected", path)
    is_ours = not hasattr(os, "geteuid") or found.st_uid == os.geteuid()
    if found.st_nlink > 1 or not is_ours or not os.access(os.path.dirname(path), os.W_OK):
        _overwrite(path, data)
    else:
        _replace(path, data, stat.S_IMODE(found.st_mode))


def _replace(path: str, data: bytes, mode: int) -> None:
    """Write another file and give it the name."""
    remove_unfinished()
    with new_name(os.path.dirname(path)) as temporary:
        try:
            make_file(temporary, [data])
            os.chmod(temporary, mode)
            os.replace(temporary, path)
        except BaseException:
            with contextlib.suppress(OSError):
                os.unlink(temporary)
            raise


def _overwrite(path: str, data: bytes) -> None:
    """Write into the file itself, where another one in its place would not be the same; undone where that fails."""
    with open(path, "r+b") as stream:
        before = stream.read()
    try:
        _fill(path, data)
    except BaseException:
        _fill(path, before)
        raise


def _fill(path: str, data: bytes) -> None:
    with open(path, "r+b") as stream:
        stream.write(data)
        stream.truncate()


def _umask() -> int:
    mask = os.umask(0)
    os.umask(mask)
    return mask
