"""Which versions of torch and its companions a project may use; a rule is silent where none of them waits."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Final, TypeAlias

Version: TypeAlias = tuple[int, int, int, int]
"""Release numbers, padded with zeros; the last place only tells "just after" from "at"."""

LIBRARIES: Final = ("torch", "torchmetrics", "lightning", "transformers", "torchvision")

_FIRST: Final = (0, 0, 0, 0)
_LAST: Final = (1 << 30, 0, 0, 0)
_CLAUSE = re.compile(r"\s*(===|==|~=|!=|<=|>=|<|>)\s*([0-9]+(?:\.[0-9]+)*)(\.\*)?[^\s,]*\s*")
_PLAIN = re.compile(r"[0-9]+(\.[0-9]+)*")
_REQUIREMENT = re.compile(r"\s*([A-Za-z0-9._-]+)\s*(?:\[[^\]]*\])?\s*\(?([^;#@()]*)\)?")


@dataclass(frozen=True, slots=True)
class Range:
    """All versions from `first` on and before `last`."""

    first: Version = _FIRST
    last: Version = _LAST

    def __and__(self, other: Range) -> Range:
        return Range(max(self.first, other.first), min(self.last, other.last))

    def __or__(self, other: Range) -> Range:
        return Range(min(self.first, other.first), max(self.last, other.last))


ANY: Final = Range()


@dataclass(frozen=True, slots=True)
class Versions:
    """What is known about the versions in use; a library that is not listed may have any."""

    ranges: Mapping[str, Range] = field(default_factory=dict)

    def may_be(self, library: str, since: str = "", until: str = "") -> bool:
        """Some version in use is `since` or later and earlier than `until`."""
        wanted = Range(number(since) if since else _FIRST, number(until) if until else _LAST)
        both = wanted & self.ranges.get(library, ANY)
        return both.first < both.last


def number(text: str) -> Version:
    """The version of a text such as `2.6` or `1.13.1`. Raises ValueError."""
    if not _PLAIN.fullmatch(text):
        raise ValueError(f"`{text}` is not a version")
    parts = [int(part) for part in text.split(".")][:3]
    return (parts[0], parts[1] if len(parts) > 1 else 0, parts[2] if len(parts) > 2 else 0, 0)


def allowed(text: str) -> Range:
    """The range a setting means: `2.6` is every 2.6.x; `>=2.4,<2.9` is a specifier. Raises ValueError."""
    text = text.strip()
    if _PLAIN.fullmatch(text):
        return _series(text) if text.count(".") < 2 else _clause("==", text)
    return specified(text)


def specified(specifier: str) -> Range:
    """The range of a requirement's specifier; `!=` is taken for any. Raises ValueError."""
    found = ANY
    for clause in filter(None, (each.strip() for each in specifier.split(","))):
        match = _CLAUSE.fullmatch(clause)
        if match is None:
            raise ValueError(f'`{clause}` is not a version; write "2.6" or ">=2.4,<2.9"')
        operator, version, star = match.groups()
        found &= _series(version) if star and operator == "==" else _clause(operator, version)
    return found


def _clause(operator: str, text: str) -> Range:
    at = number(text)
    after = (*at[:3], 1)
    match operator:
        case "==" | "===":
            return Range(at, after)
        case "~=":
            return Range(at, _series(text.rpartition(".")[0] or text).last)
        case ">=":
            return Range(at)
        case ">":
            return Range(after)
        case "<=":
            return Range(last=after)
        case "<":
            return Range(last=at)
        case _:
            return ANY


def _series(text: str) -> Range:
    """Every version that begins with these numbers."""
    parts = [int(part) for part in text.split(".")][:3]
    following = [*parts[:-1], parts[-1] + 1]
    return Range(number(text), number(".".join(map(str, following))))


def required(lines: Iterable[str]) -> dict[str, Range]:
    """The ranges that requirement lines give to the libraries we know; what cannot be read counts as any.

    A library that is named several times may have any of the versions named.
    """
    found: dict[str, Range] = {}
    for line in lines:
        match = _REQUIREMENT.match(line)
        name = re.sub(r"[-_.]+", "-", match[1]).lower() if match else ""
        name = "lightning" if name == "pytorch-lightning" else name
        if match and name in LIBRARIES:
            given = _specified_or_any(match[2])
            found[name] = found[name] | given if name in found else given
    return found


def _specified_or_any(specifier: str) -> Range:
    try:
        return specified(specifier)
    except ValueError:
        return ANY
