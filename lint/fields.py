"""The fields of JSON that may come from anywhere: each is checked before it is used, and what is wrong is one line."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Final, TypeVar

from .files import regular

_Item = TypeVar("_Item")
_MOST: Final = 1e15
"""More milliseconds, and more waits, than any run has."""


class FieldError(Exception):
    """A file or a field that is missing, or that is not what is written there; the message is one line."""


def loaded(path: Path, what: str, hint: str) -> object:
    """Return what is in a file of JSON. Raises FieldError; `hint` says how to make such a file."""
    try:
        found: object = json.loads(regular.read(path))
    except OSError as error:
        raise FieldError(f"{path}: {error.strerror}") from error
    except (ValueError, RecursionError) as error:
        raise FieldError(f"{path} is not a {what}: it is not JSON; {hint}") from error
    return found


def checked(what: str, found: object, kind: type[_Item]) -> _Item:
    """Return something if it is of this kind. Raises FieldError."""
    if not isinstance(found, kind) or isinstance(found, bool):
        raise FieldError(f"{what} is missing or wrong")
    return found


def field(found: Mapping[str, Any], key: str, kind: type[_Item]) -> _Item:
    """Return a field if it is of this kind. Raises FieldError."""
    return checked(f"`{key}`", found.get(key), kind)


def texts(found: Mapping[str, Any], key: str) -> tuple[str, ...]:
    """Return a list of texts. Raises FieldError."""
    return tuple(checked(f"`{key}`", each, str) for each in field(found, key, list))


def text_or_none(found: Mapping[str, Any], key: str) -> str | None:
    """Return a text, or None for null. Raises FieldError."""
    return None if found.get(key) is None else field(found, key, str)


def number(found: Mapping[str, Any], key: str) -> float | None:
    """Return a number, or None for null. Raises FieldError."""
    return None if found.get(key) is None else finite(key, found[key])


def numbers(found: Mapping[str, Any], key: str) -> list[float]:
    """Return a list of numbers. Raises FieldError."""
    return [finite(key, each) for each in field(found, key, list)]


def finite(key: str, found: object) -> float:
    """Return something if it is a number that can be shown. Raises FieldError."""
    if isinstance(found, bool) or not isinstance(found, (int, float)) or not abs(found) <= _MOST:
        raise FieldError(f"`{key}` is wrong")
    return found
