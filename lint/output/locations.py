"""File names as other programs expect them: relative to the repository, with slashes, or as URIs."""

from __future__ import annotations

import os
from typing import Final
from urllib.parse import quote

from ..files import paths

_CHECKOUTS: Final = ("GITHUB_WORKSPACE", "CI_PROJECT_DIR", "BUILD_SOURCESDIRECTORY")
"""The variables in which GitHub, GitLab and Azure pass the checkout directory that their file names are relative to."""


def root() -> str:
    """Return the repository's directory as given by a CI service if we run inside it, or the working directory."""
    here = os.path.realpath(os.getcwd())
    for name in _CHECKOUTS:
        place = os.path.realpath(os.environ.get(name) or os.devnull)
        if (here + os.sep).startswith(place.rstrip(os.sep) + os.sep):
            return place
    return here


def relative(filename: str, base: str | None = None) -> str:
    """Return the path relative to a directory (by default the working directory), with slashes; absolute outside it."""
    path = paths.relative(filename, base or os.getcwd())
    return os.path.abspath(filename).replace(os.sep, "/") if path.startswith("../") else path


def uri(path: str) -> str:
    """Return a path as part of a URI; an absolute one becomes a `file:` URI. Undecodable bytes keep their value."""
    quoted = quote(os.fsencode(path.replace(os.sep, "/")), safe="/")
    return f"file://{'' if quoted.startswith('/') else '/'}{quoted}" if os.path.isabs(path) else quoted
