"""Patterns of gitignore files, read as git reads them: an odd line matches nothing, and no pattern takes for ever.

A pattern of a checked repository may be `*a*a*a*a*b`. What stands between two stars is looked for from left to right
and, once found, never looked for again: the first place is as good as any. Python 3.10 has no atomic groups; a group
inside of a lookahead, and a reference to it, are one. Source: gitignore(5), wildmatch.c and dir.c of git.
"""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Final

from ..limits import LONGEST_PATTERN
from ..regex import regex

_STAR: Final = "*"
_ANY: Final = "[^/]"
_SPECIAL: Final = regex(r"[*?\[\\]")
_NAMED: Final = {
    "alnum": "0-9A-Za-z",
    "alpha": "A-Za-z",
    "blank": r" \t",
    "cntrl": r"\x00-\x1f\x7f",
    "digit": "0-9",
    "graph": "!-~",
    "lower": "a-z",
    "print": " -~",
    "punct": r"!-/:-@\[-`{-~",
    "space": r"\s",
    "upper": "A-Z",
    "xdigit": "0-9A-Fa-f",
}
_CLASS: Final = regex(r"\[:(?P<name>[a-z]*):\]|\\?(?P<first>.)(?:-(?!\])\\?(?P<last>.))?", re.DOTALL)


class _NeverError(Exception):
    """The pattern matches nothing."""


@dataclass(frozen=True, slots=True)
class _Pattern:
    """One line: what it `takes`, a name or a whole path, and whether it ignores that or takes it in again."""

    takes: Callable[[str], object]
    whole: bool
    only_directories: bool
    ignores: bool


class Patterns:
    """The patterns of one gitignore file or setting, relative to its directory."""

    def __init__(self, root: str, lines: Iterable[str]) -> None:
        self.root = root
        self._lines = lines
        self._patterns: list[_Pattern] | None = None

    def verdict(self, path: str, directory: bool = False) -> bool | None:
        """Return True if ignored, False if included again by a `!` pattern, None if no pattern matches this path."""
        relative = self._relative(path)
        return None if relative is None else self._verdict(relative, directory)

    def cover(self, path: str, directory: bool = False) -> bool:
        """Whether the path is ignored, or one of the directories above it."""
        parts = (self._relative(path) or "").split("/")
        above = ("/".join(parts[:end]) for end in range(1, len(parts)))
        return any(map(self._is_ignored, above)) or bool(self._verdict("/".join(parts), directory))

    def _relative(self, path: str) -> str | None:
        prefix = self.root if self.root.endswith(os.sep) else self.root + os.sep
        if not path.startswith(prefix):
            return None
        relative = path[len(prefix) :]
        return relative if os.sep == "/" else relative.replace(os.sep, "/")

    def _is_ignored(self, directory: str) -> bool:
        return bool(self._verdict(directory, True))

    def _verdict(self, relative: str, directory: bool) -> bool | None:
        if self._patterns is None:
            self._patterns = [each for line in self._lines if (each := _read(line))][::-1]
        name = relative.rpartition("/")[2]
        for each in self._patterns:
            if (directory or not each.only_directories) and each.takes(relative if each.whole else name):
                return each.ignores
        return None


def _read(line: str) -> _Pattern | None:
    """Return the pattern of a line; None if it is empty, a comment, or matches nothing."""
    text = _without_spaces(line.removesuffix("\r"))
    if text.startswith("#") or LONGEST_PATTERN.is_exceeded(len(text)):
        return None
    ignores = not text.startswith("!")
    text = text if ignores else text[1:]
    only_directories = text.endswith("/")
    text = text[:-1] if only_directories else text
    whole = "/" in text
    try:
        takes = _matcher(text.removeprefix("/"), whole) if text else None
    except _NeverError:
        return None
    return _Pattern(takes, whole, only_directories, ignores) if takes else None


def _without_spaces(text: str) -> str:
    """Return the text without trailing spaces, except those after a backslash."""
    bare = text.rstrip(" ")
    backslashes = len(bare) - len(bare.rstrip("\\"))
    return f"{bare} " if backslashes % 2 and len(bare) < len(text) else bare


def _matcher(text: str, whole: bool) -> Callable[[str], object]:
    if not _SPECIAL.search(text):
        return text.__eq__
    if not whole and text[0] == "*" and not _SPECIAL.search(text, 1):
        end = text[1:]
        return lambda name: name.endswith(end)
    return re.compile(_expression(_segments(text), whole)).fullmatch


def _segments(text: str) -> list[list[str]]:
    """Return the parts between slashes, each as expressions for one character each, or stars.

    Raises _NeverError where the text ends in the midst of something.
    """
    segments: list[list[str]] = [[]]
    at = 0
    while at < len(text):
        character = text[at]
        at += 1
        if character == "\\":
            if at == len(text):
                raise _NeverError
            character, at = text[at], at + 1
            segments = [*segments, []] if character == "/" else segments
            if character != "/":
                segments[-1].append(re.escape(character))
        elif character == "/":
            segments.append([])
        elif character == "[":
            expression, at = _class(text, at)
            segments[-1].append(expression)
        else:
            segments[-1].append({"*": _STAR, "?": _ANY}.get(character) or re.escape(character))
    return segments


def _class(text: str, at: int) -> tuple[str, int]:
    """Return the expression for a set of characters, and where what follows it begins."""
    negated = text[at : at + 1] in ("!", "^")
    start = at = at + negated
    members = []
    while text[at : at + 1] != "]" or at == start:
        match = _CLASS.match(text, at)
        if match is None or (match["name"] is not None and match["name"] not in _NAMED):
            raise _NeverError
        members.append(_NAMED[match["name"]] if match["name"] is not None else _range(match["first"], match["last"]))
        at = match.end()
    inside = "".join(members)
    return (f"[^/{inside}]" if negated else f"(?!/)[{inside}]"), at + 1


def _range(first: str, last: str | None) -> str:
    """Return the members of a range; one whose end comes first has only its beginning."""
    return f"{re.escape(first)}-{re.escape(last)}" if last and first <= last else re.escape(first)


def _expression(segments: Sequence[Sequence[str]], whole: bool) -> str:
    """Return the regular expression of a pattern, at worst linear in the text for each star."""
    groups: list[list[str]] = [[]]
    names = (f"g{number}" for number in range(1 << 30))
    for segment in segments:
        if whole and len(segment) > 1 and set(segment) == {_STAR}:
            groups += [[]] if groups[-1] or len(groups) == 1 else []
        else:
            groups[-1].append(_segment(segment, names))
    if len(groups) == 1:
        return "/".join(groups[0])
    first, *middle, last = ["/".join(group) for group in groups]
    found = f"{first}/" if first else ""
    for group in middle:
        found += _first_place(f"(?:{_ANY}+/)*?{group}/", names)
    return found + (f"(?:{_ANY}+/)*{last}" if last else "(?s:.+)")


def _segment(tokens: Sequence[str], names: Iterator[str]) -> str:
    """Return the expression of what is between two slashes."""
    parts: list[str] = [""]
    for at, token in enumerate(tokens):
        if token != _STAR:
            parts[-1] += token
        elif at == 0 or tokens[at - 1] != _STAR:
            parts.append("")
    if len(parts) == 1:
        return parts[0]
    first, *middle, last = parts
    return first + "".join(_first_place(f"{_ANY}*?{part}", names) for part in middle) + f"{_ANY}*{last}"


def _first_place(expression: str, names: Iterator[str]) -> str:
    """Return an expression that takes the first place where it matches, and never anything else."""
    name = next(names)
    return f"(?=(?P<{name}>{expression}))(?P={name})"
