"""The settings of a run: `[tool.synclint]` in the nearest pyproject.toml, or a synclint.toml."""

from __future__ import annotations

import sys
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, fields, replace
from pathlib import Path
from typing import Any

from .finding import Confidence, Severity
from .rule import Rule
from .selection import Layer, did_you_mean, meant, selects
from .versions import LIBRARIES, Range, Versions, allowed, required

if sys.version_info >= (3, 11):
    import tomllib
else:
    import tomli as tomllib

LOUDNESS = {"note": Severity.NOTE, "warning": Severity.WARNING, "error": Severity.ERROR}
NEVER = "never"


class ConfigError(Exception):
    """A configuration file is wrong; the message is one line: which file, which key, what to do."""


def _texts(value: object) -> tuple[str, ...]:
    if not isinstance(value, list) or not all(isinstance(item, str) for item in value):
        raise ValueError('must be a list of texts, such as ["one", "two"]')
    return tuple(value)


def _text(value: object) -> str:
    if not isinstance(value, str):
        raise ValueError('must be a text in quotes, such as "2.6"')
    return value


def _table(value: object) -> dict[str, object]:
    if not isinstance(value, dict):
        raise ValueError("must be a table")
    return value


def _rules(value: object) -> tuple[str, ...]:
    selectors = _texts(value)
    meant(selectors)
    return selectors


def _rules_by_pattern(value: object) -> dict[str, tuple[str, ...]]:
    return {pattern: _rules(selectors) for pattern, selectors in _table(value).items()}


def _word(value: object, *words: str) -> str:
    word = _text(value)
    if word not in words:
        raise ValueError(f"must be {', '.join(words[:-1])} or {words[-1]}, not `{word}`{did_you_mean(word, words)}")
    return word


def _threshold(value: object) -> Severity | None:
    return LOUDNESS.get(_word(value, *LOUDNESS, NEVER))


def _confidence(value: object) -> Confidence:
    return Confidence[_word(value, *(each.words for each in Confidence)).upper()]


def _severities(value: object) -> dict[str, Severity]:
    levels = {"off": Severity.NONE, **LOUDNESS}
    table = {selector: levels[_word(word, *levels)] for selector, word in _table(value).items()}
    meant(tuple(table))
    return table


def _versions(value: object) -> str:
    allowed(_text(value))
    return _text(value)


def _key(read: Callable[[object], object], explanation: str, default: Callable[[], object] = tuple) -> Any:
    """A setting: how its value is read, what it means, and what holds without it."""
    return field(default_factory=default, metadata={"read": read, "help": explanation})


def _library(name: str) -> Any:
    return _key(_versions, f'The versions of {name} in use: "2.6" is every 2.6.x; ">=2.4,<2.9" is a range.', str)


@dataclass(frozen=True, slots=True, kw_only=True)
class Settings:
    """Every setting. The fields with metadata are the keys of a configuration file, written with `-` for `_`.

    `root` is the directory that patterns are relative to; `pins` are the versions the project itself requires.
    Patterns are those of gitignore files.
    """

    select: tuple[str, ...] = _key(_rules, "Rules to use, by code, prefix or name, instead of the default set.")
    extend_select: tuple[str, ...] = _key(_rules, "Rules to use as well.")
    ignore: tuple[str, ...] = _key(_rules, "Rules not to use.")
    per_file_ignores: Mapping[str, tuple[str, ...]] = _key(
        _rules_by_pattern, "A table from file patterns to rules that are not reported there.", dict
    )
    exclude: tuple[str, ...] = _key(_texts, "Patterns of files and directories that are not checked.")
    extend: str = _key(_text, "Another configuration file, whose settings hold where this one is silent.", str)
    fail_on: Severity | None = _key(
        _threshold, "The least severity that makes a run fail: note, warning, error or never.", lambda: Severity.WARNING
    )
    min_confidence: Confidence = _key(
        _confidence, "The least confidence that is reported: possible, likely or certain.", lambda: Confidence.LIKELY
    )
    severity: Mapping[str, Severity] = _key(
        _severities, "A table from rules to the severity of their findings: off, note, warning or error.", dict
    )
    hot_functions: tuple[str, ...] = _key(_texts, "Names of functions that run every step.")
    cold_functions: tuple[str, ...] = _key(_texts, "Names of functions that never run in a step.")
    gpu_names: tuple[str, ...] = _key(_texts, "Names of variables and attributes that are devices on the GPU.")
    allowed_contexts: tuple[str, ...] = _key(_texts, "Names of context managers in whose bodies waiting is meant.")
    torch: str = _library("torch")
    torchmetrics: str = _library("TorchMetrics")
    lightning: str = _library("Lightning")
    transformers: str = _library("Transformers")
    torchvision: str = _library("torchvision")
    root: Path = field(default_factory=Path)
    pins: Mapping[str, Range] = field(default_factory=dict)

    @property
    def layer(self) -> Layer:
        """The rules this configuration chooses."""
        return Layer(self.select, self.extend_select, self.ignore)

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
                return replace(settings, root=directory, pins=_pins(directory))
    root = _project_of(start)
    return Settings(root=root, pins=_pins(root))


def read_settings(file: Path) -> Settings:
    """The settings of the configuration file that was given by name. Raises ConfigError."""
    table = _keys_of(file)
    if table is None:
        what = "has no [tool.synclint] table; add one" if file.is_file() else "does not exist; give another file"
        raise ConfigError(f"{file}: the configuration {what}, or leave --config away")
    return replace(_settings(file, table), root=Path.cwd(), pins=_pins(file.absolute().parent))


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
    document = _toml(file, data)
    if file.name != "pyproject.toml" and "tool" not in document:
        return document
    tools = document.get("tool")
    table = tools.get("synclint") if isinstance(tools, dict) else None
    if table is not None and not isinstance(table, dict):
        raise ConfigError(f"{file}: `tool.synclint` must be a table; write [tool.synclint]")
    return table


def _toml(file: Path, data: bytes) -> dict[str, Any]:
    try:
        return tomllib.loads(data.decode())
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise ConfigError(f"{file}: is not valid TOML: {error}") from error


def _settings(file: Path, table: dict[str, Any], seen: tuple[Path, ...] = ()) -> Settings:
    """The settings of one file over those of the file it extends."""
    values = {}
    for key, value in table.items():
        if key not in KEYS:
            raise ConfigError(f"{file}: unknown key `{key}`{did_you_mean(key, KEYS) or '; remove it'}")
        try:
            values[KEYS[key].name] = KEYS[key].metadata["read"](value)
        except ValueError as error:
            raise ConfigError(f"{file}: `{key}`: {error}") from error
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


def _project_of(start: Path) -> Path:
    """The project's directory: the nearest one with the marks of a project, else where we started."""
    marks = ("pyproject.toml", "setup.py", "setup.cfg", "requirements.txt", ".git")
    return next((place for place in (start, *start.parents) if any((place / mark).exists() for mark in marks)), start)


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
