"""Where plugins may come from: what is installed, but never what is checked, nor the current directory.

The configuration of a checked repository may name a plugin, and the repository may bring what looks like one.
"""

from __future__ import annotations

import os
import site
import sys
import sysconfig
from collections.abc import Collection, Iterator, Sequence
from contextlib import contextmanager
from importlib.machinery import ModuleSpec
from pathlib import Path


def untrusted_around(start: Path, directory: Path) -> tuple[str, ...]:
    """Return what counts as checked where the configuration for the files in `start` is that of `directory`."""
    repository = next((place for place in (start, *start.parents) if os.path.exists(place / ".git")), directory)
    return tuple({os.path.realpath(each): None for each in (Path.cwd(), start, repository)})


def installed_in() -> frozenset[str]:
    """Return the directories into which this Python installs packages; `.venv` may be inside the repository."""
    found = [sysconfig.get_path(name) for name in ("purelib", "platlib", "stdlib", "platstdlib")]
    found += site.getsitepackages() if hasattr(site, "getsitepackages") else []
    found += [site.getusersitepackages()] if site.ENABLE_USER_SITE else []
    found += [os.path.join(sysconfig.get_path("platstdlib"), "lib-dynload")]
    return frozenset(map(os.path.realpath, found))


def is_trusted(path: str, untrusted: Collection[str]) -> bool:
    """Whether a directory or file is installed, or at least not part of what is checked."""
    path = os.path.realpath(path)
    if any(_is_in(path, folder) for folder in installed_in()):
        return True
    return not any(_is_in(path, folder) for folder in untrusted)


def trusted_path(untrusted: Collection[str]) -> list[str]:
    """Return the entries of the module search path that may be searched for plugins."""
    own = installed_in()
    return [
        each
        for each in sys.path
        if each and (os.path.realpath(each) in own or not any(_is_in(os.path.realpath(each), one) for one in untrusted))
    ]


@contextmanager
def searching(path: Sequence[str]) -> Iterator[None]:
    """Let imports search these entries alone."""
    before = sys.path[:]
    sys.path[:] = path
    try:
        yield
    finally:
        sys.path[:] = before


def places_of(spec: ModuleSpec) -> list[str]:
    """Return the files and directories that a module is made of."""
    return [*filter(None, [spec.origin if spec.has_location else None]), *(spec.submodule_search_locations or ())]


def _is_in(path: str, folder: str) -> bool:
    return path == folder or path.startswith(os.path.join(folder, ""))
