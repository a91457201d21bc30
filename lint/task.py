"""From the words of the command line to what a run is about: the settings, the rules and the files."""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import click

from .cache import cache_of
from .cache_folder import NotACacheError
from .config import ConfigError, Settings, find_settings, read_settings
from .context import context
from .discovery import Found, discover
from .file import File
from .finding import Confidence
from .keys import LOUDNESS
from .output.text import escape
from .rule import Rule
from .selection import Layer, UnknownRuleError, chosen_rules
from .source import Unreadable, content, decode, may_matter
from .user_cache import CacheError


@dataclass(frozen=True, slots=True)
class Task:
    """What a run was asked for. `found` is what the search met; `files` are what is checked.

    `cache` is where analyses are kept between runs.

    An `idle` one has nothing to say whatever the rest of the project is, as for most commits of a project where few
    files have to do with PyTorch. It needs no rules, and importing them is half of what a run on one file costs.
    """

    paths: Sequence[str]
    options: dict[str, Any]
    settings: Settings
    rules: Sequence[Rule]
    found: Found
    files: Sequence[File]
    idle: bool = False
    cache: Path | None = None

    @classmethod
    def of(cls, paths: Sequence[str], options: dict[str, Any]) -> Task:
        """The task that the command line means. Raises click.UsageError."""
        try:
            settings = _settings(paths, options)
            found, files = _files(paths, settings, options)
            idle = not found.problems and not any(map(_may_matter, files))
            layers = [settings.layer, Layer(options["select"], options["extend_select"], options["ignore"])]
            writes = options["write_baseline"] or options["prune_baseline"]
            rules = () if idle and not writes and layers == [Layer(), Layer()] else chosen_rules(layers)
        except (ConfigError, UnknownRuleError) as error:
            raise click.UsageError(str(error)) from error
        return cls(paths, options, settings, rules, found, files, idle, None if idle else _cache(settings, options))

    @property
    def others(self) -> list[File]:
        """The rest of the project, which is known but not reported on."""
        return [] if self.idle or self.options["isolated"] else context(self.files, self.settings)

    @property
    def start(self) -> Path:
        """The directory that all paths share."""
        return _start(self.paths, self.options["stdin_filename"])


def _settings(paths: Sequence[str], options: dict[str, Any]) -> Settings:
    """The settings of the nearest configuration under those of the command line. Raises ConfigError."""
    if options["isolated"]:
        settings = Settings(root=Path.cwd())
    elif options["config"]:
        settings = read_settings(Path(options["config"]))
    else:
        settings = find_settings(_start(paths, options["stdin_filename"]))
    settings = replace(settings, exclude=(*settings.exclude, *options["exclude"]))
    if options["min_confidence"]:
        settings = replace(settings, min_confidence=Confidence[options["min_confidence"].upper()])
    if options["fail_on"]:
        settings = replace(settings, fail_on=LOUDNESS.get(options["fail_on"]))
    return settings


def _cache(settings: Settings, options: dict[str, Any]) -> Path | None:
    """Where analyses are kept between runs; the run goes on without. Raises click.UsageError for a wrong directory."""
    if options["no_cache"]:
        return None
    try:
        return cache_of(settings, options["cache_dir"])
    except CacheError as error:
        if options["cache_dir"] and isinstance(error, NotACacheError):
            raise click.UsageError(f"--cache-dir: {error}") from error
        if not options["quiet"]:
            click.echo(f"synclint: no cache: {escape(str(error))}", err=True)
        return None


def _start(paths: Sequence[str], stdin_filename: str | None) -> Path:
    """The directory that all paths share, where the search for a configuration begins."""
    given = [stdin_filename or "." if path == "-" else path for path in paths]
    places = [path if os.path.isdir(path) else os.path.dirname(path) for path in map(os.path.abspath, given)]
    try:
        return Path(os.path.commonpath(places))
    except ValueError:  # on different drives
        return Path.cwd()


def _files(paths: Sequence[str], settings: Settings, options: dict[str, Any]) -> tuple[Found, list[File]]:
    """The files to check, and what was met on the way. Standard input counts as a file given by name."""
    if "-" in paths:
        if len(paths) > 1:
            raise click.UsageError("`-` reads standard input and stands alone; leave the other paths away")
        name = options["stdin_filename"] or "<stdin>"
        if options["force_exclude"] and not discover([name], settings.root, settings.exclude, True).files:
            return Found(), []
        return Found(), [File(name, named=True, data=sys.stdin.buffer.read())]
    found = discover(paths, settings.root, settings.exclude, options["force_exclude"])
    named = set() if options["force_exclude"] else {os.path.normpath(path) for path in paths}
    return found, [File(name, name in named) for name in found.files]


def _may_matter(file: File) -> bool:
    """Whether anything can be said about a file."""
    if file.named or file.data is not None:
        return True
    data = content(file.name, file.name)
    return isinstance(data, Unreadable) or may_matter(data) or isinstance(decode(data, file.name), Unreadable)
