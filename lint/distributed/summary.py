"""The summary of a file as it is handed to linking: what the file says by itself, its imports, and its source.

It is made without a configuration and without the other files, so that it is the same wherever it is made, and changes
with the file alone. The source is part of it: where a configuration or other files change what the file says, linking
reads it again, and what is reported can be shown.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass, replace
from functools import cache, cached_property

from ..files.imported import imported
from ..files.modules import Modules
from ..files.source import Unreadable, start_of, text_of
from ..run.file import Checked, File, Project
from ..run.project import check_file
from ..run.told import analyses_store
from ..store.digests import digest
from ..store.encoding import StoreError
from ..store.forms import Forms
from . import parts
from .parts import SUMMARY, PartError


@dataclass(frozen=True)
class Summary:
    """One file's summary; `content` is the digest of its source, `imports` what it imports as it is written there.

    `added` are the folders that it adds to the module search path.
    """

    name: str
    content: str
    imports: tuple[str, ...]
    added: tuple[str, ...]
    lines: tuple[str, str, str]

    @cached_property
    def data(self) -> bytes:
        """The bytes of the file. Raises PartError."""
        with suppress(ValueError, RecursionError):
            data = parts.bytes_of(self.lines[2])
            if digest([data]) == self.content:
                return data
        raise PartError(f"{self.name}: its summary does not match the file's contents; summarize it again")

    def checked(self) -> Checked:
        """Return what reading the file has found out. Raises PartError."""
        text = "\n".join(self.lines[:2])
        try:
            _forms().check(text)
            found = analyses_store().read(text, self.name)
        except StoreError as error:
            raise PartError(f"{self.name}: its summary {error}; summarize it again") from error
        if not isinstance(found, Checked) or found.filename != self.name:
            raise PartError(f"{self.name}: its summary describes another file; summarize it again")
        return found


def summarized(name: str, data: bytes, modules: Modules) -> tuple[bytes, Checked]:
    """Return the record for a file's content, and what was found out; `modules` are those that its imports may mean.

    Whether the file connects others is not known here, so it is read as if it did.

    An error of ours is part of the record, since it must not stop the summaries of other files.
    """
    checked = check_file(File(name, data=data, connected=True, project=Project(modules=modules)))
    store = analyses_store()
    try:
        text = store.write(_portable(checked), name)
    except StoreError as error:
        text = store.write(Checked(name, unreadable=Unreadable(start_of(name), f"{error}; exclude it")), name)
    interface, _, operations = text.partition("\n")
    lines = (interface, operations, parts.text_of(data))
    added = checked.summary.added if checked.summary else ()
    more = {"file": name, "content": digest([data]), "interface": digest([interface])}
    return parts.written(SUMMARY, lines, **more, imports=_imports(data, name), added=added), checked


def read(path: str) -> Iterator[Summary]:
    """Yield the summaries in a file. Raises PartError."""
    for header, lines in parts.read(path, SUMMARY):
        name, content = header.get("file"), header.get("content")
        if len(lines) != 3 or not isinstance(name, str) or not parts.is_inside(name) or not isinstance(content, str):
            raise PartError(parts.damaged(path, SUMMARY))
        imports, added = (_texts(header.get(key), path) for key in ("imports", "added"))
        yield Summary(name, content, imports, added, (lines[0], lines[1], lines[2]))


@cache
def _forms() -> Forms:
    from ..inference.notes.summary import FileSummary
    from ..inference.values.union import Value

    return Forms(analyses_store(), Checked, {"FileSummary": FileSummary, "Value": Value})


def _texts(value: object, path: str) -> tuple[str, ...]:
    if not isinstance(value, list) or not all(isinstance(each, str) for each in value):
        raise PartError(parts.damaged(path, SUMMARY))
    return tuple(value)


def _portable(checked: Checked) -> Checked:
    """Return the result without what only this machine knows: where the linter's own files are."""
    return replace(checked, failure=replace(checked.failure, trace="")) if checked.failure else checked


def _imports(data: bytes, name: str) -> list[str]:
    """Return what a file may import, sorted; leading dots are those of relative imports.

    Text that only looks like an import counts as well: a file too many in a program does no harm.
    """
    text = text_of(data, name)
    return [] if isinstance(text, Unreadable) else sorted(set(imported(text)))
