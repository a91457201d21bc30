"""The settings of a run: `[tool.synclint]` in the nearest pyproject.toml, or a synclint.toml."""

from __future__ import annotations

import sys
from collections.abc import Mapping
from dataclasses import dataclass, field, fields, replace
from pathlib import Path
from typing import Any

from .finding import Confidence, Severity
from .keys import (
    confidence,
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
from .rule import Rule
from .selection import WITHOUT_REASON, Layer, did_you_mean, selects
from .versions import LIBRARIES, Range, Versions, allowed, required

if sys.version_info >= (3, 11):
    import tomllib
else:
    import tomli as tomllib


class ConfigError(Exception):
    """A configuration file is wrong; the message is one line: which file, which key, what to do."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Settings:
    """Every setting. The fields with metadata are the keys of a configuration file, written with `-` for `_`.

    `root` is the directory that patterns are relative to; `pins` are the versions the project itself requires.
    Patterns are those of gitignore files.
    """

    select: tuple[str, ...] = key(
        rules, "Rules to use, by code, prefix or name, instead of the default set.", '["SYNC1", "cpu-metric-under-ddp"]'
    )
    extend_select: tuple[str, ...] = key(rules, "Rules to use as well.", '["explicit-synchronize"]')
    ignore: tuple[str, ...] = key(rules, "Rules not to use.", '["tensor-in-text"]')
    per_file_ignores: Mapping[str, tuple[str, ...]] = key(
        rules_by_pattern,
        "A table from file patterns to rules that are not reported there.",
        '"tests/**" = ["SYNC1"]',
        dict,
    )
    max_findings: Mapping[str, int] = key(
        limits,
        "A table from file patterns to the number of errors and warnings allowed there. These are shown and do not "
        "make a run fail; one more does, whatever fail-on says. Fewer print a note that the number can be lowered. "
        "What is suppressed or in the baseline does not count; notes count where fail-on is note; a file counts for "
        "each pattern that matches it. With --new-from and --diff-only the numbers do not matter.",
        '"src/train/**" = 12',
        dict,
    )
    exclude: tuple[str, ...] = key(texts, "Patterns of files and directories that are not checked.", '["third_party/"]')
    extend: str = key(
        text, "Another configuration file, whose settings hold where this one is silent.", '"../synclint.toml"', str
    )
    fail_on: Severity | None = key(
        threshold,
        "The least severity that makes a run fail: note, warning, error or never.",
        '"warning"',
        lambda: Severity.WARNING,
    )
    min_confidence: Confidence = key(
        confidence,
        "The least confidence that is reported: possible, likely or certain.",
        '"likely"',
        lambda: Confidence.LIKELY,
    )
    severity: Mapping[str, Severity] = key(
        severities,
        "A table from rules to the severity of their findings: off, note, warning or error.",
        'SYNC103 = "note"',
        dict,
    )
    require_reason: bool = key(
        switch, "Whether suppressions must give a reason; the same as SYNC903 in extend-select.", "true", bool
    )
    hot_functions: tuple[str, ...] = key(texts, "Names of functions that run every step.", '["decode_one_token"]')
    cold_functions: tuple[str, ...] = key(texts, "Names of functions that never run in a step.", '["export"]')
    gpu_names: tuple[str, ...] = key(
        texts, "Names of variables and attributes that are devices on the GPU.", '["self.dev"]'
    )
    allowed_contexts: tuple[str, ...] = key(
        texts, "Names of context managers in whose bodies waiting is meant.", '["allow_sync"]'
    )
    torch: str = library("torch", "2.6")
    torchmetrics: str = library("TorchMetrics", "1.6")
    lightning: str = library("Lightning", "2.5")
    transformers: str = library("Transformers", "4.50")
    torchvision: str = library("torchvision", "0.20")
    root: Path = field(default_factory=Path)
    project: Path | None = None
    pins: Mapping[str, Range] = field(default_factory=dict)

    @property
    def layer(self) -> Layer:
        """The rules this configuration chooses."""
        reasons = (WITHOUT_REASON,) if self.require_reason else ()
        return Layer(self.select, (*self.extend_select, *reasons), self.ignore)

    @property
    def versions(self) -> Versions:
        """The library versions in use: as set, else as the project requires, else any."""
        written = {name: text for name in LIBRARIES if (text := getattr(self, name))}
        return Versions({**self.pins, **{name: allowed(text) for name, text in written.items()}})

    def severity_for(self, rule: Rule) -> Severity | None:
        """The severity set for a rule, by the most precise of the selectors that mean it."""
        chosen = [selector for selector in self.severity if selects(selector, rule)]
        precise = max(
            chosen, key=lambda selector: (selector == rule.name, selector != "ALL", len(selector)), default=""
        )
        return self.severity[precise] if precise else None


KEYS = {item.name.replace("_", "-"): item for item in fields(Settings) if item.metadata}
"""The keys of a configuration file."""


def find_settings(start: Path) -> Settings:
    """The settings for files under a directory: the nearest configuration from there upwards, and the pins beside it.

    Raises ConfigError.
    """
    start = start.absolute()
    for directory in (start, *start.parents):
        for name in ("synclint.toml", "pyproject.toml"):
            table = _keys_of(directory / name)
            if table is not None:
                settings = _settings(directory / name, table)
                return replace(settings, root=directory, project=directory, pins=_pins(directory))
    project = _project_of(start)
    return Settings(root=project or start, project=project, pins=_pins(project or start))


def read_settings(file: Path) -> Settings:
    """The settings of the configuration file that was given by name. Raises ConfigError."""
    table = _keys_of(file)
    if table is None:
        what = "has no [tool.synclint] table; add one" if file.is_file() else "does not exist; give another file"
        raise ConfigError(f"{file}: the configuration {what}, or leave --config away")
    return replace(
        _settings(file, table), root=Path.cwd(), project=_project_of(Path.cwd()), pins=_pins(file.absolute().parent)
    )


def _keys_of(file: Path) -> dict[str, Any] | None:
    """Our part of a configuration file; None where there is none. A broken file matters only if it names us."""
    try:
        data = file.read_bytes()
    except (FileNotFoundError, NotADirectoryError):
        return None
    except OSError as error:
        raise ConfigError(f"{file}: cannot be read: {error.strerror}") from error
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
    """The document. Raises ConfigError."""
    try:
        return tomllib.loads(data.decode())
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise ConfigError(f"{file}: is not valid TOML: {error}") from error


def _settings(file: Path, table: dict[str, Any], seen: tuple[Path, ...] = ()) -> Settings:
    """The settings of one file over those of the file it extends."""
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
    base = (file.parent / Path(name).expanduser()).resolve()
    if base in seen:
        raise ConfigError(f"{file}: `extend`: {name} extends this file in turn; remove one of the two")
    table = _keys_of(base)
    if table is None:
        raise ConfigError(f"{file}: `extend`: {name} is no configuration of synclint; correct the path")
    return _settings(base, table, seen)


def _project_of(start: Path) -> Path | None:
    """The project's directory: the nearest one with the marks of a project."""
    marks = ("pyproject.toml", "setup.py", "setup.cfg", "requirements.txt", ".git")
    return next((place for place in (start, *start.parents) if any((place / mark).exists() for mark in marks)), None)


def _pins(root: Path) -> dict[str, Range]:
    """The versions a project requires: by its dependencies, else its extras, else its requirements files."""
    requirements = [line for file in sorted(root.glob("requirements*.txt")) for line in _lines_of(file)]
    project = _project_table(root / "pyproject.toml")
    extras = project.get("optional-dependencies")
    extra = [line for lines in extras.values() for line in _lines(lines)] if isinstance(extras, dict) else []
    return {**required(requirements), **required(extra), **required(_lines(project.get("dependencies")))}


def _lines_of(file: Path) -> list[str]:
    try:
        return file.read_text(encoding="utf-8", errors="replace").splitlines()
    except OSError:
        return []


def _lines(value: object) -> list[str]:
    return [line for line in value if isinstance(line, str)] if isinstance(value, list) else []


def _project_table(file: Path) -> dict[str, Any]:
    """The `[project]` table, or nothing: a project file that is wrong is not ours to complain about."""
    try:
        project = tomllib.loads(file.read_text(encoding="utf-8")).get("project")
    except (OSError, ValueError):
        return {}
    return project if isinstance(project, dict) else {}
