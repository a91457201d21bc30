"""Where a report goes, and in which format: `--output FORMAT=FILE`. Only the requested formats are imported."""

from __future__ import annotations

import errno
import importlib
import io
import os
import pkgutil
import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Final

import click

from . import formats
from .outcome import Outcome

STDOUT: Final = "-"
FOR_PEOPLE: Final = ("full", "concise", "grouped")
"""The formats that programs do not read."""


@dataclass(frozen=True, slots=True)
class Target:
    """One output of a run: the name of the format, and the file's absolute path or `-`."""

    form: str
    path: str = STDOUT


def format_names() -> list[str]:
    """Return the names of the formats."""
    return sorted(module.name.replace("_", "-") for module in pkgutil.iter_modules(formats.__path__))


def renderer(form: str) -> Callable[[Outcome], Iterator[str]]:
    """Return the function that turns an outcome into lines of that format."""
    module = importlib.import_module(f"{formats.__name__}.{form.replace('-', '_')}")
    render: Callable[[Outcome], Iterator[str]] = module.render
    return render


def targets(words: Sequence[str], forms: Sequence[str] = ()) -> tuple[Target, ...]:
    """Return the outputs for several `FORMAT=FILE`, checked before a long run starts. Raises click.UsageError.

    `forms` are the formats to choose from; by default all.
    """
    known = forms or format_names()
    found = tuple(_target(word, known) for word in words)
    for at, each in enumerate(found):
        if each.path in (other.path for other in found[:at]):
            where = "standard output" if each.path == STDOUT else each.path
            raise click.UsageError(f"`--output {words[at]}`: {where} already takes another format; choose another file")
    return found


def _target(word: str, forms: Sequence[str]) -> Target:
    form, given, path = word.partition("=")
    if not given or not path or form not in forms:
        names = ", ".join(forms)
        raise click.UsageError(f"`--output {word}`: expected FORMAT=FILE, a format of {names}; `-` is standard output")
    if form == "html":
        from . import page  # noqa: F401 - says what is not installed, before a long run
    if path == STDOUT:
        return Target(form)
    path = os.path.abspath(path)
    taken = path if os.path.exists(path) else os.path.dirname(path)
    if os.path.isdir(path) or not os.access(taken, os.W_OK):
        raise click.UsageError(f"`--output {word}`: cannot write to {path}")
    return Target(form, path)


def write(path: str, lines: Iterable[str], form: str = "full") -> None:
    """Write the lines as UTF-8 to a file as a whole, or to standard output (`-`). Raises OSError.

    There, formats for people are in the terminal's encoding.
    """
    if path == STDOUT:
        if sys.stdout is None:
            raise OSError(errno.EBADF, "it is closed")
        if form not in FOR_PEOPLE and isinstance(sys.stdout, io.TextIOWrapper):
            sys.stdout.reconfigure(encoding="utf-8")
        for line in lines:
            sys.stdout.write(line + "\n")
        sys.stdout.flush()
        return
    data = "".join(f"{line}\n" for line in lines).encode(errors="backslashreplace")
    if _is_stream(path):
        with open(path, "wb") as stream:
            stream.write(data)
        return
    from ..store import rewrite

    rewrite.write(path, data)


def _is_stream(path: str) -> bool:
    """Whether a path is no file of its own, but a pipe, a device, or another name of what is open already."""
    return path.startswith(("/dev/", "/proc/")) or (os.path.exists(path) and not os.path.isfile(path))
