"""Which files a run checks: directories are searched, files given by name are taken as they are."""

from __future__ import annotations

import errno
import os
import stat
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

from ..files.paths import is_below, repository
from ..files.patterns import Patterns
from ..files.regular import NotReadError, kind, read
from ..files.source import NOTEBOOK, Unreadable, start_of
from ..limits import LARGEST_SETTINGS
from ..settings.configurations import Configurations

GITIGNORE: Final = ".gitignore"
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
"""Directories that contain none of the project's own code."""


@dataclass(slots=True)
class Found:
    """The files to check, and what could not be; `missing` says that a path given by name does not exist.

    `left_out` are the paths that no setting excludes but gitignore files or `EXCLUDED`.
    """

    files: list[str] = field(default_factory=list)
    problems: list[Unreadable] = field(default_factory=list)
    missing: bool = False
    left_out: list[str] = field(default_factory=list)


def discover(paths: Sequence[str], configurations: Configurations, force: bool = False) -> Found:
    """Return the Python files and notebooks under the given paths, each once, sorted within a directory.

    Directories leave out what `EXCLUDED`, `exclude` and gitignore files name, and links to directories, which
    might lead in circles. A link is followed to a file that a search of the project could find by itself. A file given
    by name is taken whatever its name, unless `force` is set. Raises ConfigError.
    """
    search = _Search(configurations)
    taken: set[str] = set()
    directories: dict[str, str] = {}
    files = []
    for given in paths:
        if force and (why_excluded := _why_excluded(given, configurations)):
            search.left_out += [given] if why_excluded == _BY_NAME else []
            continue
        for file in search.files(given):
            identity = _identity(file, directories)
            if identity not in taken:
                taken.add(identity)
                files.append(file)
    return Found(files, search.problems, search.missing, search.left_out)


def is_excluded(path: str, configurations: Configurations) -> bool:
    """Whether a search from the top of the project would have left a path out. Raises ConfigError."""
    return _why_excluded(path, configurations) is not None


_BY_NAME, _BY_SETTINGS = "by its name, or a gitignore file", "by the settings"


def _why_excluded(path: str, configurations: Configurations) -> str | None:
    path, settings = os.path.abspath(path), configurations.run
    tops = (os.path.join(os.path.abspath(place), "") for place in (settings.top, settings.root))
    top = next((each for each in tops if path.startswith(each)), os.path.join(os.path.dirname(path), ""))
    ignored, place = _gitignores(path, []), os.path.dirname(top)
    for name in path.removeprefix(top).split(os.sep):
        excluded, place = configurations.excluded(place), os.path.join(place, name)
        is_directory = place != path or os.path.isdir(place)
        if excluded is not None and excluded.verdict(place, is_directory):
            return _BY_SETTINGS
        if (name in EXCLUDED and is_directory) or _is_ignored(place, is_directory, ignored):
            return _BY_NAME
    return None


def _identity(file: str, directories: dict[str, str]) -> str:
    """Return the file's real path; those of directories are remembered because they are slow to find."""
    if os.path.islink(file):
        return os.path.realpath(file)
    directory, name = os.path.split(file)
    if directory not in directories:
        directories[directory] = os.path.realpath(directory)
    return os.path.join(directories[directory], name)


class _Search:
    """A search through directories, and what was met on the way."""

    def __init__(self, configurations: Configurations) -> None:
        self.configurations = configurations
        self.problems: list[Unreadable] = []
        self.left_out: list[str] = []
        self.missing = False
        self._homes: set[str] = set()

    def files(self, given: str) -> Iterator[str]:
        """Yield the files that a path on the command line refers to."""
        path = os.path.normpath(given) if given else given
        try:
            mode = os.stat(path).st_mode
        except (OSError, ValueError) as error:
            self.missing = True
            self._fail(path, why(error) if path else "is not a path; write `.` for the working directory")
            return
        if not stat.S_ISDIR(mode):
            yield path
            return
        absolute = os.path.abspath(path)
        project = repository(absolute) or self.configurations.run.top
        self._homes = {os.path.realpath(path), os.path.realpath(project)}
        excluded = self.configurations.excluded(absolute)
        if excluded is None or not excluded.cover(absolute, True):
            yield from self._walk(path, _ignored_above(absolute, self.problems))

    def _fail(self, path: str, message: str) -> None:
        self.problems.append(Unreadable(start_of(path), message))

    def _walk(self, start: str, ignored: tuple[Patterns, ...]) -> Iterator[str]:
        """Yield the Python files below a directory; a directory that cannot be listed is a problem, not the end."""
        stack = [self._in_directory(start, ignored)]
        while stack:
            found = next(stack[-1], None)
            if found is None:
                stack.pop()
            elif isinstance(found, str):
                yield found
            else:
                stack.append(self._in_directory(*found))

    def _in_directory(
        self, directory: str, ignored: tuple[Patterns, ...]
    ) -> Iterator[str | tuple[str, tuple[Patterns, ...]]]:
        """Yield the files in a directory, and each directory to search with the gitignore files that apply there."""
        try:
            with os.scandir(directory) as listing:
                entries = sorted(listing, key=lambda entry: entry.name)
        except OSError as error:
            self._fail(directory, why(error))
            return
        absolute = os.path.abspath(directory)
        if any(entry.name == GITIGNORE for entry in entries):
            ignored = (*ignored, *_gitignore(absolute, self.problems))
        excluded = self.configurations.excluded(absolute)
        for entry in entries:
            is_directory = entry.is_dir(follow_symlinks=False)
            if not is_directory and not entry.name.endswith(SUFFIXES):
                continue
            place = os.path.join(absolute, entry.name) if ignored or excluded is not None else ""
            if excluded is not None and excluded.verdict(place, is_directory):
                continue
            path = entry.name if directory == "." else os.path.join(directory, entry.name)
            if (is_directory and entry.name in EXCLUDED) or (ignored and _is_ignored(place, is_directory, ignored)):
                self.left_out.append(path)
            elif is_directory:
                yield path, ignored
            elif self._is_file(entry, path):
                yield path

    def _is_file(self, entry: os.DirEntry[str], path: str) -> bool:
        """Whether an entry can be read as a file. A link to nothing is a problem, and so are pipes and devices."""
        try:
            mode = entry.stat().st_mode
        except OSError as error:
            if not entry.name.startswith(".#"):  # the lock files of Emacs are dangling links
                self._fail(path, why(error))
            return False
        if not stat.S_ISREG(mode) and not stat.S_ISDIR(mode):
            self._fail(path, f"is {kind(mode)}, not a file; remove or exclude it")
        return stat.S_ISREG(mode) and not (entry.is_symlink() and self._leads_away(path))

    def _leads_away(self, path: str) -> bool:
        """Return whether a link leads to what is none of the project's code: its lines would be printed in reports."""
        target = os.path.realpath(path)
        for home in self._homes if target.endswith(SUFFIXES) else ():
            if is_below(target, home) and EXCLUDED.isdisjoint(target.removeprefix(home).split(os.sep)):
                return False
        self._fail(path, "is a symbolic link that leads out of the project's code; name it to check it, or exclude it")
        return True


def why(error: OSError | ValueError) -> str:
    """Return what is wrong with a path and what to do, in a few words."""
    if isinstance(error, FileNotFoundError):
        return "does not exist; correct the path"
    if isinstance(error, OSError) and error.errno == errno.ELOOP:
        return "is a symbolic link to itself; remove it"
    if isinstance(error, PermissionError):
        return "could not be read: permission denied; grant read permission or exclude it"
    return f"cannot be read: {getattr(error, 'strerror', None) or error}"


def _gitignore(directory: str, problems: list[Unreadable]) -> tuple[Patterns, ...]:
    """Return the patterns of a directory's gitignore file, which neither git nor we read if it is a link."""
    path = os.path.join(directory, GITIGNORE)
    try:
        if os.path.islink(path):
            raise NotReadError("it is a symbolic link, which git does not follow; put a file in its place", path)
        text = read(path, LARGEST_SETTINGS).decode("utf-8", errors="surrogateescape")
    except (FileNotFoundError, NotADirectoryError):
        return ()
    except OSError as error:
        if not os.path.isdir(path):
            name = os.path.relpath(path)
            problems.append(Unreadable(start_of(name), f"cannot be read: {error.strerror}; it ignores nothing"))
        return ()
    return (Patterns(directory, text.removeprefix("\ufeff").split("\n")),)


def _ignored_above(directory: str, problems: list[Unreadable]) -> tuple[Patterns, ...]:
    """Return the gitignore files that apply in a directory, outermost first.

    They do not apply to a directory that they ignore as a whole: whoever names it wants it checked.
    """
    ignored = _gitignores(directory, problems)
    above = map(str, (directory, *Path(directory).parents)) if ignored else ()
    return () if any(_is_ignored(place, True, ignored) for place in above) else ignored


def _gitignores(path: str, problems: list[Unreadable]) -> tuple[Patterns, ...]:
    """Return the gitignore files between the repository's root and the directory of a path, outermost first."""
    parents = Path(path).parents
    top = repository(path)
    above = parents[: len(parents) + 1 - len(top.parts)] if top else ()
    return tuple(patterns for place in reversed(above) for patterns in _gitignore(str(place), problems))


def _is_ignored(path: str, directory: bool, ignored: Sequence[Patterns]) -> bool:
    """Whether the innermost gitignore file with a pattern for a path ignores it."""
    verdicts = (patterns.verdict(path, directory) for patterns in reversed(ignored))
    return bool(next((verdict for verdict in verdicts if verdict is not None), False))
