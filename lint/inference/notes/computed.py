"""What a file may use by names that are not in its text, but computed."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final, TypeAlias

from ...facts import lookups
from ...files.imported import bindings
from ...regex import regex

Patterns: TypeAlias = Sequence[tuple[str, re.Pattern[str]]]
"""Patterns that begin with a word, each with that word: to look for it first takes a tenth of the time."""


def beginning_with_words(patterns: Sequence[str]) -> Patterns:
    """Return patterns with the words that they begin with."""
    return tuple((_WORD.findall(each)[0], regex(each)) for each in patterns)


def has_any(patterns: Patterns, text: str) -> bool:
    """Whether a text has what one of the patterns is for."""
    return any(word in text and each.search(text) for word, each in patterns)


_WORD: Final = re.compile(r"\w+")
_ANY_MODULE: Final = beginning_with_words(lookups.ANY_MODULE)
_UNDER: Final = regex(lookups.MODULES_UNDER)
_BY_NAME: Final = regex(lookups.BY_NAME)
_IMPORTING: Final = regex(lookups.ONLY_IMPORTING)
_ON_PATH: Final = regex(lookups.ON_PATH)
_ANY_NAME: Final = beginning_with_words(lookups.ANY_NAME)
_OF_OBJECTS: Final = beginning_with_words([each for each in lookups.ANY_NAME if not each.startswith("globals")])
_ANY_METHOD: Final = beginning_with_words(lookups.ANY_METHOD)
_EVALUATED: Final = regex(lookups.EVALUATED)
_REGISTERING: Final = regex(lookups.REGISTERING)
_ASKED: Final = regex(lookups.ASKED_FOR_ATTRIBUTE)
_IMPORTED_BY_TEXT: Final = regex(lookups.IMPORTED_BY_TEXT)
_CHAIN: Final = regex(r"([\w.]+)\.$")


def uses_any_name(text: str) -> bool:
    """Whether code may use whatever is defined in its file, or in those that it imports."""
    return has_any(_ANY_NAME, text) or _evaluates(text)


def asked_for_names(text: str) -> set[str]:
    """Return what code asks for names that it computes: as it is imported there; an asterisk for anything.

    What it runs as text has the names that its file has: those of a module that is imported there by a computed name.
    """
    of_file = [each for each in _ANY_NAME if each[0] in lookups.OF_THE_FILE]
    others = (each for each in _ANY_NAME if each[0] not in lookups.OF_THE_FILE and each[0] in text)
    found = {_meant(_asked(each, text), text) for _, pattern in others for each in pattern.finditer(text)}
    if (_IMPORTING.search(text) or _IMPORTED_BY_TEXT.search(text)) and (has_any(of_file, text) or _evaluates(text)):
        found.add("*")
    return found


def _asked(found: re.Match[str], text: str) -> str:
    """Return the first name of what is asked for a computed name; empty if it has none."""
    at = found.start()
    owner = _ASKED.match(text, at) or _CHAIN.search(text, max(0, at - 80), at)
    return owner[1].partition(".")[0] if owner is not None else ""


def _meant(name: str, text: str) -> str:
    """Return what a name is imported as, if it stands for nothing else; an asterisk if it may be anything."""
    found = {meant for bound, meant in bindings(text) if bound == name}
    is_rebound = re.search(rf"\b{name}\s*=(?!=)|\bfor\s+{name}\b|\bdef\s+\w+\([^)]*\b{name}\b", text)
    return found.pop() if len(found) == 1 and is_rebound is None else "*"


def uses_any_method(text: str) -> bool:
    """Whether code may use whatever method its file defines, which has no name of its own there."""
    return has_any(_ANY_METHOD, text) or has_any(_OF_OBJECTS, text)


def imports_anything(text: str) -> bool:
    """Whether code may import any module by name, and use what is in it."""
    found = [each.start() for word, pattern in _ANY_MODULE if word in text for each in pattern.finditer(text)]
    narrow = (_UNDER, _BY_NAME) if found and _on_path(text) else (_UNDER,)
    known = {each.start() for pattern in narrow for each in pattern.finditer(text)} if found else set()
    return bool(found) and not known.issuperset(found)


def only_imports(text: str) -> bool:
    """Whether code that may import any module does no more: what it uses of it, others name."""
    found = {each.start() for word, pattern in _ANY_MODULE if word in text for each in pattern.finditer(text)}
    return bool(found) and found <= {each.start() for each in _IMPORTING.finditer(text)}


def imports_under(text: str) -> set[str]:
    """Return how the names of modules begin that code may import; of a folder that it puts on the path, any."""
    if "import_" not in text:
        return set()
    folders = _on_path(text) if _BY_NAME.search(text) else ()
    return {*_UNDER.findall(text), *(f"{each}." for each in folders)}


def _on_path(text: str) -> set[str]:
    """Return the folders that code puts on the path by their written names."""
    return set(_ON_PATH.findall(text)) if "sys.path." in text else set()


def registered_with(text: str) -> set[str]:
    """Return whom code tells of what it defines, for others to use: as their imports are written there."""
    names = set(_REGISTERING.findall(text)) if "regist" in text else set()
    return {meant for name, meant in bindings(text) if name in names} if names else set()


def _evaluates(text: str) -> bool:
    """Whether code evaluates a text that may name a function, or a class."""
    return "eval(" in text and _EVALUATED.search(text) is not None
