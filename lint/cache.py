"""Keeps what was found out about files between runs, in `.synclint_cache` of the project.

An entry is JSON, named after its file, and holds the digest of all that it depends on; one that does not fit, cannot
be read or is damaged counts for nothing and is written anew. Writing replaces whole files, so runs at the same time
do no harm. Entries of another version of the linter stand in a folder of their own.
"""

from __future__ import annotations

import contextlib
import hashlib
import os
import sys
import threading
from collections.abc import Iterable, Iterator
from functools import cache
from pathlib import Path
from types import ModuleType
from typing import Any, Final

from .. import __version__
from .config import Settings
from .file import Checked, File, Project
from .paths import relative
from .source import Unreadable, content
from .stored import Store, StoreError

FOLDER: Final = ".synclint_cache"
MOST_RUNS: Final = 16
"""Results of whole runs that are kept; the oldest go first."""

MOST_VERSIONS: Final = 3
"""Versions of the linter whose entries are kept."""

_TAG: Final = (
    "Signature: 8a477f597d28d172789f06886806bc55\n# This directory is a cache of synclint; delete it at will.\n"
)
"""What backup tools look for in `CACHEDIR.TAG` (https://bford.info/cachedir/)."""


class Cache:
    """The analyses of a project's files; it knows none and keeps none where the project has no cache."""

    def __init__(self, project: Project) -> None:
        self.project = project
        self.folder = os.path.join(project.cache, identity()) if project.cache else ""

    def get(self, file: File) -> Checked | None:
        """What is known about a file with this content; None if nothing is."""
        if not self.folder or file.data is not None:
            return None
        entry = _read(self._path(file))
        data = content(file.name, file.name) if entry else b""
        if not entry or isinstance(data, Unreadable):
            return None
        digest, _, text = entry.partition("\n")
        if digest != self._digest(file, data):
            return None
        try:
            checked: Checked = _store().read(text, file.name)
        except StoreError:
            return None
        return checked if self._is_valid(checked, file) else None

    def keep(self, file: File, data: bytes, checked: Checked) -> None:
        """Remember what was found out about a file; where that cannot be written, it is found out again."""
        if not self.folder or file.data is not None or checked.failure:
            return
        with contextlib.suppress(StoreError, OSError):
            text = _store().write(checked, file.name)
            self._prepare()
            _replace(self._path(file), f"{self._digest(file, data)}\n{text}")

    def get_run(self, key: str) -> Any:
        """The result of a whole run that depends on nothing but what the key is made of; None if it is not known."""
        entry = _read(self._run_path(key)) if self.folder else ""
        try:
            return _result_store().read(entry, "") if entry else None
        except StoreError:
            return None

    def keep_run(self, key: str, result: object) -> None:
        """Remember the result of a whole run."""
        if not self.folder:
            return
        with contextlib.suppress(StoreError, OSError):
            text = _result_store().write(result, "")
            self._prepare()
            path = self._run_path(key)
            _remove_oldest(os.path.dirname(path), MOST_RUNS - 1)
            _replace(path, text)

    def _path(self, file: File) -> str:
        return os.path.join(self.folder, "files", f"{digest([relative(file.name, self.project.root)])}.json")

    def _run_path(self, key: str) -> str:
        return os.path.join(self.folder, "runs", f"{key}.json")

    def _digest(self, file: File, data: bytes) -> str:
        """A digest of all that an analysis depends on, but for the names of modules (see `_is_valid`)."""
        return digest([data, str(file.named), relative(file.name, self.project.root), *self.project.gpu_names])

    def _is_valid(self, checked: Checked, file: File) -> bool:
        """The imports of the file still mean the same: other files may have come and gone."""
        if checked.summary is None:
            return True
        from .inference.modules import imported_as, module_name

        folder, root = os.path.dirname(os.path.abspath(file.name)), os.path.abspath(self.project.root)
        if module_name(file.name, root)[0] != checked.summary.module:
            return False
        return all(imported_as(name, folder, root) == meant for name, meant in checked.summary.imports.items())

    def _prepare(self) -> None:
        """Make the folders, with what tells version control and backups to leave them alone."""
        if os.path.isdir(self.folder):
            return
        home = self.project.cache
        os.makedirs(home, exist_ok=True)
        _replace(os.path.join(home, ".gitignore"), "*\n")
        _replace(os.path.join(home, "CACHEDIR.TAG"), _TAG)
        _remove_oldest(home, MOST_VERSIONS - 1)
        for name in ("files", "runs"):
            os.makedirs(os.path.join(self.folder, name), exist_ok=True)


def cache_of(settings: Settings) -> Path:
    """Where the cache of a project stands; in the current directory where nothing marks a project."""
    return (settings.project or Path.cwd()).absolute() / FOLDER


def clean(folder: Path) -> bool:
    """Remove a cache; false where there is none. Raises OSError, also for a folder that is not a cache of ours."""
    if not folder.exists():
        return False
    tag = folder / "CACHEDIR.TAG"
    if not tag.is_file() or tag.read_text(encoding="utf-8", errors="replace") != _TAG:
        raise OSError(f"{folder} was not made by synclint; remove it by hand if it is not needed")
    import shutil

    shutil.rmtree(folder)
    return True


def digest(parts: Iterable[bytes | str]) -> str:
    """A short name for some bytes and texts; others have another name."""
    found = hashlib.blake2b(digest_size=16)
    for part in parts:
        data = part.encode("utf-8", "surrogatepass") if isinstance(part, str) else part
        found.update(len(data).to_bytes(8, "big"))
        found.update(data)
    return found.hexdigest()


@cache
def identity() -> str:
    """This linter under this Python: analyses of others are not ours. Changed source files are another linter."""
    package = os.path.dirname(os.path.abspath(__file__))
    folders = [os.path.join(package, name) for name in ("", "inference", "facts", "../rules")]
    sources = sorted(os.path.join(folder, name) for folder in folders for name in os.listdir(folder))
    python = f"py{sys.version_info.major}{sys.version_info.minor}"
    return f"{__version__}-{python}-{digest(_read(path) for path in sources if path.endswith('.py'))[:12]}"


@cache
def _store() -> Store:
    """The store for analyses."""
    from . import file, finding, source, suppress, versions
    from .inference import frequency, lattice, operations, summary, values

    modules = (file, finding, source, suppress, versions, frequency, lattice, operations, summary, values)
    return Store([each for module in modules for each in _data_classes(module)], [values.UNKNOWN])


@cache
def _result_store() -> Store:
    """The store for results of runs, which needs nothing of inference."""
    from . import finding

    return Store(list(_data_classes(finding)))


def _data_classes(module: ModuleType) -> Iterator[type]:
    for each in vars(module).values():
        if isinstance(each, type) and each.__module__ == module.__name__:
            yield each


def _read(path: str) -> str:
    try:
        with open(path, encoding="utf-8", newline="\n") as file:
            return file.read()
    except (OSError, UnicodeDecodeError):
        return ""


def _replace(path: str, text: str) -> None:
    """Write a file as a whole or not at all."""
    temporary = f"{path}.{os.getpid()}-{threading.get_ident()}"
    try:
        with open(temporary, "w", encoding="utf-8", newline="\n") as file:
            file.write(text)
        os.replace(temporary, path)
    except OSError:
        with contextlib.suppress(OSError):
            os.remove(temporary)
        raise


def _remove_oldest(folder: str, most: int) -> None:
    """Leave this many folders or files of a folder, the newest; the cache's own two files do not count."""
    import shutil

    with os.scandir(folder) as entries:
        found = [entry for entry in entries if entry.name not in (".gitignore", "CACHEDIR.TAG")]
    for entry in sorted(found, key=lambda each: each.stat().st_mtime, reverse=True)[most:]:
        if entry.is_dir(follow_symlinks=False):
            shutil.rmtree(entry.path, ignore_errors=True)
        else:
            with contextlib.suppress(OSError):
                os.remove(entry.path)
