"""Which files a run checks: directories are searched, files that are named are taken as they are."""

from __future__ import annotations

import errno
import os
import stat
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Final

from .source import NOTEBOOK, Unreadable, start_of

if TYPE_CHECKING:
    from pathspec import GitIgnoreSpec

SUFFIXES: Final = (".py", ".pyi", NOTEBOOK)

EXCLUDED: Final = frozenset(
    [
        ".bzr",
        ".direnv",
        ".eggs",
        ".git",
        ".hg",
        ".hypothesis",
        ".ipynb_checkpoints",
        ".mypy_cache",
        ".nox",
        ".pytest_cache",
        ".pytype",
        ".ruff_cache",
        ".svn",
        ".tox",
        ".venv",
        ".vscode",
        "__pycache__",
        "__pypackages__",
        "_build",
        "build",
        "dist",
        "node_modules",
        "site-packages",
        "venv",
    ]
)
"""Directories that hold no code of the project's own."""


class Patterns:
    """The patterns of one gitignore file or setting, relative to its directory."""

    def __init__(self, root: str, lines: Iterable[str]) -> None:
        self.root = root
        self._lines = list(lines)
        self._spec: GitIgnoreSpec | None = None

    def verdict(self, path: str, directory: bool = False) -> bool | None:
        """True: ignored; False: taken in again by a `!` pattern; None: no pattern speaks of it."""
        relative = os.path.relpath(path, self.root).replace(os.sep, "/")
        if relative.startswith("../") or relative in ("..", "."):
            return None
        if self._spec is None:
            from pathspec import GitIgnoreSpec

            self._spec = GitIgnoreSpec.from_lines(self._lines)
        return self._spec.check_file(relative + "/" * directory).include


@dataclass(slots=True)
class Found:
    """The files to check, and what could not be; `missing` says that a path given by name does not exist."""

    files: list[str] = field(default_factory=list)
    problems: list[Unreadable] = field(default_factory=list)
    missing: bool = False


def discover(paths: Sequence[str], root: Path, exclude: Sequence[str] = (), force: bool = False) -> Found:
    """The Python files and notebooks under the given paths, each once, sorted within a directory.

    Directories leave out what `EXCLUDED`, `exclude` and gitignore files name, and links to directories, which
    might lead in circles. A file given by name is taken whatever its name, unless `force` is set.
    """
    found = Found()
    excluded = Patterns(str(root.absolute()), exclude) if exclude else None
    taken: set[str] = set()
    directories: dict[str, str] = {}
    for given in paths:
        path = os.path.normpath(given)
        if force and _is_excluded(path, str(root.absolute()), excluded):
            continue
        for file in _files(path, found, excluded):
            identity = _identity(file, directories)
            if identity not in taken:
                taken.add(identity)
                found.files.append(file)
    return found


def _identity(file: str, directories: dict[str, str]) -> str:
    """The file's real path; the real paths of directories are remembered, for they are slow to find."""
    if os.path.islink(file):
        return os.path.realpath(file)
    directory, name = os.path.split(file)
    if directory not in directories:
        directories[directory] = os.path.realpath(directory)
    return os.path.join(directories[directory], name)


def _files(path: str, found: Found, excluded: Patterns | None) -> Iterator[str]:
    try:
        mode = os.stat(path).st_mode
    except (OSError, ValueError) as error:
        found.missing = True
        found.problems.append(Unreadable(start_of(path), _why(error)))
        return
    if stat.S_ISDIR(mode):
        yield from _walk(path, _ignored_above(path), found, excluded)
    else:
        yield path


def _why(error: OSError | ValueError) -> str:
    """What is wrong with a path and what to do, in a few words."""
    if isinstance(error, FileNotFoundError):
        return "does not exist; correct the path"
    if isinstance(error, OSError) and error.errno == errno.ELOOP:
        return "is a symbolic link that leads back to itself; remove it"
    if isinstance(error, PermissionError):
        return "cannot be read: permission denied; give read permission or exclude it"
    return f"cannot be read: {getattr(error, 'strerror', None) or error}"


def _walk(directory: str, ignored: tuple[Patterns, ...], found: Found, excluded: Patterns | None) -> Iterator[str]:
    """The Python files below a directory. A directory that cannot be listed is a problem, not an end."""
    try:
        with os.scandir(directory) as listing:
            entries = sorted(listing, key=lambda entry: entry.name)
    except OSError as error:
        found.problems.append(Unreadable(start_of(directory), _why(error)))
        return
    if any(entry.name == ".gitignore" for entry in entries):
        ignored = (*ignored, *_gitignore(directory))
    for entry in entries:
        path = entry.name if directory == "." else os.path.join(directory, entry.name)
        if entry.is_dir(follow_symlinks=False):
            if entry.name not in EXCLUDED and not _is_ignored(path, True, ignored, excluded):
                yield from _walk(path, ignored, found, excluded)
        elif (
            entry.name.endswith(SUFFIXES)
            and not _is_ignored(path, False, ignored, excluded)
            and _is_file(entry, path, found)
        ):
            yield path


def _is_file(entry: os.DirEntry[str], path: str, found: Found) -> bool:
    """Whether an entry can be read as a file: no directory, pipe or socket. A link to nothing is a problem."""
    try:
        return stat.S_ISREG(entry.stat().st_mode)
    except OSError as error:
        if not entry.name.startswith(".#"):  # the lock files of Emacs are links to nothing
            found.problems.append(Unreadable(start_of(path), _why(error)))
        return False


def _gitignore(directory: str) -> tuple[Patterns, ...]:
    try:
        text = Path(directory, ".gitignore").read_text(encoding="utf-8", errors="surrogateescape")
    except OSError:
        return ()
    return (Patterns(os.path.abspath(directory), text.splitlines()),)


def _ignored_above(directory: str) -> tuple[Patterns, ...]:
    """The gitignore files between the repository's root and a directory, outermost first.

    They say nothing about a directory that they ignore as a whole: who names it wants it checked.
    """
    path = Path(os.path.abspath(directory))
    repository = next((place for place in (path, *path.parents) if (place / ".git").exists()), None)
    if repository is None:
        return ()
    above = path.parents[: len(path.parts) - len(repository.parts)]
    ignored = tuple(patterns for place in reversed(above) for patterns in _gitignore(str(place)))
    return () if _is_ignored(str(path), True, ignored, None) else ignored


def _is_ignored(path: str, directory: bool, ignored: tuple[Patterns, ...], excluded: Patterns | None) -> bool:
    """Whether the innermost patterns that speak of a path ignore it."""
    if excluded is not None and excluded.verdict(os.path.abspath(path), directory):
        return True
    if not ignored:
        return False
    absolute = os.path.abspath(path)
    verdicts = (patterns.verdict(absolute, directory) for patterns in reversed(ignored))
    return bool(next((verdict for verdict in verdicts if verdict is not None), False))


def _is_excluded(path: str, root: str, excluded: Patterns | None) -> bool:
    """Whether a search from the root would have left a path out."""
    relative = os.path.relpath(os.path.abspath(path), root)
    if not relative.startswith("..") and not EXCLUDED.isdisjoint(Path(relative).parts):
        return True
    ignored = (*_ignored_above(path),)
    return _is_ignored(path, os.path.isdir(path), ignored, excluded)
