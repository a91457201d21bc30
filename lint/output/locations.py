"""File names as other programs want them: relative to the repository, with slashes, or as URIs."""

from __future__ import annotations

import os
from typing import Final
from urllib.parse import quote

from .. import paths

_CHECKOUTS: Final = ("GITHUB_WORKSPACE", "CI_PROJECT_DIR", "BUILD_SOURCESDIRECTORY")
"""Where GitHub, GitLab and Azure tell the directory of the checkout, to which their file names are relative."""


def root() -> str:
    """The directory of the repository as a CI service tells it if we run inside of it, or the working directory."""
    here = os.path.realpath(os.getcwd())
    for name in _CHECKOUTS:
        place = os.path.realpath(os.environ.get(name) or os.devnull)
        if (here + os.sep).startswith(place.rstrip(os.sep) + os.sep):
            return place
    return here


def relative(filename: str, base: str | None = None) -> str:
    """The path from a directory (by default the working directory), with slashes; outside of it, the absolute one."""
    path = paths.relative(filename, base or os.getcwd())
    return os.path.abspath(filename).replace(os.sep, "/") if path.startswith("../") else path


def uri(path: str) -> str:
    """A path as part of a URI; an absolute one becomes a `file:` URI. Bytes that are no text keep their value."""
    quoted = quote(os.fsencode(path.replace(os.sep, "/")), safe="/")
    return f"file://{'' if quoted.startswith('/') else '/'}{quoted}" if os.path.isabs(path) else quoted
