"""Which settings hold where: each directory has its nearest configuration, as each file has when it is named alone."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable
from dataclasses import replace
from pathlib import Path

from ..files.patterns import Patterns
from .config import Settings
from .files import CONFIGURATIONS, configured


class Configurations:
    """The settings of the directories of a run, found when they are asked for.

    `run` are the settings that the run begins with. Below a directory with a configuration of its own hold the
    settings that `adapt` makes of it; without `adapt`, the run's hold everywhere.
    """

    def __init__(self, run: Settings, adapt: Callable[[Settings], Settings] | None = None) -> None:
        self.run = run
        self._adapt = adapt
        self._known = {os.path.abspath(run.root): run}
        self._excluded: dict[str, Patterns | None] = {}

    def of(self, directory: str) -> Settings:
        """Return the settings for the files in a directory, given by its absolute path. Raises ConfigError."""
        if self._adapt is None:
            return self.run
        above = []
        while directory not in self._known:
            own = configured(Path(directory)) if _may_be_configured(directory) else None
            if own is not None:
                self._known[directory] = self._adapt(replace(own, project=self.run.project))
                break
            above.append(directory)
            parent = os.path.dirname(directory)
            if parent == directory:
                self._known[directory] = self.run
                break
            directory = parent
        settings = self._known[directory]
        self._known.update(dict.fromkeys(above, settings))
        return settings

    def excluded(self, directory: str) -> Patterns | None:
        """Return the patterns of what is excluded in a directory, given by its absolute path. Raises ConfigError."""
        settings = self.of(directory)
        root = os.path.abspath(settings.root)
        if root not in self._excluded:
            self._excluded[root] = Patterns(root, settings.exclude) if settings.exclude else None
        return self._excluded[root]

    def apart(self, names: Iterable[str]) -> dict[str, Settings]:
        """Return the files whose settings differ from the run's, with theirs. Raises ConfigError."""
        if self._adapt is None:
            return {}
        directories = {name: os.path.dirname(os.path.abspath(name)) for name in names}
        return {
            name: settings
            for name, directory in directories.items()
            if (settings := self.of(directory)) is not self.run
        }


def _may_be_configured(directory: str) -> bool:
    return any(os.path.lexists(os.path.join(directory, name)) for name in CONFIGURATIONS)
