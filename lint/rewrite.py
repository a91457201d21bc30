"""Files are replaced as a whole or not at all."""

from __future__ import annotations

import contextlib
import errno
import os
import tempfile
from pathlib import Path


def write(file: str | Path, data: bytes) -> None:
    """Put the data in place of the file's content, or make the file. Raises OSError and then leaves all as it was.

    A link stays a link, and the file keeps its permissions; one that is write-protected is not replaced.
    """
    path = os.path.realpath(file)
    exists = os.path.exists(path)
    if exists and not os.access(path, os.W_OK):
        raise PermissionError(errno.EACCES, "it is write-protected", path)
    handle, temporary = tempfile.mkstemp(prefix=".synclint-", dir=os.path.dirname(path))
    try:
        with os.fdopen(handle, "wb") as stream:
            stream.write(data)
        os.chmod(temporary, os.stat(path).st_mode & 0o7777 if exists else 0o666 & ~_umask())
        os.replace(temporary, path)
    except BaseException:
        with contextlib.suppress(OSError):
            os.unlink(temporary)
        raise


def _umask() -> int:
    mask = os.umask(0)
    os.umask(mask)
    return mask
