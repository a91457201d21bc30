"""Under which name a file is imported, and which file an import refers to.

Only the files of the run count: whatever else lies around them on the disk changes no result.
"""

from __future__ import annotations

import os
import sys
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from functools import cache, cached_property
from typing import Final

from .source import NOTEBOOK

NEVER_LOCAL: Final = sys.stdlib_module_names | {"torch", "numpy"}
"""Imports that are not looked up in the project: their names would only be found by accident."""


class Modules:
    """The files of a run, of the project at `root`, as what imports can refer to."""

    def __init__(self, root: str = "", files: Iterable[str] = ()) -> None:
        self.root = os.path.abspath(root or os.curdir)
        self._given = tuple(files)
        self._name: Callable[[str], tuple[str, bool]] = cache(self._name_of)
        self._package: Callable[[str], tuple[str, ...]] = cache(self._packages_of)
        self._full: Callable[[str], tuple[str, ...]] = cache(self._full_package)
        self._place: Callable[[str, str], str | None] = cache(self._place_of)
        self._folder: Callable[[str], str] = cache(_folder_of)
        self._meant: Callable[[str, str, tuple[str, ...]], str] = cache(self._meant_by)

    def __reduce__(self) -> tuple[type[Modules], tuple[str, tuple[str, ...]]]:
        return Modules, (self.root, self._given)

    def is_like(self, other: Modules) -> bool:
        """Whether these are the same files of the same project."""
        return (self.root, self._given) == (other.root, other._given)

    @property
    def is_alone(self) -> bool:
        """Whether there is but one file."""
        return len(self._given) == 1

    def name(self, filename: str) -> tuple[str, bool]:
        """Return the dotted name under which a file is imported, and whether it is an `__init__`.

        The package begins below the last folder without an `__init__.py`; if no folder has one, or several packages of
        the project have its name, the path inside the project decides, without `src`.
        """
        return self._name(filename)

    def _name_of(self, filename: str) -> tuple[str, bool]:
        folder, base = os.path.split(os.path.abspath(filename))
        stem, suffix = os.path.splitext(base)
        stem = f"notebook {stem}" if suffix == NOTEBOOK else stem  # nobody imports it
        names = [*(self._full(folder) or path_in(folder, self.root)), stem]
        if stem == "__init__":
            return ".".join(names[:-1]) or "__main__", True
        return ".".join(names), False

    def imported_as(self, name: str, folder: str, added: tuple[str, ...] = ()) -> str:
        """Return the full name of an import in a file of `folder`: `scripts.model.GPT` for `model.GPT` or `.model.GPT`.

        As when running a script, modules next to the file come first, then those in the folders above it up to the
        project's, which may be a package itself, then those in the folders that the file has `added` to the path. The
        name itself if there is no such file, as for libraries. The folder's path is absolute, those added are relative
        to it.
        """
        return self._meant(name, folder, added)

    def full(self, written: str, filename: str, added: tuple[str, ...] = ()) -> str:
        """Return the full name of what a file imports, as it is written there: a relative import begins with dots."""
        return self.imported_as(written, self._folder(filename), added)

    def _meant_by(self, name: str, folder: str, added: tuple[str, ...]) -> str:
        if name.startswith("."):
            return self._meant_from(folder, name)
        first, *rest = name.split(".")
        package = self._package(folder)
        if first in NEVER_LOCAL:
            return name
        above = _up(folder, len(package))
        if package and package[0] == first:
            return self._module_at(os.path.join(above, first), rest)
        start = self.root if package and self.root.startswith(os.path.join(above, "")) else above
        place = self._around(first, rest, start) if rest else None
        place = place or self._place(first, start) or self._added(first, folder, added)
        return name if place is None else self._module_at(os.path.join(place, first), rest)

    def _meant_from(self, folder: str, written: str) -> str:
        """Return the full name of a relative import in a file of `folder`; empty if it leads out of the project."""
        bare = written.lstrip(".")
        start = _up(folder, len(written) - len(bare) - 1)
        is_inside = os.path.join(start, "").startswith(os.path.join(self.root, "")) or not folder.startswith(self.root)
        return self._module_at(start, bare.split(".") if bare else []) if is_inside else ""

    @cached_property
    def _files(self) -> frozenset[str]:
        return frozenset(map(os.path.abspath, self._given))

    @cached_property
    def _with_modules(self) -> frozenset[str]:
        """The folders that directly contain files or packages: others only share the name of an import."""
        packages = (_up(file, 2) for file in self._files if os.path.basename(file) == "__init__.py")
        return frozenset((*map(os.path.dirname, self._files), *packages))

    @cached_property
    def _folders(self) -> frozenset[str]:
        """All folders that lead to a file."""
        found: set[str] = set()
        for folder in self._with_modules:
            while folder not in found:
                found.add(folder)
                folder = os.path.dirname(folder)
        return frozenset(found)

    def _packages_of(self, folder: str) -> tuple[str, ...]:
        """Return the packages that contain a folder, from the outermost on; none if it is not a package itself."""
        above, name = os.path.split(folder)
        is_package = name and os.path.join(folder, "__init__.py") in self._files
        return (*self._package(above), name) if is_package else ()

    def _full_package(self, folder: str) -> tuple[str, ...]:
        """Return the packages that contain a folder, below the path to the outermost if others have its name."""
        package = self._package(folder)
        if not package or self._outermost[package[0]] == 1:
            return package
        return (*_parts(_up(folder, len(package)), self.root), *package)

    @cached_property
    def _outermost(self) -> Counter[str]:
        """How many packages of each name are in no other package: programs of a repository may each have `utils`."""
        folders = {os.path.dirname(file) for file in self._files if os.path.basename(file) == "__init__.py"}
        return Counter(os.path.basename(each) for each in folders if len(self._package(each)) == 1)

    def _place_of(self, first: str, folder: str) -> str | None:
        """Return the nearest folder from here up to the root that contains a module or folder of that name."""
        if self._has(first, folder):
            return folder
        above = os.path.dirname(folder)
        outside = folder in (self.root, above) or not folder.startswith(self.root)
        return None if outside else self._place(first, above)

    def _around(self, first: str, rest: Sequence[str], folder: str) -> str | None:
        """Return the nearest folder whose package of that name has an inner module, past plain modules of the name.

        Without an `__init__.py`, a package may hold nothing but others.
        """
        package = os.path.join(folder, first)
        if package in self._with_modules:
            path = os.path.join(package, rest[0])
            return folder if path in self._folders or f"{path}.py" in self._files else None
        if package in self._folders and self._leads_to_modules(package, rest):
            return folder
        above = os.path.dirname(folder)
        outside = folder in (self.root, above) or not folder.startswith(self.root)
        return None if outside else self._around(first, rest, above)

    def _leads_to_modules(self, path: str, rest: Sequence[str]) -> bool:
        """Whether what an import names inside of a folder leads to one that contains modules."""
        for part in rest:
            path = os.path.join(path, part)
            if path in self._with_modules:
                return True
            if path not in self._folders:
                break
        return False

    def _added(self, first: str, folder: str, added: tuple[str, ...]) -> str | None:
        """Return the folder among those added to the path that contains a module or folder of that name."""
        places = (os.path.normpath(os.path.join(base, each)) for each in added for base in (folder, self.root))
        return next((each for each in places if self._has(first, each)), None)

    def _has(self, first: str, folder: str) -> bool:
        path = os.path.join(folder, first)
        return f"{path}.py" in self._files or path in self._with_modules

    def _module_at(self, path: str, rest: list[str]) -> str:
        """Return the name of the module at a path without its suffix; `rest` is what the import adds to it."""
        while rest and path in self._folders and f"{path}.py" not in self._files:
            inner = os.path.join(path, rest[0])
            if inner not in self._folders and f"{inner}.py" not in self._files:
                break
            path, rest = inner, rest[1:]
        if f"{path}.py" in self._files:
            return ".".join([self.name(f"{path}.py")[0], *rest])
        return ".".join([*(self._full(path) or path_in(path, self.root)), *rest])


def _folder_of(filename: str) -> str:
    return os.path.dirname(os.path.abspath(filename))


def _up(folder: str, steps: int) -> str:
    for _ in range(steps):
        folder = os.path.dirname(folder)
    return folder


@cache
def path_in(folder: str, root: str) -> tuple[str, ...]:
    """Return the folder's path inside the project, without everything up to `src`; the whole path if outside it."""
    parts = _parts(folder, root)
    return parts[parts.index("src") + 1 :] if "src" in parts else parts


def _parts(folder: str, root: str) -> tuple[str, ...]:
    """Return the names of the folders between the root and a folder, with its own; all if it is outside."""
    inside = "" if folder == root else folder.removeprefix(os.path.join(root, ""))
    return tuple(part for part in inside.replace("\\", "/").split("/") if part)
