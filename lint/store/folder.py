"""A folder of entries that only its user can have written, and that can be removed without touching anything else.

Each entry ends with a code made of its name, its text and the user's key: a damaged, forged or foreign one counts for
nothing. The folder itself is known by a tag with such a code. Nothing is written into a folder without it, but for one
that is new or empty; no link is followed; only files with names of our form are ever removed.
"""

from __future__ import annotations

import contextlib
import hashlib
import os
import re
import time
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Final

from ..limits import MOST_RUNS, MOST_VERSIONS
from .user_cache import CacheError, is_directory, make_file, plain_file

FILES: Final = "files"
RUNS: Final = "runs"
_NEW: Final = "new"
_HOUR: Final = 3600.0
_TAG: Final = "CACHEDIR.TAG"
_TAG_HEAD: Final = (
    b"Signature: 8a477f597d28d172789f06886806bc55\n# A cache of synclint; `synclint clean` removes it.\n# "
)
"""Backup tools look for this in `CACHEDIR.TAG` (https://bford.info/cachedir/); the code of the tag follows."""

_IGNORE: Final = ".gitignore"
_IGNORE_TEXT: Final = b"*\n"
_VERSION: Final = re.compile(r"[0-9][0-9A-Za-z.+!]*-py[0-9]+-[0-9a-f]{12}")
_ENTRY: Final = re.compile(r"[0-9a-f]{32}\.json")
_TEMPORARY: Final = re.compile(r"new-[0-9a-f]{16}")
_CODE_SIZE: Final = 32


class NotACacheError(CacheError):
    """The folder is not ours: it must be neither written to nor removed."""


@dataclass(frozen=True, slots=True)
class Folder:
    """A folder of one version's entries; `path` contains those of all versions."""

    path: str
    version: str
    key: bytes

    def read(self, kind: str, name: str, version: str = "") -> str:
        """Return the text of an entry; empty if there is none that we wrote, or only another version of it."""
        try:
            data = plain_file(os.path.join(self.path, self.version, kind, name))
        except (OSError, ValueError):
            return ""
        text, code = memoryview(data)[:-_CODE_SIZE], data[-_CODE_SIZE:]
        if code != self._code(kind, name, text) or (version and code.decode() != version):
            return ""
        return str(text, "utf-8", "surrogatepass")

    def write(self, kind: str, name: str, texts: Iterable[str]) -> str:
        """Write an entry as a whole or not at all, one text after the other; return its version. Raises OSError."""
        directory = os.path.join(self.path, self.version)
        if self not in _prepared or not os.path.isdir(os.path.join(directory, kind)):  # removed by another process
            self._prepare()
        code = _hash(self.key, self._head(kind, name))
        _replace(os.path.join(directory, kind, name), _signed(texts, code), os.path.join(directory, _NEW))
        return code.hexdigest()

    def use(self, kind: str, name: str) -> None:
        """Let an entry count as new: entries that are not used are removed at some time. Raises OSError."""
        os.utime(os.path.join(self.path, self.version, kind, name))

    def tidy(self) -> None:
        """Remove the results of the oldest runs, and what killed runs left behind. Raises OSError."""
        directory = os.path.join(self.path, self.version)
        for path in _by_age(os.path.join(directory, RUNS), _ENTRY)[MOST_RUNS:]:
            _remove_file(path)
        for path in _by_age(os.path.join(directory, _NEW), _TEMPORARY):
            if os.lstat(path).st_mtime < time.time() - _HOUR:
                _remove_file(path)
        os.utime(os.path.join(self.path, _TAG))

    def _code(self, kind: str, name: str, text: memoryview) -> bytes:
        return _code(self.key, self._head(kind, name), text)

    def _head(self, kind: str, name: str) -> bytes:
        return f"{self.version}/{kind}/{name}\0".encode()

    def _prepare(self) -> None:
        """Create the folder, marked to be ignored by version control and backups. Raises OSError."""
        os.makedirs(self.path, exist_ok=True)
        try:
            if not is_made(self.path, self.key):
                _replace(os.path.join(self.path, _TAG), [_tag(self.key)], self.path)
        except CacheError as error:
            raise OSError(str(error)) from error
        if not os.path.lexists(os.path.join(self.path, _IGNORE)):
            _replace(os.path.join(self.path, _IGNORE), [_IGNORE_TEXT], self.path)
        for name in ("", FILES, RUNS, _NEW):
            _make_directory(os.path.join(self.path, self.version, name))
        for old in _by_age(self.path, _VERSION)[MOST_VERSIONS:]:
            _remove_version(old)
        _prepared.add(self)


_prepared: set[Folder] = set()
"""The folders that this process has checked and prepared."""


def is_made(path: str, key: bytes) -> bool:
    """Whether a folder is a cache of this user; if not, it can become one.

    Raises NotACacheError where something else is there, CacheError for a cache of another user.
    """
    if not os.path.lexists(path):
        return False
    if not is_directory(path):
        raise NotACacheError(f"{path} is a file or a link, not a synclint cache; choose another directory")
    try:
        tag = plain_file(os.path.join(path, _TAG)) if os.path.lexists(os.path.join(path, _TAG)) else b""
        others = [name for name in os.listdir(path) if not _TEMPORARY.fullmatch(name)]
    except OSError as error:
        raise CacheError(f"{path} could not be read: {error.strerror}; choose another directory") from error
    if tag == _tag(key):
        return True
    if tag.startswith(_TAG_HEAD):
        raise CacheError(f"{path} is the cache of another user or machine; remove it or choose another directory")
    if others:
        raise NotACacheError(f"{path} contains more than a synclint cache; choose a new or empty directory")
    return False


def remove(path: str, key: bytes) -> bool:
    """Remove a cache and nothing else; return False if there is none. Raises CacheError for what is not ours."""
    if not is_made(path, key):
        return False
    for version in _by_age(path, _VERSION):
        _remove_version(version)
    for temporary in _by_age(path, _TEMPORARY):
        _remove_file(temporary)
    for name, text in ((_IGNORE, _IGNORE_TEXT), (_TAG, _tag(key))):
        with contextlib.suppress(OSError):
            if plain_file(os.path.join(path, name)) == text:
                os.remove(os.path.join(path, name))
    with contextlib.suppress(OSError):  # what others put there stays, and so does the folder
        os.rmdir(path)
    return True


def remove_unused(place: str, key: bytes, seconds: float) -> None:
    """Remove the caches in a directory that no run has written to for that long."""
    for path in _by_age(place, re.compile(r"[0-9a-f]{32}")):
        with contextlib.suppress(OSError, CacheError):
            if os.lstat(os.path.join(path, _TAG)).st_mtime < time.time() - seconds:
                remove(path, key)


def _tag(key: bytes) -> bytes:
    return _TAG_HEAD + _code(key, _TAG_HEAD) + b"\n"


def _signed(texts: Iterable[str], code: hashlib.blake2b) -> Iterator[bytes]:
    """Yield one text after the other as bytes, and then their code: all at once may need much memory."""
    for text in texts:
        data = text.encode("utf-8", "surrogatepass")
        code.update(data)
        yield data
    yield code.hexdigest().encode()


def _hash(key: bytes, head: bytes) -> hashlib.blake2b:
    return hashlib.blake2b(head, digest_size=_CODE_SIZE // 2, key=key)


def _code(key: bytes, head: bytes, text: bytes | memoryview = b"") -> bytes:
    found = _hash(key, head)
    found.update(text)
    return found.hexdigest().encode()


def _replace(path: str, data: Iterable[bytes], new: str) -> None:
    """Write a file as a whole or not at all, through a new one in a directory. Raises OSError."""
    temporary = os.path.join(new, f"new-{os.urandom(8).hex()}")
    try:
        make_file(temporary, data)
        os.replace(temporary, path)
    except OSError:
        _remove_file(temporary)
        raise


def _make_directory(path: str) -> None:
    with contextlib.suppress(FileExistsError):
        os.mkdir(path)
    if not is_directory(path):
        raise NotADirectoryError(f"{path} is not a directory")


def _by_age(directory: str, form: re.Pattern[str]) -> list[str]:
    """Return the paths of the entries with names of a form, the newest first; none of what a link leads to."""
    return [path for _, path in sorted(_aged(directory, form), reverse=True)]


def _aged(directory: str, form: re.Pattern[str]) -> Iterator[tuple[float, str]]:
    if not is_directory(directory):
        return
    with contextlib.suppress(OSError), os.scandir(directory) as entries:
        for entry in entries:
            if form.fullmatch(entry.name):
                yield entry.stat(follow_symlinks=False).st_mtime, entry.path


def _remove_version(directory: str) -> None:
    for kind, form in ((FILES, _ENTRY), (RUNS, _ENTRY), (_NEW, _TEMPORARY)):
        within = os.path.join(directory, kind)
        for path in _by_age(within, form) if is_directory(directory) else ():
            _remove_file(path)
        with contextlib.suppress(OSError):
            os.rmdir(within)
    with contextlib.suppress(OSError):
        os.rmdir(directory)


def _remove_file(path: str) -> None:
    with contextlib.suppress(OSError):
        os.remove(path)
