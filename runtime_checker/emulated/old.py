"""Keeps the folders of stubs in the cache few. Only what is ours beyond doubt is deleted, file by file."""

from __future__ import annotations

import contextlib
import os
import re
import time
from pathlib import Path
from typing import Final

MARK: Final = "static char handle[4096];\n"
"""The first line of each generated source."""
KEPT: Final = 8
"""Folders, those that were used last."""
_ABANDONED_AFTER: Final = 86400
"""Seconds after which a build that has not become a folder is taken for one that was killed."""
_FOLDER: Final = re.compile(r"torch[\w.+]+-[0-9a-f]{16}")
_BUILD: Final = re.compile(r"\.torch[\w.+]+-[0-9a-f]{16}-\w+")
_FILE: Final = re.compile(r"(?:lib)?(\w+)\.(?:c|map|so[.\d]*)")


def used(folder: Path) -> None:
    """Remember that the stubs of a folder are in use."""
    with contextlib.suppress(OSError):
        os.utime(folder)


def forget(cache: Path) -> None:
    """Delete the folders that were not used for longest, and what builds that were killed have left."""
    with contextlib.suppress(OSError):
        folders = [each for each in cache.iterdir() if each.is_dir() and not each.is_symlink()]
        ages = {each: time.time() - each.stat().st_mtime for each in folders}
        old = sorted((each for each in folders if _FOLDER.fullmatch(each.name)), key=ages.__getitem__)[KEPT:]
        killed = [each for each in folders if _BUILD.fullmatch(each.name) and ages[each] > _ABANDONED_AFTER]
        for folder in (*old, *killed):
            _delete(folder)


def _delete(folder: Path) -> None:
    """Delete a folder of stubs, unless anything else is in it."""
    files = list(folder.iterdir())
    if all(_is_ours(file) for file in files):
        for file in files:
            file.unlink(missing_ok=True)
        folder.rmdir()


def _is_ours(file: Path) -> bool:
    """Whether a file is a generated source, or was made from the one beside it."""
    match = _FILE.fullmatch(file.name)
    if match is None or file.is_symlink() or not file.is_file():
        return False
    try:
        with open(file.with_name(f"{match[1]}.c"), encoding="utf-8", errors="replace") as source:
            return source.readline() == MARK
    except OSError:
        return False
