"""By which name a file is imported."""

from __future__ import annotations

import os
from functools import cache
from pathlib import PurePosixPath


def module_name(filename: str) -> tuple[str, bool]:
    """The dotted name a file is imported by, and whether it is a package's `__init__`.

    The package begins below the last folder without an `__init__.py`; where no folder has one, the path tells, without
    `src`.
    """
    path = PurePosixPath(filename.replace("\\", "/")).with_suffix("")
    names, folder = [path.name], path.parent
    while folder.name not in ("", "..") and is_package(str(folder)):
        names.insert(0, folder.name)
        folder = folder.parent
    if len(names) == 1:
        names = [part for part in path.parts if part not in ("/", ".", "..")]
        names = names[names.index("src") + 1 :] if "src" in names[:-1] else names
    if names[-1] == "__init__":
        return ".".join(names[:-1]) or "__main__", True
    return ".".join(names), False


@cache
def is_package(folder: str) -> bool:
    """The folder is a package."""
    return os.path.exists(os.path.join(folder, "__init__.py"))
