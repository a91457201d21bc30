"""The settings of a run: `[tool.synclint]` in the nearest pyproject.toml, or a synclint.toml."""

from __future__ import annotations

import os
import sys
from collections.abc import Mapping
from dataclasses import dataclass, field, fields, replace
from pathlib import Path
from typing import Any, Final

from ..declared import DEEDS, Fact, facts_of
from ..files.regular import LARGEST_SETTINGS, NotReadError, read
from ..finding import Confidence, Severity
from ..rule import Rule
from .keys import (
    confidence,
    functions,
    key,
    library,
    limits,
    rules,
    rules_by_pattern,
    severities,
    switch,
    text,
    texts,
    threshold,
)
from .pins import pins
from .selection import WITHOUT_REASON, Layer, did_you_mean, selects
from .versions import INSTALLED, LIBRARIES, Versions, allowed, demanded

if sys.version_info >= (3, 11):
    import tomllib
else:
    import tomli as tomllib


CONFIGURATIONS: Final = ("synclint.toml", "pyproject.toml")
"""Where a directory's configuration stands; the first that has one counts."""


class ConfigError(Exception):
    """A configuration file is wrong; the message is one line: which file, which key, what to do."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Settings:
    """All settings; the fields with metadata are the keys of a configuration file, with `-` for `_`.

    `root` is the directory that patterns are relative to; `pins` are the requirements of the project itself, by
    library. Patterns are those of gitignore files.
    """

    select: tuple[str, ...] = key(
        rules, "Rules to use instead of the default set, by code, prefix or name.", '["SYNC1", "cpu-metric-under-ddp"]'
    )
    extend_select: tuple[str, ...] = key(rules, "Additional rules to use.", '["explicit-synchronize"]')
    ignore: tuple[str, ...] = key(rules, "Rules to disable.", '["tensor-in-text"]')
    per_file_ignores: Mapping[str, tuple[str, ...]] = key(
        rules_by_pattern,
        "A table from file patterns to rules that are not reported there.",
        '"tests/**" = ["SYNC1"]',
        dict,
    )
    max_findings: Mapping[str, int] = key(
        limits,
        "A table from file patterns to the number of errors and warnings allowed there. They are shown but do not "
        "make a run fail; one more does, whatever fail-on is. If there are fewer, a note says that the number can be "
        "lowered. Findings that are suppressed or in the baseline do not count; notes count if fail-on is note; a file "
        "counts for each pattern that matches it. With --new-from and --diff-only the numbers are ignored.",
        '"src/train/**" = 12',
        dict,
    )
    exclude: tuple[str, ...] = key(texts, "Patterns of files and directories that are not checked.", '["third_party/"]')
    extend: str = key(
        text,
        "Another configuration file, whose settings apply to all keys that this one does not set.",
        '"../synclint.toml"',
        str,
    )
    fail_on: Severity | None = key(
        threshold,
        "The minimum severity that makes a run fail: note, warning, error or never.",
        '"warning"',
        lambda: Severity.WARNING,
    )
    min_confidence: Confidence = key(
        confidence,
        "The minimum confidence that is reported: possible, likely or certain.",
        '"likely"',
        lambda: Confidence.LIKELY,
    )
    severity: Mapping[str, Severity] = key(
        severities,
        "A table from rules to the severity of their findings: off, note, warning or error.",
        'SYNC103 = "note"',
        dict,
    )
    fixable: tuple[str, ...] = key(rules, "Rules whose findings --fix may fix; all if none is named.", '["SYNC3"]')
    unfixable: tuple[str, ...] = key(rules, "Rules whose findings --fix leaves alone.", '["SYNC203"]')
    require_reason: bool = key(
        switch, "Whether suppressions must give a reason; the same as SYNC903 in extend-select.", "true", bool
    )
    hot_functions: tuple[str, ...] = key(texts, "Names of functions that run every step.", '["decode_one_token"]')
    cold_functions: tuple[str, ...] = key(texts, "Names of functions that never run in a step.", '["export"]')
    gpu_names: tuple[str, ...] = key(texts, "Names of variables and attributes that hold a GPU device.", '["self.dev"]')
    allowed_contexts: tuple[str, ...] = key(
        texts, "Names of context managers in whose bodies waits are intended.", '["allow_sync"]'
    )
    moves_to_device: tuple[str, ...] = key(
        functions,
        "Full names of functions that return their first argument with its tensors on the GPU.",
        '["mylib.to_gpu"]',
    )
    waits: tuple[str, ...] = key(
        functions,
        "Full names of functions that make the host wait for the device, whatever they are given.",
        '["mylib.sync_all", "mylib.Engine.barrier"]',
    )
    reads_arguments: tuple[str, ...] = key(
        functions,
        "Full names of functions that copy the tensors among their arguments to the host.",
        '["mylib.log_metrics"]',
    )
    torch: str = library("torch", "2.6")
    torchmetrics: str = library("TorchMetrics", "1.6")
    lightning: str = library("Lightning", "2.5")
    transformers: str = library("Transformers", "4.50")
    torchvision: str = library("torchvision", "0.20")
    root: Path = field(default_factory=Path)
    project: Path | None = None
    pins: Mapping[str, tuple[str, ...]] = field(default_factory=dict)

    @property
    def top(self) -> Path:
        """The directory whose files know of each other: that of the project, if there is one."""
        return self.project or self.root

    @property
    def layer(self) -> Layer:
        """The rules that this configuration selects."""
        reasons = (WITHOUT_REASON,) if self.require_reason else ()
        return Layer(self.select, (*self.extend_select, *reasons), self.ignore)

    @property
    def facts(self) -> tuple[Fact, ...]:
        """What is declared about functions."""
        lists = (self.moves_to_device, self.waits, self.reads_arguments)
        return tuple(fact for names, does in zip(lists, DEEDS) for fact in facts_of(names, does))

    @property
    def versions(self) -> Versions:
        """The library versions in use: as configured, otherwise as the project requires, otherwise any."""
        written = {name: text for name in LIBRARIES if (text := getattr(self, name))}
        pinned = {name: demanded(lines) for name, lines in self.pins.items() if name not in written}
        return Versions(pinned | {name: allowed(text) for name, text in written.items()})

    def severity_for(self, rule: Rule) -> Severity | None:
        """Return the severity set for a rule, by the most specific selector that matches it."""
        chosen = [selector for selector in self.severity if selects(selector, rule)]
        precise = max(
            chosen, key=lambda selector: (selector == rule.name, selector != "ALL", len(selector)), default=""
        )
        return self.severity[precise] if precise else None


KEYS = {item.name.replace("_", "-"): item for item in fields(Settings) if item.metadata}
"""The keys of a configuration file."""


def find_settings(start: Path) -> Settings:
    """Return the settings for files in a directory: the nearest configuration from there upwards, and its pins.

    The project is the directory of the outermost configuration in the repository, so that what is known of a file does
    not depend on which of several configurations a run begins with. Raises ConfigError.
    """
    start = Path(os.path.abspath(start))
    for directory in (start, *start.parents):
        settings = configured(directory)
        if settings is not None:
            return replace(settings, project=_project_around(start, directory))
    project = _project_of(start)
    return Settings(root=project or start, project=project, pins=_pins(project or start))


def configured(directory: Path) -> Settings | None:
    """Return the settings of a directory's own configuration; None if it has none. Raises ConfigError."""
    for name in CONFIGURATIONS:
        table = _keys_of(directory / name)
        if table is not None:
            settings = _settings(directory / name, table)
            return replace(
                _with_installed(settings, directory), root=directory, project=directory, pins=_pins(directory)
            )
    return None


def _project_around(start: Path, directory: Path) -> Path | None:
    """Return the project of the files for which a directory's configuration is the nearest."""
    repository = next((place for place in (start, *start.parents) if (place / ".git").exists()), None)
    if repository is None:
        return directory
    if not directory.is_relative_to(repository):  # such as one for all projects of a user
        return _project_of(start)
    inside = [place for place in (directory, *directory.parents) if place.is_relative_to(repository)]
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


def read_settings(file: Path) -> Settings:
    """Return the settings of the configuration file given by name. Raises ConfigError."""
    table = _keys_of(file)
    if table is None:
        what = "has no [tool.synclint] table; add one" if file.is_file() else "does not exist; choose another file"
        raise ConfigError(f"{file}: the configuration {what}, or omit --config")
    return replace(
        _with_installed(_settings(file, table), Path.cwd()),
        root=Path.cwd(),
        project=_project_of(Path.cwd()),
        pins=_pins(file.absolute().parent),
    )


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


def _settings(file: Path, table: dict[str, Any], seen: tuple[Path, ...] = ()) -> Settings:
    """Return the settings of one file merged over those of the file that it extends."""
    values = {}
    for name, value in table.items():
        if name not in KEYS:
            raise ConfigError(f"{file}: unknown key `{name}`{did_you_mean(name, KEYS) or '; remove it'}")
        try:
            values[KEYS[name].name] = KEYS[name].metadata["read"](value)
        except ValueError as error:
            raise ConfigError(f"{file}: `{name}`: {error}") from error
    if not values.get("extend"):
        return Settings(**values)
    return replace(_extended(file, values["extend"], (*seen, file.resolve())), **values)


def _extended(file: Path, name: str, seen: tuple[Path, ...]) -> Settings:
    try:
        base = (file.parent / Path(name).expanduser()).resolve()
    except (OSError, RuntimeError, ValueError) as error:  # a circle of links, no home, a null byte
        raise ConfigError(f"{file}: `extend`: no file can have this name: {error}; correct the path") from error
    if base in seen:
        raise ConfigError(f"{file}: `extend`: {name} extends this file in turn; remove one of the two")
    table = _keys_of(base)
    if table is None:
        raise ConfigError(f"{file}: `extend`: {name} is not a synclint configuration; correct the path")
    return _settings(base, table, seen)


def _project_of(start: Path) -> Path | None:
    """Return the project's directory: the nearest one with the marks of a project."""
    marks = ("pyproject.toml", "setup.py", "setup.cfg", "requirements.txt", ".git")
    return next((place for place in (start, *start.parents) if any((place / mark).exists() for mark in marks)), None)


def _pins(root: Path) -> dict[str, tuple[str, ...]]:
    try:
        return pins(root)
    except NotReadError as error:
        raise ConfigError(f"{error.filename}: could not be read: {error.strerror}") from error
