"""From the command line to what a run is about: the settings, the rules and the files."""

from __future__ import annotations

import errno
import os
import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path

import click

from .declared import Declared
from .files.source import Unreadable, content, decode, may_matter
from .finding import Confidence
from .limits import LARGEST_FILE
from .options import Options
from .output.text import escape
from .rule import Rule
from .run.cache import cache_of
from .run.context import context
from .run.discovery import Found, discover, is_excluded
from .run.file import File
from .run.groups import Group, Groups, grouped
from .settings.config import Settings
from .settings.configurations import Configurations
from .settings.files import ConfigError, find_settings, overridden, read_settings
from .settings.keys import LOUDNESS
from .settings.selection import Layer, UnknownRuleError, chosen_rules
from .store.folder import NotACacheError
from .store.user_cache import CacheError


@dataclass(frozen=True)
class Task:
    """The task of one run; `found` is the result of the search, `files` are what is checked.

    `cache` is where analyses are kept between runs.

    `settings` and `rules` are those of the nearest configuration above all paths; a file that has one of its own is
    checked by that. An `idle` one has nothing to say whatever the rest of the project is, as for most commits of a
    project where few files have to do with PyTorch. It needs no rules, and importing them is half of what a run on one
    file costs. With an `alone` one, nothing else of the project is read.
    """

    paths: Sequence[str]
    options: Options
    configurations: Configurations
    rules: Sequence[Rule]
    found: Found
    files: Sequence[File]
    idle: bool = False
    cache: Path | None = None
    alone: bool = False

    @classmethod
    def of(cls, paths: Sequence[str], options: Options, around: Path | None = None) -> Task:
        """Return the task that the command line describes. Raises click.UsageError.

        `around` is the directory whose files belong together if nothing marks a project.
        """
        try:
            configurations = _configurations(paths, options, around=around)
            found, files = _files(paths, configurations, options)
            idle = not found.problems and not any(_may_matter(file, configurations) for file in files)
            layers = [configurations.run.layer, _layer(options)]
            writes = options.writes_baseline
            plugins = configurations.run.plugins
            rules = () if idle and not writes and layers == [Layer(), Layer()] else chosen_rules(layers, plugins)
            cache = None if idle else _cache(configurations.run, options)
            task = cls(paths, options, configurations, rules, found, files, idle, cache)
            task.groups  # noqa: B018 - to find what is wrong with the configurations before anything runs
            return task
        except (ConfigError, UnknownRuleError) as error:
            raise click.UsageError(str(error)) from error

    @classmethod
    def given(
        cls, options: Options, files: Callable[[Configurations], Sequence[File]], is_closed: bool = False
    ) -> Task:
        """Return the task about files of the working directory that are not looked for on the disk.

        `is_closed`: nothing but these files calls what is in them. Raises click.UsageError.
        """
        try:
            configurations = _configurations(["."], options, is_closed)
            taken = files(configurations)
            found = Found([file.name for file in taken])
            rules = chosen_rules([configurations.run.layer, _layer(options)], configurations.run.plugins)
            task = cls(["."], options, configurations, rules, found, taken, alone=True)
            task.groups  # noqa: B018 - to find what is wrong with the configurations before anything runs
            return task
        except (ConfigError, UnknownRuleError) as error:
            raise click.UsageError(str(error)) from error

    @property
    def settings(self) -> Settings:
        """The settings of the run."""
        return self.configurations.run

    @cached_property
    def others(self) -> list[File]:
        """The rest of the project, which is read but not reported on."""
        return [] if self.idle or self.alone or self.options.isolated else context(self.files, self.configurations)

    @cached_property
    def groups(self) -> Groups:
        """The settings and rules of each of the files, and of the others."""
        if not self.idle:
            return self.groups_of([*self.files, *self.others])
        self.configurations.apart(file.name for file in self.files)  # what is wrong with them is wrong all the same
        return Groups(Group(self.settings))

    def groups_of(self, files: Sequence[File]) -> Groups:
        """Return what applies to which of some files."""
        return grouped(Group(self.settings, self.rules), files, self.configurations, [_layer(self.options)])

    @property
    def start(self) -> Path:
        """The directory that all paths share."""
        return _start(self.paths, self.options.stdin_filename)


def _configurations(
    paths: Sequence[str], options: Options, is_closed: bool = False, around: Path | None = None
) -> Configurations:
    """Return the settings that apply where, each overridden by the command line. Raises ConfigError."""

    def adapt(settings: Settings) -> Settings:
        return replace(_under_options(settings, options), is_closed=is_closed)

    def found(settings: Settings) -> Settings:
        if around is None or settings.project is not None:
            return settings
        return replace(settings if options.config_file else find_settings(around), project=around)

    if options.isolated:
        return Configurations(adapt(Settings(root=Path.cwd())))
    if options.config_file is not None:
        starts = [_start([each], options.stdin_filename) for each in paths]
        return Configurations(adapt(found(read_settings(Path(options.config_file), starts))))
    return Configurations(adapt(found(find_settings(_start(paths, options.stdin_filename)))), adapt)


def _under_options(settings: Settings, options: Options) -> Settings:
    """Return the settings under what the command line sets. Raises ConfigError."""
    if options.assignments or options.per_file_ignores:
        settings = overridden(settings, options.assignments, options.per_file_ignores)
    settings = replace(settings, exclude=(*settings.exclude, *options.exclude))
    if options.min_confidence:
        settings = replace(settings, min_confidence=Confidence[options.min_confidence.upper()])
    if options.fail_on:
        settings = replace(settings, fail_on=LOUDNESS.get(options.fail_on))
    return settings


def _cache(settings: Settings, options: Options) -> Path | None:
    """Return where analyses are kept between runs, or None. Raises click.UsageError for an invalid directory."""
    if options.no_cache:
        return None
    try:
        return cache_of(settings, options.cache_dir)
    except CacheError as error:
        if options.cache_dir and isinstance(error, NotACacheError):
            raise click.UsageError(f"--cache-dir: {error}") from error
        if not options.quiet:
            click.echo(f"synclint: no cache: {escape(str(error))}", err=True)
        return None


def _layer(options: Options) -> Layer:
    """Return the rules that the command line selects."""
    return Layer(options.select, options.extend_select, options.ignore)


def _start(paths: Sequence[str], stdin_filename: str | None) -> Path:
    """Return the directory that all paths share, where the search for a configuration begins."""
    given = [stdin_filename or "." if path == "-" else path for path in paths]
    places = [path if os.path.isdir(path) else os.path.dirname(path) for path in map(os.path.abspath, given)]
    try:
        return Path(os.path.commonpath(places))
    except ValueError:  # on different drives
        return Path.cwd()


def _files(paths: Sequence[str], configurations: Configurations, options: Options) -> tuple[Found, list[File]]:
    """Return the files to check, and the problems found; standard input counts as a file given by name."""
    if "-" in paths:
        if len(paths) > 1:
            raise click.UsageError("`-` reads standard input and cannot be combined with other paths")
        name = options.stdin_filename or "<stdin>"
        if options.force_exclude and is_excluded(name, configurations):
            return Found(), []
        return Found(), [File(name, named=True, data=_standard_input())]
    found = discover(paths, configurations, options.force_exclude)
    named = set() if options.force_exclude else {os.path.normpath(path) for path in paths}
    return found, [File(name, name in named) for name in found.files]


def _standard_input() -> bytes:
    """Return the contents of standard input. Raises click.UsageError."""
    try:
        if sys.stdin is None:
            raise OSError(errno.EBADF, "it is closed")
        data = sys.stdin.buffer.read(LARGEST_FILE + 1)
    except OSError as error:
        raise click.UsageError(f"standard input cannot be read: {error.strerror or error}") from error
    if len(data) > LARGEST_FILE:
        raise click.UsageError(f"standard input cannot be read: it is longer than {LARGEST_FILE >> 20} MiB")
    return data


def _may_matter(file: File, configurations: Configurations) -> bool:
    """Whether anything can be reported about a file."""
    if file.named or file.data is not None:
        return True
    data = content(file.name, file.name)
    if isinstance(data, Unreadable) or may_matter(data) or isinstance(decode(data, file.name), Unreadable):
        return True
    facts = configurations.of(os.path.dirname(os.path.abspath(file.name))).facts
    return bool(facts) and Declared(facts).mentioned(data)
