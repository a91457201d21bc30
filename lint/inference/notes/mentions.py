"""What the text of a file mentions, which tells whether anything runs what other files define."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Final

from ...facts import lookups
from ...files.imported import imported
from ...files.source import NOTEBOOK

_WORD: Final = re.compile(r"[^\W\d]\w*")
_COMMENT: Final = re.compile(r"\n[ \t]*#[^\n]*")
_DEFINITION: Final = re.compile(r"\n([ \t]*)(?:async[ \t]+)?(?:def|class)[ \t]+(\w+)")
_DECORATOR: Final = re.compile(r"\n[ \t]*@[ \t]*([\w.]+)")
_SCRIPT: Final = re.compile(rf"\n(?:{lookups.SCRIPT})")
_ENTRY: Final = re.compile(rf"\n(?:{lookups.ENTRY})")
_ANY_MODULE: Final = tuple(map(re.compile, lookups.ANY_MODULE))
_ANY_NAME: Final = tuple(map(re.compile, lookups.ANY_NAME))
_STAR: Final = re.compile(r"\n[ \t]*from[ \t]+([\w.]+)[ \t]+import[ \t]+\*")


@dataclass(frozen=True, slots=True)
class Mentions:
    """The names in a file's text, but for each in its own definition, and what it may import, as written there.

    Both are separated by spaces. `script`: somebody runs the file; `entry`: it does something when it is run or
    imported; `any_name`: it may use whatever it or what it imports defines; `any_module`: whatever there is.
    """

    names: str
    imports: str
    script: bool = False
    entry: bool = False
    any_name: bool = False
    any_module: bool = False

    def among(self, names: frozenset[str]) -> list[str]:
        """Return everything that is told, and of the names only those."""
        flags = repr((self.script, self.entry, self.any_name, self.any_module))
        return [self.imports, flags, *sorted(names.intersection(self.names.split()))]


def mentions(text: str, filename: str) -> Mentions:
    """Return what the text of a file mentions."""
    bare = _COMMENT.sub("\n", f"\n{text}") if "#" in text else f"\n{text}"  # a line feed is found faster than a line
    is_notebook = filename.endswith(NOTEBOOK)
    return Mentions(
        " ".join(sorted(_names(bare))),
        " ".join(dict.fromkeys(each for each in _imports(bare) if each)),
        not is_notebook and _SCRIPT.search(bare) is not None,
        is_notebook or _ENTRY.search(bare) is not None,
        any(each.search(bare) for each in _ANY_NAME),
        any(each.search(bare) for each in _ANY_MODULE),
    )


def _imports(text: str) -> list[str]:
    stars = _STAR.findall(text) if "*" in text else []
    return [*imported(text), *(f"{module}.*" for module in stars)]


def _names(text: str) -> set[str]:
    """Return the names that a text mentions; one that it defines, only if that is outside of its definition."""
    found = set(_WORD.findall(text))
    defined: dict[str, list[tuple[int, int]]] = {}
    for each in _DEFINITION.finditer(text):
        defined.setdefault(each[2], []).append((each.start(2), len(each[1])))
    decorated = _decorated(text) if "@" in text else set()
    for name, places in defined.items():
        if name not in decorated and not _is_mentioned(name, places, text):
            found.discard(name)
    return found


def _decorated(text: str) -> set[str]:
    """Return the names that are given to a decorator when they are defined, which may keep them for later."""
    found = set()
    for each in _DECORATOR.finditer(text):
        if each[1].rpartition(".")[2] not in lookups.PLAIN_DECORATORS:
            definition = _DEFINITION.search(text, each.end())
            if definition is not None:
                found.add(definition[2])
    return found


def _is_mentioned(name: str, places: list[tuple[int, int]], text: str) -> bool:
    """Whether a name stands anywhere outside of its definitions, which begin at these places and indentations."""
    if text.count(name) == len(places):
        return False
    at, end, todo = text.find(name), 0, dict(places)
    while at >= 0:
        if at in todo:
            end = max(end, _end(at, todo[at], text))
        elif at >= end and _is_word(at, at + len(name), text):
            return True
        at = text.find(name, at + len(name))
    return False


def _is_word(start: int, end: int, text: str) -> bool:
    before, after = text[start - 1 : start], text[end : end + 1]
    return not (before == "_" or before.isalnum() or after == "_" or after.isalnum())


def _end(start: int, indentation: int, text: str) -> int:
    """Return where a definition ends: at the next line that is indented no more and does not close its header."""
    at = text.find("\n", start)
    while at >= 0:
        first = text[at + 1 : at + 2 + indentation].lstrip(" \t")[:1]
        if first and first not in "\n)]":
            return at
        at = text.find("\n", at + 1)
    return len(text)
