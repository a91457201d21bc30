"""Which symbols a shared library wants and has: as much of ELF as that takes, for 64-bit little-endian files.

Sections are read, not segments: torch's libraries have them. Source: the System V ABI, chapters 4 and 5, and the
Linux Standard Base on symbol versions.
"""

from __future__ import annotations

import mmap
import struct
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Final

_DYNAMIC: Final = 6
_DYNAMIC_SYMBOLS: Final = 11
_VERSIONS_NEEDED: Final = 0x6FFFFFFE
_VERSION_OF_SYMBOL: Final = 0x6FFFFFFF
_NEEDED: Final = 1
_HEADER: Final = struct.Struct("<16sHHIQQQIHHHHHH")
_SECTION: Final = struct.Struct("<IIQQQQIIQQ")
_SYMBOL: Final = struct.Struct("<IBBHQQ")
_ENTRY: Final = struct.Struct("<qQ")
_VERNEED: Final = struct.Struct("<HHIII")
_VERNAUX: Final = struct.Struct("<IHHII")


class ElfError(ValueError):
    """A file is not a library that we can read. The message is one line."""


@dataclass(frozen=True, slots=True)
class Wanted:
    """A symbol that a library takes from another: version, and name of the other, are empty where it does not say."""

    name: str
    version: str = ""
    library: str = ""


@dataclass(frozen=True, slots=True)
class Library:
    """The parts of a library that the dynamic linker reads."""

    needed: tuple[str, ...]
    wanted: frozenset[Wanted]
    defined: frozenset[str]


@dataclass(frozen=True, slots=True)
class _Section:
    kind: int
    offset: int
    size: int
    link: int
    count: int


def read(path: Path) -> Library:
    """Read a library's needs and symbols. Raises ElfError, and OSError where it cannot be opened."""
    with path.open("rb") as file:
        if path.stat().st_size < _HEADER.size:
            raise ElfError(f"{path} is not a shared library")
        with mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ) as data:
            try:
                return _Reader(data).library()
            except (struct.error, IndexError, OverflowError, UnicodeDecodeError) as error:
                raise ElfError(f"{path} is not a shared library, or is damaged: {error}") from error
            except ElfError as error:
                raise ElfError(f"{path} {error}") from error


class _Reader:
    def __init__(self, data: mmap.mmap) -> None:
        self._data = data
        if data[:6] != b"\x7fELF\x02\x01":
            raise ElfError("is no 64-bit little-endian library")
        header = _HEADER.unpack_from(data, 0)
        offset, size, count = header[6], header[11], header[12]
        self._sections = [self._section(offset + index * size) for index in range(count)]

    def library(self) -> Library:
        wanted, defined = set(), set()
        for symbol, is_here in self._symbols():
            if is_here:
                defined.add(symbol.name)
            else:
                wanted.add(symbol)
        return Library(tuple(self._needed()), frozenset(wanted), frozenset(defined))

    def _section(self, at: int) -> _Section:
        _, kind, _, _, offset, size, link, count, _, _ = _SECTION.unpack_from(self._data, at)
        return _Section(kind, offset, size, link, count)

    def _of_kind(self, kind: int) -> _Section | None:
        return next((section for section in self._sections if section.kind == kind), None)

    def _text(self, strings: _Section, at: int) -> str:
        start = strings.offset + at
        return self._data[start : self._data.find(b"\0", start)].decode()

    def _needed(self) -> Iterator[str]:
        dynamic = self._of_kind(_DYNAMIC)
        if dynamic is None:
            raise ElfError("has no dynamic section")
        for at in range(dynamic.offset, dynamic.offset + dynamic.size, _ENTRY.size):
            tag, value = _ENTRY.unpack_from(self._data, at)
            if tag == _NEEDED:
                yield self._text(self._sections[dynamic.link], value)

    def _versions(self) -> dict[int, tuple[str, str]]:
        """Version and library of other libraries' symbols, by the index that the table of symbols uses."""
        needed, found = self._of_kind(_VERSIONS_NEEDED), {}
        if needed is None:
            return {}
        strings, at = self._sections[needed.link], needed.offset
        for _ in range(needed.count):
            _, entries, library, first, following = _VERNEED.unpack_from(self._data, at)
            inner = at + first
            for _ in range(entries):
                _, _, index, name, step = _VERNAUX.unpack_from(self._data, inner)
                found[index & 0x7FFF] = (self._text(strings, name), self._text(strings, library))
                inner += step
            at += following
        return found

    def _symbols(self) -> Iterator[tuple[Wanted, bool]]:
        """Yield each dynamic symbol, and whether it is defined here."""
        table, indices, versions = self._of_kind(_DYNAMIC_SYMBOLS), self._of_kind(_VERSION_OF_SYMBOL), self._versions()
        if table is None:
            return
        strings = self._sections[table.link]
        for position in range(1, table.size // _SYMBOL.size):
            name, _, _, section, _, _ = _SYMBOL.unpack_from(self._data, table.offset + position * _SYMBOL.size)
            index = 0
            if indices is not None:
                (index,) = struct.unpack_from("<H", self._data, indices.offset + position * 2)
            yield Wanted(self._text(strings, name), *versions.get(index & 0x7FFF, ())), bool(section)
