"""Keeps what was found out about files between runs, in the user's cache directory or a directory of the user's choice.

An entry is JSON, named after its file, and contains the digest of everything it depends on; one that does not match, or
is unreadable or damaged, is ignored and rewritten. Files are replaced as a whole, so concurrent runs do no harm. Each
version of the linter has its entries in a folder of its own.
"""

from __future__ import annotations

import contextlib
import os
import sys
from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from ... import __version__
from ..files.paths import is_below, relative
from ..files.source import Unreadable, content
from ..settings.config import Settings
from ..store.digests import digest
from ..store.encoding import Store, StoreError, as_text
from ..store.folder import FILES, RUNS, Folder, NotACacheError, is_made, remove, remove_unused
from ..store.user_cache import CacheError, key_for, user_cache
from .earlier import Apart, Earlier, recalled
from .file import Checked, File, Project, has_company
from .told import analyses_store, analysis_in, data_classes, without_places

if TYPE_CHECKING:
    from ..inference.linking.index.rows import Row
    from ..inference.notes.summary import FileSummary

UNUSED: Final = 60 * 24 * 3600.0
"""The seconds after which the cache of a project that nobody checks any more is removed."""


_ROOMS: Final = (
    *(
        f"lint/{room}"
        for room in ("bounds", "facts", "files", "fix", "inference", "run", "settings", "store", "suppression")
    ),
    "lint/limits.py",
    "rules",
)
"""Whose sources decide what a run finds, and how it is fixed."""


class Cache:
    """The analyses of a project's files; always empty if the project has no cache."""

    def __init__(self, project: Project) -> None:
        self.project = project
        self.folder = _folder(project.cache, project.root) if project.cache else None
        self._findings: tuple[object, str] = None, ""

    def get(self, file: File) -> Checked | None:
        """Return what is known about a file with this content; None if nothing is."""
        if self.folder is None or file.data is not None:
            return None
        entry = self.folder.read(FILES, self._name(file))
        data = content(file.name, file.name) if entry else b""
        if not entry or isinstance(data, Unreadable):
            return None
        return self._read(entry, file, self.digest_of(file, data))

    def get_as(self, file: File, digest: str) -> Checked | None:
        """Return what is known about a file with the content that has this digest."""
        return self._read(self._entry(file), file, digest)

    def text(self, file: File, digest: str) -> str:
        """Return what is stored about a file with the content that has this digest; empty if there is nothing."""
        head, _, text = self._entry(file).partition("\n")
        return text if head.partition(" ")[0] == digest else ""

    def _entry(self, file: File) -> str:
        return self.folder.read(FILES, self._name(file)) if self.folder else ""

    def _read(self, entry: str, file: File, wanted: str) -> Checked | None:
        head, _, text = entry.partition("\n")
        digest, _, interface = head.partition(" ")
        if digest != wanted:
            return None
        checked = analysis_in(text, file.name)
        return replace(checked, interface=interface) if checked and is_placed(checked, file) else None

    def keep(self, file: File, data: bytes, checked: Checked) -> Checked:
        """Store what was found out about a file, and return it; if that fails, it is found out again next time.

        What is not on disk is not stored, but told from what is (see `Checked.interface`).
        """
        if self.folder is None or checked.failure:
            return checked
        with contextlib.suppress(StoreError, OSError):
            tables = analyses_store().tables(checked, file.name)
            interface = digest([without_places(tables[0])]) if checked.summary is not None else ""
            if file.data is None:
                head = f"{self.digest_of(file, data)} {interface}"
                self.folder.write(FILES, self._name(file), [head, "\n", as_text(tables)])
            return replace(checked, interface=interface)
        return checked

    def get_run(self, key: str) -> Any:
        """Return the result of a whole run that depends only on what the key is made of; None if unknown."""
        entry = self.folder.read(RUNS, f"{key}.json") if self.folder else ""
        try:
            return findings_store().read(entry, "") if entry else None
        except StoreError:
            return None

    def keep_run(self, key: str, result: object) -> None:
        """Store the result of a whole run."""
        if self.folder is None:
            return
        with contextlib.suppress(StoreError, OSError):
            self.folder.write(RUNS, f"{key}.json", [self._written(result)])
            self.folder.tidy()

    def get_earlier(self, frame: str) -> Earlier | None:
        """Return what the last run found out that differed in nothing but what is in the files; None if unknown."""
        text = self.folder.read(RUNS, f"{_name_of_earlier(frame)}.json") if self.folder else ""
        return recalled(text, lambda findings: findings_store().read(findings, ""))

    def keep_earlier(self, frame: str, earlier: Earlier | None) -> None:
        """Store what a run found out."""
        if self.folder is None or earlier is None:
            return
        with contextlib.suppress(StoreError, OSError):
            rows = self._keep_apart(self.folder, ["the rows of the index", frame], earlier.rows)
            traces = self._keep_apart(self.folder, ["what was asked and read", frame], earlier.traces)
            earlier = replace(earlier, rows=rows, traces=traces)
            self.folder.write(RUNS, f"{_name_of_earlier(frame)}.json", earlier.texts(self._written(earlier.findings)))

    def get_apart(self, place: Apart) -> Sequence[str]:
        """Return the texts that are stored apart. Raises StoreError if those are not there any more."""
        name, _, version = place.partition(" ") if isinstance(place, str) else ("", "", "")
        text = self.folder.read(RUNS, f"{name}.json", version) if self.folder and version else ""
        if not text:
            raise StoreError("not what was stored")
        return text.split("\n")

    def _keep_apart(self, folder: Folder, about: Sequence[str], texts: Apart) -> str:
        """Store texts in the place of those before, or let these count as new; return name and version."""
        if isinstance(texts, str):
            folder.use(RUNS, f"{texts.partition(' ')[0]}.json")
            return texts
        name = digest(about)
        return f"{name} {folder.write(RUNS, f'{name}.json', texts)}"

    def _written(self, findings: object) -> str:
        """Return the text of findings, which are written twice."""
        if self._findings[0] is not findings:
            self._findings = findings, findings_store().write(findings, "")
        return self._findings[1]

    def _name(self, file: File) -> str:
        return f"{digest([relative(file.name, self.project.root)])}.json"

    def digest_of(self, file: File, data: bytes) -> str:
        """Return a digest of everything an analysis depends on, except the names of modules (see `is_placed`)."""
        about = self.project
        shared = about.gpu_names, sorted(about.calls), about.facts, about.default_device
        return digest([data, str(file.named or file.connected), relative(file.name, self.project.root), repr(shared)])


def is_placed(checked: Checked, file: File) -> bool:
    """Whether the file's name and its imports still mean the same: other files may have come and gone."""
    if checked.mentions is None and has_company(file) and not (checked.unreadable or checked.failure):
        return False
    if checked.summary is None:
        return bool(not file.connected or checked.unreadable or checked.failure)
    return means_the_same(checked.summary, file)


def means_the_same(found: FileSummary | Row, file: File) -> bool:
    """Whether a file's name and its imports mean what was found out."""
    folder, modules = os.path.dirname(os.path.abspath(file.name)), file.project.modules
    if modules is None or modules.name(file.name)[0] != found.module:
        return False
    added = tuple(found.added)
    return all(modules.imported_as(name, folder, added) == meant for name, meant in found.imports.items())


def cache_of(settings: Settings, given: str | None = None) -> Path:
    """Return where a project's cache is: in the given directory, or in the user's cache directory.

    Raises CacheError where there can be none, NotACacheError where the directory given must not be touched.
    """
    root = str(settings.root)
    if given:
        path = _given(given, root)
        is_made(path, key_for(root))
        return Path(path)
    place, key = user_cache(), key_for(root)
    path = os.path.join(place, digest([os.path.realpath(root)]))
    if not is_made(path, key):
        remove_unused(place, key, UNUSED)
    return Path(path)


def clean(settings: Settings, given: str | None = None) -> tuple[bool, Path]:
    """Remove a project's cache, or the one in a given directory; return whether there was one, and where.

    Raises CacheError for what is not ours.
    """
    folder = cache_of(settings, given)
    return remove(str(folder), key_for(str(settings.root))), folder


def _given(given: str, root: str) -> str:
    """Return the path of a directory given for a cache. Raises NotACacheError for one that must be something else."""
    if "\0" in given:
        raise NotACacheError(f"{given!r} is not a directory name; choose another")
    path = os.path.abspath(given)
    real = os.path.join(os.path.realpath(os.path.dirname(path)), os.path.basename(path))
    homes = map(os.path.realpath, (root, os.getcwd(), os.path.expanduser("~")))
    if any(is_below(os.path.join(home, ""), real) for home in homes):
        raise NotACacheError(f"{path} contains more than a cache; choose a new or empty directory")
    written = path.startswith(os.path.join(os.path.abspath(root), "")) or is_below(path, root)
    if written and not is_below(real, root):
        raise NotACacheError(f"{path} leads out of the project through a link; choose another directory")
    return real


@cache
def _folder(path: str, root: str) -> Folder | None:
    """Return the folder of this version's entries; None if there is no key for it."""
    try:
        return Folder(path, identity(), key_for(root))
    except CacheError:
        return None


@cache
def identity() -> str:
    """Return a name for this linter under this Python: changed sources are another linter, with other analyses."""
    home = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
    sources = sorted(path for room in _ROOMS for path in _sources(os.path.join(home, *room.split("/"))))
    python = f"py{sys.version_info.major}{sys.version_info.minor}"
    return f"{__version__}-{python}-{digest(map(_read, sources))[:12]}"


def _sources(folder: str) -> Iterator[str]:
    if folder.endswith(".py"):
        yield folder
    for directory, _, names in os.walk(folder):
        yield from (os.path.join(directory, name) for name in names if name.endswith(".py"))


def _name_of_earlier(frame: str) -> str:
    return digest(["what the last run found out", frame])


@cache
def findings_store() -> Store:
    """Return the store for the results of runs, which needs nothing of inference."""
    from .. import finding, offers

    return Store([*data_classes(finding), *data_classes(offers)])


def _read(path: str) -> bytes:
    with open(path, "rb") as file:
        return file.read()
