"""What the text of a file mentions, which tells whether anything runs what other files define."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, fields
from itertools import accumulate
from typing import Final

from ...facts import lookups
from ...files.imported import bindings, imported
from ...files.modules import NEVER_LOCAL
from ...files.source import NOTEBOOK
from ...regex import in_lines_with, regex
from ..often.scripts import fits
from .computed import (
    asked_for_names,
    beginning_with_words,
    has_any,
    imports_anything,
    imports_under,
    only_imports,
    registered_with,
    uses_any_method,
    uses_any_name,
)
from .defined import DEFINITION, decorated, definitions, uses_of
from .owned import SELF, apart
from .texts import named_by_texts

_CHAIN: Final = regex(r"\.?[^\W\d]\w*(?:\.[^\W\d]\w*)*")
_COMMENT: Final = regex(r"\n[ \t]*#[^\n]*")
_BEHIND_CODE: Final = regex(r"#(?<=[ \t]#)[^\n'\"]*(?=\n)")
_DOCSTRING: Final = regex(r":[ \t]*\n\s*[rRuU]?(\"{3}|'{3})")
"""Where a docstring begins; its end is found faster by itself."""
_IMPORT: Final = regex(
    r"\n([ \t]*)(?:from[ \t]+[\w.]+[ \t]+import[ \t]*(?:\([^()]*\)|(?:[^\n\\;]|\\\n)*)|import[ \t](?:[^\n\\;]|\\\n)*)"
)
_OF_ITEM: Final = regex(r"\]\.([^\W\d]\w*(?:\.[^\W\d]\w*)*)")
"""An attribute of an item, which may be a module, and those of that: `models[name].config.make()`."""
_SCRIPT: Final = regex(rf"\n(?:{lookups.SCRIPT})")
_ENTRY: Final = regex(rf"\n(?:{lookups.ENTRY})")
_COMPUTED: Final = regex(lookups.COMPUTED_NAME)
_MODULES: Final = beginning_with_words(lookups.MODULES_BY_NAME)
_ASKS_FOR_CLASS: Final = regex(r"(isinstance|issubclass)\([^(),\n]+,[ \t]*(?:[\w.]+|\([\w., \t]*\))\)")
"""What asks whether something is an object of a class, which makes none."""
_APART: Final = {at: " " for at in range(128) if not (chr(at).isalnum() or chr(at) in "._")}
"""What separates names from each other."""
_STAR: Final = regex(r"\n[ \t]*from[ \t]+([\w.]+)[ \t]+import[ \t]+\*")


@dataclass(frozen=True, slots=True)
class Mentions:
    """The names in a file's text, but for each in its own definition, and what it may import, as written there.

    Both are separated by spaces. Names that are only imported, or stand in what is written for people, do not count,
    nor do those of its variables. What the file itself defines begins with a colon, `:Net`, as does what it imports,
    which is told as it is written there, with what is asked of it: `:.model.Net`; an attribute begins with a dot,
    unless it may be that of any module, as may those of items; `:Net:scaled` is what `Net` asks its own objects for;
    `%Net` may come with a star; of names that are computed the beginning is told: `stage_*`; `"Net` is a
    text, and `=Net` one that something is compared with.
    `script`: somebody runs the file; `entry`: it does something when it is run or imported; `any_name`: it may use
    whatever it or what it imports defines, `any_method` whatever it defines itself; `any_module`: whatever there is, of
    which it gets no more than the module if it `only_imports`; `under` are the beginnings of the names of modules that
    it may import, separated by spaces, `registered` who is told of what it defines, as imported there; `asked` what is
    asked for names that are computed, an asterisk for anything; `fits`: it may run a
    Trainer of Lightning.
    """

    names: str
    imports: str
    script: bool = False
    entry: bool = False
    any_name: bool = False
    any_module: bool = False
    any_method: bool = False
    under: str = ""
    registered: str = ""
    only_imports: bool = False
    asked: str = ""
    fits: bool = False

    @property
    def about(self) -> list[str | bool]:
        """Everything that is told but for the names, in its order."""
        return [getattr(self, each.name) for each in fields(self)[1:]]

    def among(self, names: frozenset[str]) -> list[str]:
        """Return everything that is told, and of the names only those."""
        used = self.any_name, self.any_module, self.any_method, self.only_imports
        marks = self.script, self.entry, *used, self.fits
        told = (each for each in self.names.split() if each[-1] == "*" or last_of(each) in names)
        return [self.imports, self.under, self.registered, self.asked, repr(marks), *sorted(told)]


def last_of(mention: str) -> str:
    """Return the name that something mentioned has where it is defined: `Net` of `:.model.Net`."""
    return mention.rpartition(".")[2].rpartition(":")[2].lstrip('"=%')


def mentions(text: str, filename: str) -> Mentions:
    """Return what the text of a file mentions."""
    bare = f":\n{text}"  # a line feed is found faster than a line, and a docstring follows a colon
    if "#" in text:
        bare = _BEHIND_CODE.sub("", _COMMENT.sub("\n", bare))
    if '"""' in text or "'''" in text:
        bare = _without_docstrings(bare)
    is_notebook = filename.endswith(NOTEBOOK)
    any_name = uses_any_name(bare)
    used = bare if any_name or _passes_on(bare, filename) else _without_imports(bare)
    if "isinstance(" in used or "issubclass(" in used:
        used = _ASKS_FOR_CLASS.sub(r"\1", used)
    names = _Names(bare, used, any_name or is_notebook, _STAR.search(bare) is not None)
    any_module, under = imports_anything(bare), imports_under(bare)
    return Mentions(
        " ".join(sorted(names.used())),
        " ".join(dict.fromkeys(each for each in _imports(bare) if each)),
        not is_notebook and _SCRIPT.search(bare) is not None,
        is_notebook or _ENTRY.search(bare) is not None,
        any_name,
        any_module,
        uses_any_method(bare),
        " ".join(sorted(under)),
        " ".join(sorted(registered_with(bare))),
        bool(any_module or under) and only_imports(bare),
        " ".join(sorted(asked_for_names(bare) if any_name else ())),
        fits(bare),
    )


def _imports(text: str) -> list[str]:
    stars = _STAR.findall(text) if "*" in text else []
    return [*imported(text), *(f"{module}.*" for module in stars)]


def _without_docstrings(text: str) -> str:
    parts, end, found = [], 0, _DOCSTRING.search(text)
    while found is not None:
        close = text.find(found[1], found.end())
        if close >= 0:
            parts += [text[end : found.start()], ":\n"]
            end = close + len(found[1])
        found = _DOCSTRING.search(text, end if close >= 0 else found.end())
    return "".join([*parts, text[end:]])


def _without_imports(text: str) -> str:
    parts, end = [], 0
    for each in in_lines_with("import", _IMPORT, text):
        parts.append(text[end : each.start()])
        end = each.end()
    return "\n".join([*parts, text[end:]])


def _passes_on(text: str, filename: str) -> bool:
    """Whether a file imports names for others to use: that of a package, or one that does nothing itself."""
    base = filename.replace("\\", "/").rpartition("/")[2]
    return base in lookups.PASSING_ON or (DEFINITION.search(text) is None and _ENTRY.search(text) is None)


class _Names:
    """What the names in a file's text stand for; if the file is `open`, one that it does not bind may be any.

    If it has `stars`, it may be what a star imports.

    `used` is the text in which names count, `_definitions` are those in it.
    `_modules` are the names that may stand for modules, whose attributes others define; with `_has_modules` any may.
    """

    def __init__(self, text: str, used: str, is_open: bool, has_stars: bool) -> None:
        self._is_open = is_open
        self._has_stars = has_stars
        self._used = used
        self._bound: dict[str, list[str]] = {}
        self._modules: set[str] = set()
        self._again: dict[str, bool] = {}
        for name, meant in bindings(text):
            self._bound.setdefault(name, []).append(meant)
            if meant.partition(".")[0] not in NEVER_LOCAL:
                self._modules.add(name)
        self._has_modules = has_any(_MODULES, text)
        self._definitions = definitions(used)
        self._defined = {name for name, _, _ in self._definitions}

    def used(self) -> set[str]:
        """Return what the text mentions; of what it defines only that which is mentioned outside of its definition."""
        text = self._used
        found = {*named_by_texts(text), *(f"{each}*" for each in _COMPUTED.findall(text))}
        found.update(self._named(text))
        found = _but_by_themselves(found, text, self._definitions)
        for each in _OF_ITEM.findall(text) if "]." in text else ():
            found.update(each.split("."))  # one that defines the same hands on to what has that name elsewhere
        return found

    def _named(self, text: str) -> set[str]:
        """Return what the names in a text stand for, and their attributes."""
        found: set[str] = set()
        roots: set[str] = set()
        attributes: set[str] = set()
        for cls, each in _chains_by_class(text):
            root, *rest = each.split(".")
            roots.add(root)
            if cls and root == SELF and rest:
                found.add(f":{cls}:{rest.pop(0)}")
            if not rest:
                continue
            if self._has_modules:
                found.update(rest)
            elif root not in self._bound or self._is_bound_again(root):
                attributes.update(rest)  # those of what is imported are told with it
            if root in self._modules:
                found.update(f":{meant}.{part}" for meant in self._bound[root] for part in accumulate(rest, _joined))
        found.update(map(".{}".format, attributes))
        found.update(self._meant(roots))
        return found

    def _is_bound_again(self, name: str) -> bool:
        """Whether a name that an import binds may stand for something else as well: a variable or parameter."""
        if name not in self._again:
            pattern = rf"{name}(?<![\w.]{name})[ \t]*(?:=(?!=)|[,):]|in\b)"
            self._again[name] = re.search(pattern, self._used) is not None
        return self._again[name]

    def _meant(self, names: set[str]) -> Iterator[str]:
        """Yield what names may stand for."""
        yield from (f":{each}" for each in names & self._defined)
        if self._is_open:
            yield from names - self._defined
        elif self._has_stars:
            yield from map("%{}".format, names - self._defined - self._bound.keys())
        for name in names & self._bound.keys():
            yield from (f":{each}" for each in self._bound[name])


def _but_by_themselves(found: set[str], text: str, definitions: list[tuple[str, int, int]]) -> set[str]:
    """Return what is mentioned but for what only the text's own definitions of it mention."""
    defined: dict[str, list[tuple[int, int]]] = {}
    for name, at, indentation in definitions:
        defined.setdefault(name, []).append((at, indentation))
    kept = decorated(text) if "@" in text else set()
    alone: set[str] = set()
    for name, places in defined.items():
        if name not in kept:
            uses = uses_of(name, places, text)
            found -= {f":{name}", f".{name}", name, f'"{name}'}.difference(uses)
            alone.update(() if f".{name}" in uses else (name,))
    return {each for each in found if ":" not in each[1:] or each.rpartition(":")[2] not in alone}


def _joined(before: str, name: str) -> str:
    return f"{before}.{name}"


def _chains_by_class(text: str) -> list[tuple[str, str]]:
    """Return the names in a text, each with the attributes that follow it, and with the class where it stands."""
    return [(cls, each) for cls, part in apart(text) for each in _chains(part)]


def _chains(text: str) -> set[str]:
    """Return the names in a text, each with the attributes that follow it."""
    if text.isascii():  # then it is fast to take it apart, and there are few different parts
        text = " ".join(set(text.translate(_APART).split()))
    return set(_CHAIN.findall(text))
