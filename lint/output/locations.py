"""File names as other programs expect them: relative to the repository, with slashes, or as URIs."""

from __future__ import annotations

import os
from typing import Final
from urllib.parse import quote

from ..files import paths

_CHECKOUTS: Final = ("GITHUB_WORKSPACE", "CI_PROJECT_DIR", "BUILD_SOURCESDIRECTORY")
"""The variables in which GitHub, GitLab and Azure pass the checkout directory that their file names are relative to."""

_LONG: Final = (("\\\\?\\UNC\\", "\\\\"), ("\\\\?\\", ""))
"""What paths of Windows begin with that may be long: of a share, and of a drive."""


def root() -> str:
    """Return the repository's directory as given by a CI service if we run inside it, or the working directory."""
    here = os.path.realpath(os.getcwd())
    for name in _CHECKOUTS:
        place = os.path.realpath(os.environ.get(name) or os.devnull)
        if os.path.normcase(here + os.sep).startswith(os.path.normcase(place.rstrip(os.sep) + os.sep)):
            return place
    return here


def relative(filename: str, base: str | None = None) -> str:
    """Return the path relative to a directory (by default the working directory), with slashes; absolute outside it."""
    path = paths.relative(filename, base or os.getcwd())
    return os.path.abspath(filename).replace(os.sep, "/") if path.startswith("../") else path


def uri(path: str) -> str:
    """Return a path as part of a URI; an absolute one becomes a `file:` URI. Undecodable bytes keep their value.

    A drive is part of the path, and the server of a network share the authority (RFC 8089).
    """
    if not os.path.isabs(path):
        return _quoted(path)
    drive, rest = os.path.splitdrive(_without_device(path))
    root = _quoted(drive, safe="/:")
    return (
        f"file:{root}{_quoted(rest)}" if root.startswith("//") else f"file://{'/' if root else ''}{root}{_quoted(rest)}"
    )


def _quoted(path: str, safe: str = "/") -> str:
    return quote(os.fsencode(path.replace(os.sep, "/")), safe=safe)


def _without_device(path: str) -> str:
    """Return a path of Windows without the prefix that lets it be long."""
    for prefix, instead in _LONG:
        if os.sep == "\\" and path.replace("/", "\\").startswith(prefix):
            return instead + path[len(prefix) :]
    return path
