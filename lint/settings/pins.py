"""The versions that a project requires: what its lock file names, else its dependencies, extras and requirements.

Nothing of the project is run, and no package is asked: all are texts. A file that is wrong is not ours to complain
about, one that is no file is.
"""

from __future__ import annotations

import codecs
import os
import re
import sys
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any, Final

from ..files.regular import NotReadError, read
from ..limits import LARGEST_SETTINGS
from ..regex import regex
from .versions import LIBRARIES, library_of, required

if sys.version_info >= (3, 11):
    import tomllib
else:
    import tomli as tomllib

LOCKS: Final = ("pylock.toml", "uv.lock", "poetry.lock")
"""Lock files, all of them TOML with a table for each package; the first that names a library counts."""

_INSTALLED: Final = regex(r"^\[(?:project|build-system|tool\.poetry|tool\.flit\.metadata)\]", re.MULTILINE)
"""Tables of a pyproject.toml that say how a project is installed."""

_PACKAGE: Final = regex(r"^\[\[packages?\]\]", re.MULTILINE)
_KNOWN: Final = regex("|".join(LIBRARIES), re.IGNORECASE)
_LONGER: Final = regex(r"\\\r?\n")
_MARKS: Final = ((codecs.BOM_UTF8, "utf-8-sig"), (codecs.BOM_UTF16_LE, "utf-16"), (codecs.BOM_UTF16_BE, "utf-16"))


def pins(root: Path) -> dict[str, tuple[str, ...]]:
    """Return the requirement lines for the libraries we know. Raises NotReadError."""
    lines = [line for file in sorted(root.glob("requirements*.txt")) for line in _requirements(file)]
    document = _document(root / "pyproject.toml")
    project = _table(document, "project")
    optional = (*_lists(_table(project, "optional-dependencies")), *_lists(_table(document, "dependency-groups")))
    declared = {**required(lines), **required(optional), **required(_texts(project.get("dependencies")))}
    for name in reversed(LOCKS):
        declared |= required(_locked(root / name))
    return declared


def is_installable(root: Path) -> bool:
    """Return whether a project's files say how it is installed, so that others may call what it offers.

    Raises NotReadError.
    """
    if os.path.isfile(root / "setup.py") or "[metadata]" in _text(root / "setup.cfg"):
        return True
    return _INSTALLED.search(_text(root / "pyproject.toml")) is not None


def installed(library: str, root: Path) -> str:
    """Return the version installed in an environment, by its metadata folder's name; empty if it is not installed.

    The environments are the project's `.venv`, the active one, and our own.
    """
    homes = [str(root / ".venv"), os.environ.get("VIRTUAL_ENV", ""), os.environ.get("CONDA_PREFIX", ""), sys.prefix]
    name = re.compile(rf"(?:{'(?:pytorch_)?' if library == 'lightning' else ''}{library})-([0-9][^-]*)\.dist-info")
    for home in filter(None, homes):
        for place in (*sorted(Path(home, "lib").glob("python3*/site-packages")), Path(home, "Lib", "site-packages")):
            found = (match[1] for entry in _names_in(place) if (match := name.fullmatch(entry)))
            if version := next(found, ""):
                return version
    return ""


def _names_in(folder: Path) -> list[str]:
    try:
        return sorted(os.listdir(folder))
    except OSError:
        return []


def _text(file: Path) -> str:
    """Return the text of a file, or nothing. Raises NotReadError if it is not a file."""
    try:
        data = read(file, LARGEST_SETTINGS)
    except NotReadError:
        if os.path.isdir(file):
            return ""
        raise
    except OSError:
        return ""
    encoding = next((name for mark, name in _MARKS if data.startswith(mark)), "utf-8")
    return data.decode(encoding, errors="replace")


def _requirements(file: Path) -> list[str]:
    """Return the lines of a requirements file, with those that end in a backslash joined as by pip."""
    text = _text(file)
    return _LONGER.sub(" ", text).splitlines() if _KNOWN.search(text) else []


def _locked(file: Path) -> Iterator[str]:
    """Yield the packages of a lock file as requirements; only the relevant tables are parsed, since it may be long."""
    text = _text(file)
    starts = [match.start() for match in _PACKAGE.finditer(text)]
    for start, end in zip(starts, [*starts[1:], len(text)]):
        if not _KNOWN.search(text, start, end):
            continue
        for packages in _parsed(text[start:end]).values():
            for each in packages if isinstance(packages, list) else ():
                name, version = each.get("name"), each.get("version")
                if isinstance(name, str) and isinstance(version, str) and library_of(name):
                    yield f"{name}=={version}"


def _document(file: Path) -> dict[str, Any]:
    text = _text(file)
    return _parsed(text) if _KNOWN.search(text) else {}


def _parsed(text: str) -> dict[str, Any]:
    try:
        return tomllib.loads(text)
    except (ValueError, RecursionError):
        return {}


def _table(document: dict[str, Any], name: str) -> dict[str, Any]:
    found = document.get(name)
    return found if isinstance(found, dict) else {}


def _lists(table: dict[str, Any]) -> Iterable[str]:
    return (line for lines in table.values() for line in _texts(lines))


def _texts(value: object) -> list[str]:
    return [line for line in value if isinstance(line, str)] if isinstance(value, list) else []
