"""Which versions of torch and its companions a project may use; a rule does not apply if none of them waits.

`packaging` reads whatever is more than numbers and dots; it is imported only for that, and only before linking.
"""

from __future__ import annotations

import functools
import operator
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final, TypeAlias

from ..regex import regex

if TYPE_CHECKING:
    from packaging.specifiers import Specifier

Version: TypeAlias = tuple[int, int, int, int]
"""Release numbers, padded with zeros; the last place only distinguishes "just after" from "at"."""

LIBRARIES: Final = ("torch", "torchmetrics", "lightning", "transformers", "torchvision")

INSTALLED: Final = "installed"
"""The word that stands for the installed version in a configuration."""

_FIRST: Final = (0, 0, 0, 0)
_LAST: Final = (1 << 30, 0, 0, 0)
_PLAIN = regex(r"[0-9]{1,9}(\.[0-9]{1,9})*")
_NAME = regex(r"\s*([A-Za-z0-9._-]+)")
_TAIL = regex(r"(?:^|\s)(?:#|--?[a-z]).*|\\$", re.DOTALL)
"""Lines that are not requirements: comments, options such as `--hash`, the mark of a longer line."""


@dataclass(frozen=True, slots=True)
class Range:
    """All versions from `first` up to but excluding `last`."""

    first: Version = _FIRST
    last: Version = _LAST

    def __and__(self, other: Range) -> Range:
        return Range(max(self.first, other.first), min(self.last, other.last))

    def __or__(self, other: Range) -> Range:
        return Range(min(self.first, other.first), max(self.last, other.last))


ANY: Final = Range()


@dataclass(frozen=True, slots=True)
class Versions:
    """The versions in use, as far as known; a library that is not listed may have any."""

    ranges: Mapping[str, Range] = field(default_factory=dict)

    def may_be(self, library: str, since: str = "", until: str = "") -> bool:
        """Whether some version in use is at least `since` and earlier than `until`."""
        wanted = Range(number(since) if since else _FIRST, number(until) if until else _LAST)
        both = wanted & self.ranges.get(library, ANY)
        return both.first < both.last


def number(text: str) -> Version:
    """Return the version for a string such as `2.6` or `1.13.1`. Raises ValueError."""
    if not _PLAIN.fullmatch(text):
        raise ValueError(f"`{text}` is not a version")
    return _padded([int(part) for part in text.split(".")])


def _padded(parts: Sequence[int]) -> Version:
    first, second, third, *_ = (*parts, 0, 0)
    return (first, second, third, 0)


def allowed(text: str) -> Range:
    """Return the range for a setting: `2.6` is every 2.6.x; `>=2.4,<2.9` is a specifier. Raises ValueError."""
    text = text.strip()
    if _PLAIN.fullmatch(text):
        return _exactly([int(part) for part in text.split(".")])
    from packaging.specifiers import SpecifierSet
    from packaging.version import Version

    try:
        if text[:1].isalnum():
            return _exactly(Version(text).release)
        return _all_of(SpecifierSet(text))
    except ValueError as error:
        raise ValueError(f'`{text}` is not a version; write "2.6" or ">=2.4,<2.9"') from error


def _all_of(specifiers: Iterable[Specifier]) -> Range:
    found = ANY
    for each in specifiers:
        found &= _clause(each.operator, each.version)
    return found


def _clause(sign: str, text: str) -> Range:
    """Return the range of one clause; `!=`, and `===` with something that is not a version, count as any.

    `>` counts as `>=`: whether some version is earlier than a release, or not, has the same answer.
    """
    from packaging.version import InvalidVersion, Version

    try:
        parts = Version(text.removesuffix(".*")).release
    except InvalidVersion:
        return ANY
    at = _padded(parts)
    after = (*at[:3], 1)
    match sign:
        case "==" | "===":
            return _series(parts) if text.endswith(".*") else Range(at, after)
        case "~=":
            return Range(at, _series(parts[:-1] or parts).last)
        case ">=" | ">":
            return Range(at)
        case "<=":
            return Range(last=after)
        case "<":
            return Range(last=at)
        case _:
            return ANY


def _exactly(parts: Sequence[int]) -> Range:
    """Return every version that begins with these numbers; exactly this one if there are three or more."""
    at = _padded(parts)
    return _series(parts) if len(parts) < 3 else Range(at, (*at[:3], 1))


def _series(parts: Sequence[int]) -> Range:
    """Return every version that begins with these numbers."""
    *above, last = parts[:3]
    return Range(_padded(parts[:3]), _padded([*above, last + 1]))


def required(lines: Iterable[str]) -> dict[str, tuple[str, ...]]:
    """Return the requirement lines that name the libraries we know, by library, each once."""
    found: dict[str, dict[str, None]] = {}
    for line in lines:
        match = _NAME.match(line)
        name = library_of(match[1]) if match else None
        if name:
            found.setdefault(name, {})[_TAIL.sub("", line).strip()] = None
    return {name: tuple(each) for name, each in found.items()}


def library_of(name: str) -> str | None:
    """Return the library that a distribution's name refers to; None for one we do not know."""
    name = re.sub(r"[-_.]+", "-", name).lower()
    name = "lightning" if name == "pytorch-lightning" else name
    return name if name in LIBRARIES else None


def demanded(lines: Sequence[str]) -> Range:
    """Return the range that any of the requirement lines for one library allows; unreadable ones allow all."""
    return functools.reduce(operator.or_, map(_demanded, lines))


def _demanded(line: str) -> Range:
    from packaging.requirements import InvalidRequirement, Requirement

    try:
        return _all_of(Requirement(line).specifier)
    except (InvalidRequirement, ValueError):
        return ANY
