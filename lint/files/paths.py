"""File names that mean the same however a file is reached: through links, from another directory, on Windows."""

from __future__ import annotations

import os
from functools import cache
from pathlib import Path
from typing import Final

BASELINE: Final = ".synclint-baseline.json"


def real(path: str | Path) -> str:
    """Return the absolute path with links among its directories followed; a file that is a link stays one."""
    directory, name = os.path.split(os.path.abspath(path))
    return os.path.join(_real_directory(directory), name)


def relative(path: str | Path, root: str | Path) -> str:
    """Return the path relative to a directory, with `/`; the absolute path if they are on different drives."""
    try:
        found = os.path.relpath(real(path), _real_directory(os.path.abspath(root)))
    except ValueError:
        found = real(path)
    return found.replace(os.sep, "/")


def is_below(path: str, directory: str | Path) -> bool:
    """Whether a real path is in a directory, at any depth."""
    return path.startswith(os.path.join(_real_directory(os.path.abspath(directory)), ""))


def find_baseline(start: Path) -> Path | None:
    """Return the nearest baseline from a directory upwards, within the repository."""
    for directory in (start.absolute(), *start.absolute().parents):
        if os.path.isfile(directory / BASELINE):
            return directory / BASELINE
        if os.path.exists(directory / ".git"):
            return None
    return None


def repository(path: str | Path) -> Path | None:
    """Return the repository that a path stands in; a name that no file can have is one of no repository."""
    return next((place for place in (Path(path), *Path(path).parents) if os.path.exists(place / ".git")), None)


@cache
def _real_directory(directory: str) -> str:
    return os.path.realpath(directory)
