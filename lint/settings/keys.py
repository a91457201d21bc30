"""How the values of configuration keys are read; each reader raises ValueError with what the value must be."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import field
from typing import Any

from ..finding import Confidence, Severity
from .selection import did_you_mean
from .versions import INSTALLED, allowed

LOUDNESS = {"note": Severity.NOTE, "warning": Severity.WARNING, "error": Severity.ERROR}
NEVER = "never"
OFF = "off"


def key(
    read: Callable[[object], object],
    explanation: str,
    example: str,
    default: Callable[[], object] = tuple,
    selectors: Callable[[Any], Iterable[str]] = lambda _: (),
) -> Any:
    """Return a key: how its value is read, its meaning, an example in TOML, its default, and the rules it names.

    The example of a table is one of its rows.
    """
    metadata = {"read": read, "help": explanation, "example": example, "selectors": selectors}
    return field(default_factory=default, metadata=metadata)


def rules(explanation: str, example: str) -> Any:
    """Return a key for a list of rules, each by code, prefix or name."""
    return key(texts, explanation, example, selectors=tuple)


def library(name: str, example: str) -> Any:
    """Return the key for the versions of a library."""
    explanation = (
        f'The versions of {name} in use: "{example}" is every {example}.x; ">={example}" is a range; "{INSTALLED}" is '
        "what .venv, the active environment or synclint's own has."
    )
    return key(versions, explanation, f'"{example}"', str)


def texts(value: object) -> tuple[str, ...]:
    """Return a list of strings."""
    if not isinstance(value, list) or not all(isinstance(item, str) for item in value):
        raise ValueError('must be a list of strings, such as ["one", "two"]')
    return tuple(value)


def text(value: object) -> str:
    """Return a string."""
    if not isinstance(value, str):
        raise ValueError('must be a string, such as "2.6"')
    return value


def device(value: object) -> str:
    """Return the name of a device."""
    from ..facts.devices import TEXT_DEVICES

    kind, colon, index = text(value).partition(":")
    if kind not in TEXT_DEVICES or (colon and not index.isdecimal()):
        raise ValueError(f"`{value}` must be the name of a device, such as cuda or cuda:0")
    return text(value)


def functions(value: object) -> tuple[str, ...]:
    """Return a list of functions, each by its full name."""
    for name in (names := texts(value)):
        if "." not in name or not all(part.isidentifier() for part in name.split(".")):
            raise ValueError(f"`{name}` must be the full name of a function, such as mylib.sync_all")
    return names


def switch(value: object) -> bool:
    """Return a Boolean."""
    if not isinstance(value, bool):
        raise ValueError("must be true or false")
    return value


def lists_by_pattern(value: object) -> dict[str, tuple[str, ...]]:
    """Return a table from patterns to lists of strings."""
    return {pattern: texts(selectors) for pattern, selectors in _table(value).items()}


def limits(value: object) -> dict[str, int]:
    """Return a table from patterns to numbers."""
    found = {pattern: limit for pattern, limit in _table(value).items() if type(limit) is int and limit >= 0}
    if found != value:
        raise ValueError('must be a table from patterns to numbers, such as "src/train/**" = 12')
    return found


def threshold(value: object) -> Severity | None:
    """Return a severity, or none at all."""
    if value == "none":
        raise ValueError(f"must be {', '.join(LOUDNESS)} or {NEVER}, not `none`; did you mean `{NEVER}`?")
    return LOUDNESS.get(_word(value, *LOUDNESS, NEVER))


def confidence(value: object) -> Confidence:
    """Return a confidence."""
    return Confidence[_word(value, *(each.words for each in Confidence)).upper()]


def severities(value: object) -> dict[str, Severity]:
    """Return a table from rules to severities."""
    levels = {OFF: Severity.NONE, **LOUDNESS}
    return {selector: levels[_word(word, *levels)] for selector, word in _table(value).items()}


def _table(value: object) -> dict[str, object]:
    if not isinstance(value, dict):
        raise ValueError("must be a table")
    return value


def _word(value: object, *words: str) -> str:
    word = text(value)
    if word not in words:
        raise ValueError(f"must be {', '.join(words[:-1])} or {words[-1]}, not `{word}`{did_you_mean(word, words)}")
    return word


def versions(value: object) -> str:
    """Return versions of a library."""
    if value != INSTALLED:
        allowed(text(value))
    return text(value)
