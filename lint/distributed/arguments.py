"""What the commands for many machines are given: names of files, also in lists, below a base directory."""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from contextlib import contextmanager

from ..files import regular
from ..store import rewrite
from .parts import PartError, is_inside


def expanded(arguments: Sequence[str]) -> list[str]:
    """Return the names that some arguments give; `@FILE` stands for those in a file, one per line. Raises PartError."""
    found = []
    for argument in arguments:
        found += listed(argument[1:]) if argument.startswith("@") else [argument]
    return found


def listed(path: str) -> list[str]:
    """Return the names in a file, one per line. Raises PartError."""
    try:
        return [line for line in regular.read(path).decode().splitlines() if line]
    except OSError as error:
        raise PartError(f"{path}: {error.strerror or error}") from error
    except UnicodeDecodeError as error:
        raise PartError(f"{path}: is not a list of names, one per line, in UTF-8") from error


def by_name(arguments: Sequence[str], bases: Sequence[str]) -> dict[str, str]:
    """Return the paths of files by their names (see `named`). Raises PartError if two have the same name."""
    found: dict[str, str] = {}
    for path in expanded(arguments):
        name = named(path, bases)
        if os.path.abspath(found.setdefault(name, path)) != os.path.abspath(path):
            raise PartError(f"{path}: has the same name as {found[name]} under another --base; drop one of them")
    return found


def named(path: str, bases: Sequence[str]) -> str:
    """Return the name of a file below the innermost of some directories, written with `/`. Raises PartError.

    Links are not followed: build systems make the files of a program from links to wherever these are.
    """
    path = os.path.abspath(path)
    tops = sorted((os.path.join(os.path.abspath(base), "") for base in bases), key=len, reverse=True)
    name = next((path[len(top) :].replace(os.sep, "/") for top in tops if path.startswith(top)), None)
    if not is_inside(name):
        raise PartError(f"{path}: is not below {' or '.join(bases)}; name a directory above it with --base")
    return str(name)


def names_in(path: str, bases: Sequence[str]) -> list[str]:
    """Return the names in a file as summaries have them: below the innermost of some directories.

    There are as many as a program has files, so nothing but their text is looked at. Raises PartError.
    """
    tops = [f"{base.rstrip('/')}/" for base in sorted(bases, key=len, reverse=True)]
    return [next((name[len(top) :] for top in tops if name.startswith(top)), name) for name in listed(path)]


def save(path: str, data: bytes) -> None:
    """Write a file, unless it has that content: what is made of it stays up to date. Raises PartError."""
    try:
        if os.path.isfile(path) and regular.read(path, 1 << 32) == data:
            return
        rewrite.write(path, data)
    except OSError as error:
        raise PartError(f"{path}: could not be written: {error.strerror or error}") from error


@contextmanager
def working_in(directory: str) -> Iterator[None]:
    """Work in a directory, where names and configurations are found, and come back. Raises PartError."""
    before = os.getcwd()
    try:
        os.chdir(directory)
    except OSError as error:
        raise PartError(f"{directory}: {error.strerror or error}; name another --base") from error
    try:
        yield
    finally:
        os.chdir(before)
