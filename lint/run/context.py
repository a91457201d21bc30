"""The rest of the project: files that a run does not report on but that provide information about those it does."""

from __future__ import annotations

import os
from collections.abc import Sequence
from pathlib import Path
from typing import Final

from ..files.choosing import CHOOSING, LARGEST_CHOOSING, is_choosing
from ..files.paths import is_below, real
from ..settings.configurations import Configurations
from .discovery import SUFFIXES, discover
from .file import File

MOST_FILES: Final = 20_000
"""A folder with more files than this is hardly a single project, and reading it would cost more than it helps."""
MOST_CHOOSING: Final = 2_000
"""If more files beside the code could choose what it runs, they are data."""


def context(files: Sequence[File], configurations: Configurations) -> list[File]:
    """Return the project's files that are not checked themselves, so that a report does not depend on what else is.

    Those that are no code may say by name what it runs. None where nothing marks the root as a project's. Raises
    ConfigError.
    """
    project = configurations.run.project
    if not files or project is None:
        return []
    given = {real(file.name) for file in files}
    if not any(is_below(name, project) for name in given):
        return []
    found = discover([str(project)], configurations, suffixes=(*SUFFIXES, *CHOOSING)).files
    code = [name for name in found if not is_choosing(name)]
    if len(code) > MOST_FILES:
        return []
    return [File(_shown(name)) for name in (*code, *_choosing(found)) if real(name) not in given]


def _choosing(names: Sequence[str]) -> list[str]:
    """Return the files that are no code, as far as they are not data."""
    found = [name for name in names if is_choosing(name) and _size(name) <= LARGEST_CHOOSING]
    return found if len(found) <= MOST_CHOOSING else []


def _size(name: str) -> int:
    """Return the size of a file; that of one that is gone is too large."""
    try:
        return os.path.getsize(name)
    except OSError:
        return LARGEST_CHOOSING + 1


def _shown(name: str) -> str:
    """Return the name as a user in the current directory would write it."""
    here = os.path.join(Path.cwd(), "")
    return name.removeprefix(here)
