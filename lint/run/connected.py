"""Which files matter although no word in them says so: those that connect the files which use tensors.

The `__init__.py` of a package passes on what others import from it, a class that never speaks of tensors may hold some,
and a script may do no more than start the training.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Final, NamedTuple

from ..files.imported import imported
from ..files.modules import Modules
from ..files.source import NOTEBOOK, content, decode, may_matter
from .file import File


class Connections(NamedTuple):
    """The files that connect others, and what decides it.

    These are digests of what is in each file, the files that do not speak of tensors, and, if there are such, what
    each file imports.
    """

    contents: dict[str, str]
    silent: list[str]
    imports: dict[str, list[str]]
    names: list[str]


NOTHING: Final = Connections({}, [], {}, [])


def connections(
    files: Sequence[File], modules: Modules, contents: Mapping[str, str], before: Connections | None
) -> Connections:
    """Return which of the files connect others; of those that are as they were before, nothing is read again."""
    before = before or NOTHING
    known = {file.name for file in files if contents.get(file.name, "") == before.contents.get(file.name)}
    data = _data_of([file for file in files if file.name not in known])
    silent = {name for name, found in data.items() if not may_matter(found)} | known.intersection(before.silent)
    if silent and not before.silent:
        data |= _data_of([file for file in files if file.name in known])
    written = {name: _imports(name, found) for name, found in data.items()} if silent else {}
    if silent and before.silent:
        written |= {name: before.imports[name] for name in known if name in before.imports}
    are_same = contents.keys() == before.contents.keys()
    are_same = are_same and (silent, written) == ({*before.silent}, before.imports)
    names = before.names if are_same else sorted(_connected(silent, written, modules))
    return Connections({**contents}, sorted(silent), written, names)


def connected(files: Sequence[File], modules: Modules) -> frozenset[str]:
    """Return the files without a word about tensors that lead to one which imports PyTorch, and what these import."""
    return frozenset(connections(files, modules, {}, None).names)


def _connected(silent: set[str], written: Mapping[str, list[str]], modules: Modules) -> frozenset[str]:
    using = [name for name, imports in written.items() if name not in silent and may_matter(" ".join(imports).encode())]
    if not using:
        return frozenset()
    named: dict[str, list[str]] = {}
    for name in written:
        named.setdefault(modules.name(name)[0], []).append(name)
    followed = {
        name: {file for each in imports for file in named.get(modules.full(each, name), ())}
        for name, imports in written.items()
    }
    return frozenset(silent & _reached(_reached(using, _reversed(followed)), followed))


def marked(files: Iterable[File], names: frozenset[str]) -> list[File]:
    """Return the files with a mark on those of these names."""
    return [replace(file, connected=True) if file.name in names else file for file in files]


def _data_of(files: Iterable[File]) -> dict[str, bytes]:
    return {file.name: _data(file) for file in files if not file.name.endswith(NOTEBOOK)}


def _data(file: File) -> bytes:
    data = content(file.name, file.name) if file.data is None else file.data
    return data if isinstance(data, bytes) else b""


def _imports(name: str, data: bytes) -> list[str]:
    text = decode(data, name)
    return [*imported(text)] if isinstance(text, str) else []


def _reversed(followed: Mapping[str, set[str]]) -> dict[str, set[str]]:
    found: dict[str, set[str]] = {}
    for name, others in followed.items():
        for each in others:
            found.setdefault(each, set()).add(name)
    return found


def _reached(starts: Iterable[str], following: Mapping[str, set[str]]) -> set[str]:
    """Return the files that can be reached from some, with those."""
    found = set(starts)
    new = [*found]
    while new:
        more = following.get(new.pop(), set()) - found
        found |= more
        new += more
    return found
