"""A project's line length, from the configuration of its formatter or linter."""

from __future__ import annotations

import configparser
import os
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final

from ..files.regular import read
from ..limits import LARGEST_SETTINGS
from ..settings.files import ConfigError, read_toml

DEFAULT: Final = 88
"""The length of Black and Ruff where nothing is said."""

_TABLES: Final = (
    (".ruff.toml", ()),
    ("ruff.toml", ()),
    ("pyproject.toml", ("tool", "ruff")),
    ("pyproject.toml", ("tool", "black")),
)
_SECTIONS: Final = {
    ".flake8": ("flake8",),
    "setup.cfg": ("flake8", "pycodestyle"),
    "tox.ini": ("flake8", "pycodestyle"),
}


def line_length(file: str | Path) -> int:
    """Return the length set by the nearest configuration above a file within the repository, else the default."""
    for directory in Path(file).absolute().parents:
        found = next(_lengths(directory), None)
        if found is not None:
            return found
        if os.path.exists(directory / ".git"):
            break
    return DEFAULT


def _lengths(directory: Path) -> Iterator[int]:
    """Yield the lengths in a directory's configurations, skipping unreadable ones."""
    for name, path in _TABLES:
        table: Any = _toml(directory / name)
        for key in path:
            table = table.get(key) if isinstance(table, dict) else None
        length = table.get("line-length") if isinstance(table, dict) else None
        if type(length) is int:
            yield length
    for name, sections in _SECTIONS.items():
        yield from _of_sections(directory / name, sections)


def _toml(file: Path) -> dict[str, Any]:
    try:
        return read_toml(file, read(file, LARGEST_SETTINGS))
    except (OSError, ConfigError):
        return {}


def _of_sections(file: Path, sections: tuple[str, ...]) -> Iterator[int]:
    parser = configparser.RawConfigParser()
    try:
        parser.read_string(read(file, LARGEST_SETTINGS).decode())
    except (OSError, ValueError, configparser.Error):
        return
    for section in sections:
        length = parser.get(section, "max-line-length", fallback="")
        if length.isdecimal() and len(length) < 6:
            yield int(length)
