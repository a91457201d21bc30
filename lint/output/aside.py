"""What people look at last: documentation, examples and copies of other projects, unless they asked for them."""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from functools import cache

from ..facts.places import ASIDE_FOLDERS


def aside(paths: Sequence[str]) -> Callable[[str], bool]:
    """Return a predicate: whether a file is in such a folder, below each of the given paths."""
    given = [os.path.abspath(each) for each in paths]

    @cache
    def is_aside(filename: str) -> bool:
        file = os.path.abspath(filename)
        below = [file[len(each) :] for each in given if file == each or file.startswith(each.rstrip(os.sep) + os.sep)]
        return bool(below) and all(any(map(_is_aside, part.lower().split(os.sep)[:-1])) for part in below)

    return is_aside


def _is_aside(folder: str) -> bool:
    """Whether a folder is called so, or its last word is: `usage_examples`."""
    return folder in ASIDE_FOLDERS or folder.replace("-", "_").rpartition("_")[2] in ASIDE_FOLDERS
