"""The analyses of a project's files, kept in memory as long as the files are unchanged."""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TypeAlias

from ..files.modules import Modules
from ..run.connected import Connections, connections
from ..run.file import Checked, File
from ..run.project import check_files
from ..run.remembered import Remembered
from ..store.digests import digest

Key: TypeAlias = tuple[File, tuple[int, ...]]


class Memory:
    """The result for each file when last asked, by its time and size or, for an open document, by its text.

    It does not notice that an import refers to another file than before: callers that know of files created or deleted
    start a new memory. What is not in it comes from the command line's cache, or is found out and stored there.
    """

    def __init__(self, cache: Path | None) -> None:
        self._cache = str(cache or "")
        self._known: dict[Key, Checked] = {}
        self._used: set[Key] = set()
        self._connections: Connections | None = None
        self.remembered = Remembered()

    def check(self, files: Sequence[File], jobs: int | None = None) -> Iterator[Checked]:
        """Yield what became of each file, in any order; processes are never started, as the server's pipes are open."""
        unknown: dict[str, Key] = {}
        for file in files:
            key = (file, () if file.data is not None else _stamp(file.name))
            self._used.add(key)
            if key in self._known:
                yield self._known[key]
            else:
                unknown[file.name] = key
        cached = [replace(file, project=replace(file.project, cache=self._cache)) for file, _ in unknown.values()]
        for checked in check_files(cached, jobs=1):
            if not checked.failure:
                self._known[unknown[checked.filename]] = checked
            yield checked

    def connections(self, files: Sequence[File], modules: Modules) -> Connections:
        """Return what connects files; only those that have changed are read."""
        contents = {each.name: repr(_stamp(each.name)) if each.data is None else digest([each.data]) for each in files}
        self._connections = connections(files, modules, contents, self._connections)
        return self._connections

    def forget_unused(self) -> None:
        """Forget what was not asked for since the last time: earlier texts, and deleted files."""
        self._known = {key: checked for key, checked in self._known.items() if key in self._used}
        self._used.clear()


def _stamp(name: str) -> tuple[int, ...]:
    """Return what changes when a file is written; nothing if it cannot be read."""
    try:
        found = os.stat(name)
    except OSError:
        return ()
    return found.st_mtime_ns, found.st_size
