"""Configuration files: which counts where, and how they are read."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterable
from dataclasses import replace
from pathlib import Path
from typing import Any, Final, TypeAlias

from ..files.paths import repository
from ..files.regular import NotReadError, read
from ..limits import LARGEST_SETTINGS
from ..plugins.known import PluginError, known_rules, load
from ..rule import Rule
from .config import KEYS, Settings
from .options_set import options_set
from .pins import is_installable, pins
from .selection import UnknownRuleError, did_you_mean, meant
from .versions import INSTALLED, LIBRARIES

if sys.version_info >= (3, 11):
    import tomllib
else:
    import tomli as tomllib


CONFIGURATIONS: Final = ("synclint.toml", "pyproject.toml")
"""Where a directory's configuration stands; the first that has one counts."""


Checked: TypeAlias = tuple[tuple[Path, Path], ...]
"""Directories of which files are checked, each with where the configuration for them is taken to be."""


class ConfigError(Exception):
    """A configuration file is wrong; the message is one line: which file, which key, what to do."""


def find_settings(start: Path) -> Settings:
    """Return the settings for files in a directory: the nearest configuration from there upwards, and its pins.

    The project is the directory of the outermost configuration in the repository, so that what is known of a file does
    not depend on which of several configurations a run begins with. Raises ConfigError.
    """
    start = Path(os.path.abspath(start))
    for directory in (start, *start.parents):
        settings = configured(directory, start)
        if settings is not None:
            return replace(settings, project=_project_around(start, directory))
    project = _project_of(start)
    return _of_project(Settings(), project or start, project)


def rules_here() -> tuple[Rule, ...]:
    """Return the rules that the configuration in the current directory knows. Raises ConfigError."""
    return known_rules(find_settings(Path.cwd()).plugins)


def configured(directory: Path, start: Path | None = None) -> Settings | None:
    """Return the settings of a directory's own configuration, for files in `start`; None if it has none.

    Raises ConfigError.
    """
    for name in CONFIGURATIONS:
        table = _keys_of(directory / name)
        if table is not None:
            settings = _settings(directory / name, table, ((start or directory, directory),))
            return _of_project(_with_installed(settings, directory), directory, directory)
    return None


def _project_around(start: Path, directory: Path) -> Path | None:
    """Return the project of the files for which a directory's configuration is the nearest."""
    top = repository(start)
    if top is None:
        return directory
    if not directory.is_relative_to(top):  # such as one for all projects of a user
        return _project_of(start)
    inside = [place for place in (directory, *directory.parents) if place.is_relative_to(top)]
    return next(place for place in reversed(inside) if place == directory or _has_table(place))


def _has_table(directory: Path) -> bool:
    return any(_keys_of(directory / name) is not None for name in CONFIGURATIONS)


def _with_installed(settings: Settings, directory: Path) -> Settings:
    """Return the settings with the installed versions where they ask for them. Raises ConfigError."""
    asked = [name for name in LIBRARIES if getattr(settings, name) == INSTALLED]
    if not asked:
        return settings
    from .pins import installed

    found = {name: installed(name, directory) for name in asked}
    missing = next((name for name in asked if not found[name]), None)
    if missing:
        message = (
            f"`{missing}`: it is not installed in .venv, the active environment or synclint's own; name its version"
        )
        raise ConfigError(f"{directory}: {message}")
    changes: dict[str, Any] = {name: f"=={version}" for name, version in found.items()}
    return replace(settings, **changes)


def read_settings(file: Path, starts: Iterable[Path] = ()) -> Settings:
    """Return the settings of the configuration file given by name, for the files in some directories.

    Raises ConfigError.
    """
    checked = tuple((each, each) for each in (Path.cwd(), file.absolute().parent, *map(Path.absolute, starts)))
    table = _keys_of(file)
    if table is None:
        is_there = os.path.isfile(file)
        what = "has no [tool.synclint] table; add one" if is_there else "does not exist; choose another file"
        raise ConfigError(f"{file}: the configuration {what}, or omit --config")
    here = Path.cwd()
    settings = _with_installed(_settings(file, table, checked), here)
    return replace(_of_project(settings, file.absolute().parent, _project_of(here)), root=here)


def overridden(settings: Settings, assignments: Iterable[str], ignores: Iterable[str]) -> Settings:
    """Return settings with the keys that `--config` sets, and further ignores. Raises ConfigError."""
    option = Path("--config")
    table = read_toml(option, "\n".join(assignments).encode())
    in_files_only = next((name for name in ("extend", "plugins") if name in table), None)
    if in_files_only:
        raise ConfigError(f"{option}: `{in_files_only}` can only be set in a configuration file")
    settings = _with(settings, option, _values(option, table))
    lists = dict(settings.per_file_ignores)
    for each in ignores:
        pattern, _, names = each.rpartition(":")
        found = tuple(filter(None, (name.strip() for name in names.split(","))))
        if not pattern or not found:
            raise ConfigError(f"--per-file-ignores: `{each}` must be a pattern and rules, such as tests/**:SYNC1")
        lists[pattern] = (*lists.get(pattern, ()), *found)
    return _with(settings, Path("command line"), {"per_file_ignores": lists})


def _with(settings: Settings, option: Path, values: dict[str, Any]) -> Settings:
    settings = replace(settings, **values)
    _check_rules(option, values, settings)
    return _with_installed(settings, Path.cwd())


def _keys_of(file: Path) -> dict[str, Any] | None:
    """Return our part of a configuration file, or None if it has none; a broken file matters only if it names us."""
    try:
        data = read(file, LARGEST_SETTINGS)
    except (FileNotFoundError, NotADirectoryError):
        return None
    except OSError as error:
        raise ConfigError(f"{file}: could not be read: {error.strerror}") from error
    if file.name == "pyproject.toml" and b"synclint" not in data:
        return None
    document = read_toml(file, data)
    if file.name != "pyproject.toml" and "tool" not in document:
        return document
    tools = document.get("tool")
    table = tools.get("synclint") if isinstance(tools, dict) else None
    if table is not None and not isinstance(table, dict):
        raise ConfigError(f"{file}: `tool.synclint` must be a table; write [tool.synclint]")
    return table


def read_toml(file: Path, data: bytes) -> dict[str, Any]:
    """Return the document. Raises ConfigError."""
    try:
        return tomllib.loads(data.decode())
    except RecursionError as error:
        raise ConfigError(f"{file}: is nested too deeply to be read") from error
    except ValueError as error:  # also of numbers and dates that Python does not take
        raise ConfigError(f"{file}: not valid TOML: {error}") from error


def _settings(file: Path, table: dict[str, Any], checked: Checked, seen: tuple[Path, ...] = ()) -> Settings:
    """Return the settings of one file merged over those of the file that it extends.

    `checked` has where the search for it began, and where it ended.
    """
    values = _values(file, table)
    if not values.get("extend"):
        settings = Settings(**values)
    else:
        settings = replace(_extended(file, values["extend"], checked, (*seen, file.resolve())), **values)
    try:
        load(settings.plugins, checked)
    except PluginError as error:
        raise ConfigError(f"{file}: `plugins`: {error}") from error
    _check_rules(file, values, settings)
    return settings


def _values(file: Path, table: dict[str, Any]) -> dict[str, Any]:
    """Return the settings that a table gives, by their fields. Raises ConfigError."""
    values = {}
    for name, value in table.items():
        if name not in KEYS:
            raise ConfigError(f"{file}: unknown key `{name}`{did_you_mean(name, KEYS) or '; remove it'}")
        try:
            values[KEYS[name].name] = KEYS[name].metadata["read"](value)
        except ValueError as error:
            raise ConfigError(f"{file}: `{name}`: {error}") from error
    return values


def _check_rules(file: Path, values: dict[str, Any], settings: Settings) -> None:
    """Raise ConfigError for rules that neither we nor the plugins have."""
    for name, item in KEYS.items():
        selectors = tuple(item.metadata["selectors"](values.get(item.name, {})))
        try:
            meant(selectors, known_rules(settings.plugins) if selectors else ())
        except UnknownRuleError as error:
            raise ConfigError(f"{file}: `{name}`: {error}") from error


def _extended(file: Path, name: str, checked: Checked, seen: tuple[Path, ...]) -> Settings:
    try:
        base = (file.parent / Path(name).expanduser()).resolve()
    except (OSError, RuntimeError, ValueError) as error:  # a circle of links, no home, a null byte
        raise ConfigError(f"{file}: `extend`: no file can have this name: {error}; correct the path") from error
    if base in seen:
        raise ConfigError(f"{file}: `extend`: {name} extends this file in turn; remove one of the two")
    table = _keys_of(base)
    if table is None:
        raise ConfigError(f"{file}: `extend`: {name} is not a synclint configuration; correct the path")
    return _settings(base, table, checked, seen)


def _project_of(start: Path) -> Path | None:
    """Return the project's directory: the nearest one with the marks of a project."""
    marks = ("pyproject.toml", "setup.py", "setup.cfg", "requirements.txt", ".git")
    above = (start, *start.parents)
    return next((place for place in above if any(os.path.exists(place / mark) for mark in marks)), None)


def _of_project(settings: Settings, root: Path, project: Path | None) -> Settings:
    """Return settings with what the project's own files in a directory say. Raises ConfigError."""
    try:
        settings = replace(settings, root=root, project=project, pins=pins(root))
        if project is None:
            return settings
        return replace(settings, is_installable=is_installable(project), options_set=options_set(project))
    except NotReadError as error:
        raise ConfigError(f"{error.filename}: could not be read: {error.strerror}") from error
