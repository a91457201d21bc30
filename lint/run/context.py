"""The rest of the project: files that a run does not report on but that provide information about those it does."""

from __future__ import annotations

import os
from collections.abc import Sequence
from pathlib import Path

from ..files.paths import is_below, real
from ..limits import MOST_FILES
from ..settings.configurations import Configurations
from .discovery import discover
from .file import File


def context(files: Sequence[File], configurations: Configurations) -> list[File]:
    """Return the project's files that are not checked themselves, so that a report does not depend on what else is.

    None where nothing marks the root as a project's. Raises ConfigError.
    """
    project = configurations.run.project
    if not files or project is None:
        return []
    given = {real(file.name) for file in files}
    if not any(is_below(name, project) for name in given):
        return []
    found = discover([str(project)], configurations).files
    if MOST_FILES.is_exceeded(len(found)):
        return []
    return [File(_shown(name)) for name in found if real(name) not in given]


def _shown(name: str) -> str:
    """Return the name as a user in the current directory would write it."""
    here = os.path.join(Path.cwd(), "")
    return name.removeprefix(here)
