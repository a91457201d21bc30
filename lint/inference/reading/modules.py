"""Under which name a file is imported, and which file an import refers to; uses the file system for names only."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from functools import cache
from typing import Final

from ...files.source import NOTEBOOK

NEVER_LOCAL: Final = sys.stdlib_module_names | {"torch", "numpy"}
"""Imports that are not looked up in the project: their names would only be found by accident."""


def module_name(filename: str, root: str = "") -> tuple[str, bool]:
    """Return the dotted name under which a file of the project at `root` is imported, and whether it is an `__init__`.

    The package begins below the last folder without an `__init__.py`; if no folder has one, the path inside the project
    decides, without `src`.
    """
    folder, base = os.path.split(os.path.abspath(filename))
    stem, suffix = os.path.splitext(base)
    stem = f"notebook {stem}" if suffix == NOTEBOOK else stem  # nobody imports it
    names = [*(_package(folder) or path_in(folder, os.path.abspath(root or os.curdir))), stem]
    if stem == "__init__":
        return ".".join(names[:-1]) or "__main__", True
    return ".".join(names), False


@cache
def imported_as(name: str, folder: str, root: str) -> str:
    """Return the full name of an absolute import in a file of `folder`: `scripts.model.GPT` for `model.GPT`.

    As when running a script, modules next to the file come first, then those in the folders above it up to the
    project's. The name itself if there is no such file, as for libraries. Both paths are absolute.
    """
    first, *rest = name.split(".")
    package = _package(folder)
    if first in NEVER_LOCAL or (package and package[0] == first):
        return name
    place = _place_of(first, folder, root) if not package else _place_of(first, _up(folder, len(package)), root)
    return name if place is None else _module_at(os.path.join(place, first), rest, root)


@cache
def _place_of(first: str, folder: str, root: str) -> str | None:
    """Return the nearest folder from here up to the root that contains a module or folder of modules with that name."""
    if os.path.isfile(os.path.join(folder, f"{first}.py")) or _has_modules(os.path.join(folder, first)):
        return folder
    above = os.path.dirname(folder)
    return None if folder in (root, above) or not folder.startswith(root) else _place_of(first, above, root)


def _module_at(path: str, rest: list[str], root: str) -> str:
    """Return the name of the module at a path without its suffix; `rest` is what the import adds to it."""
    while rest and os.path.isdir(path) and not os.path.isfile(f"{path}.py"):
        inner = os.path.join(path, rest[0])
        if not os.path.exists(inner) and not os.path.isfile(f"{inner}.py"):
            break
        path, rest = inner, rest[1:]
    if os.path.isfile(f"{path}.py"):
        return ".".join([module_name(f"{path}.py", root)[0], *rest])
    return ".".join([*(_package(path) or path_in(path, root)), *rest])


def _has_modules(folder: str) -> bool:
    """Whether the folder is a package, or directly contains Python files or packages: others only share the name."""
    return is_package(folder) or any(name.endswith(".py") or is_package(path) for name, path in _entries(folder))


def _entries(folder: str) -> Iterator[tuple[str, str]]:
    try:
        names = os.listdir(folder)
    except OSError:
        return
    yield from ((name, os.path.join(folder, name)) for name in names)


def _up(folder: str, steps: int) -> str:
    for _ in range(steps):
        folder = os.path.dirname(folder)
    return folder


@cache
def _package(folder: str) -> tuple[str, ...]:
    """Return the packages that contain a folder, from the outermost on; none if it is not a package itself."""
    above, name = os.path.split(folder)
    return (*_package(above), name) if name and is_package(folder) else ()


@cache
def path_in(folder: str, root: str) -> tuple[str, ...]:
    """Return the folder's path inside the project, without everything up to `src`; the whole path if outside it."""
    if folder == root:
        return ()
    inside = folder.removeprefix(os.path.join(root, ""))
    parts = [part for part in inside.replace("\\", "/").split("/") if part]
    return tuple(parts[parts.index("src") + 1 :] if "src" in parts else parts)


@cache
def is_package(folder: str) -> bool:
    """Whether the folder is a package."""
    return os.path.exists(os.path.join(folder, "__init__.py"))


def forget() -> None:
    """Clear what is remembered of the file system: files may have come and gone since."""
    for cached in (imported_as, _place_of, _package, path_in, is_package):
        cached.cache_clear()
