"""What the text of a file mentions, which tells whether anything runs what other files define."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache
from typing import Final

from ...facts import lookups
from ...files.imported import imported
from ...files.source import NOTEBOOK

_WORD: Final = re.compile(r"[^\W\d]\w*")
_COMMENT: Final = re.compile(r"\n[ \t]*#[^\n]*")
_BEHIND_CODE: Final = re.compile(r"#(?<=[ \t]#)[^\n'\"]*(?=\n)")
_DOCSTRING: Final = re.compile(r"(?:^|:[ \t]*)\n\s*[rRuU]?(\"{3}|'{3})[\s\S]*?\1")
_IMPORT: Final = re.compile(
    r"\n([ \t]*)(?:from[ \t]+[\w.]+[ \t]+import[ \t]*(?:\([^()]*\)|(?:[^\n\\;]|\\\n)*)|import[ \t](?:[^\n\\;]|\\\n)*)"
)
_RENAMED: Final = re.compile(r"(\w+)[ \t]+as[ \t]")
_DEFINITION: Final = re.compile(r"\n([ \t]*)(?:async[ \t]+)?(?:def|class)[ \t]+(\w+)")
_DECORATOR: Final = re.compile(r"\n[ \t]*@[ \t]*([\w.]+)")
_SCRIPT: Final = re.compile(rf"\n(?:{lookups.SCRIPT})")
_ENTRY: Final = re.compile(rf"\n(?:{lookups.ENTRY})")
_ANY_MODULE: Final = tuple(map(re.compile, lookups.ANY_MODULE))
_ANY_NAME: Final = tuple(map(re.compile, lookups.ANY_NAME))
_COMPUTED: Final = re.compile(lookups.COMPUTED_NAME)
_MAIN: Final = re.compile(r"\nif[ \t]+__name__[^\n]*:[^\n]*(?:\n(?:[ \t][^\n]*)?(?=\n|$))*")
_SELF_TEST: Final = re.compile(lookups.SELF_TEST)
_NO_SELF_TEST: Final = re.compile(lookups.NO_SELF_TEST)
_STAR: Final = re.compile(r"\n[ \t]*from[ \t]+([\w.]+)[ \t]+import[ \t]+\*")


@dataclass(frozen=True, slots=True)
class Mentions:
    """The names in a file's text, but for each in its own definition, and what it may import, as written there.

    Both are separated by spaces. Names that are only imported, or stand in what is written for people, do not count; of
    those that are computed the beginning is told: `stage_*`; `Net!` is used in its own file's test of itself alone.
    `script`: somebody runs the file; `entry`: it does something when it is run or imported; `any_name`: it may use
    whatever it or what it imports defines; `any_module`: whatever there is.
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
        return [self.imports, flags, *sorted(each for each in self.names.split() if each in names or each[-1] in "*!")]


def mentions(text: str, filename: str) -> Mentions:
    """Return what the text of a file mentions."""
    bare = f"\n{text}"  # a line feed is found faster than a line
    if "#" in text:
        bare = _BEHIND_CODE.sub("", _COMMENT.sub("\n", bare))
    if '"""' in text or "'''" in text:
        bare = _DOCSTRING.sub(":\n", bare)
    is_notebook = filename.endswith(NOTEBOOK)
    any_name = any(each.search(bare) for each in _ANY_NAME)
    used = bare if any_name or _passes_on(bare, filename) else _IMPORT.sub(_renamed, bare)
    return Mentions(
        " ".join(sorted(_names_but_tests(used))),
        " ".join(dict.fromkeys(each for each in _imports(bare) if each)),
        not is_notebook and _SCRIPT.search(bare) is not None,
        is_notebook or _ENTRY.search(bare) is not None,
        any_name,
        any(each.search(bare) for each in _ANY_MODULE),
    )


def _imports(text: str) -> list[str]:
    stars = _STAR.findall(text) if "*" in text else []
    return [*imported(text), *(f"{module}.*" for module in stars)]


def _passes_on(text: str, filename: str) -> bool:
    """Whether a file imports names for others to use: that of a package, or one that does nothing itself."""
    base = filename.replace("\\", "/").rpartition("/")[2]
    return base in lookups.PASSING_ON or (_DEFINITION.search(text) is None and _ENTRY.search(text) is None)


def _renamed(imported: re.Match[str]) -> str:
    """Return the names that an import gives others, by which they are used."""
    return f"\n{imported[1]}{' '.join(_RENAMED.findall(imported[0]))}" if " as " in imported[0] else "\n"


def _names_but_tests(text: str) -> set[str]:
    """Return the names that a text mentions, and with a mark those of its own that only its test of itself does."""
    main = _MAIN.search(text) if "__main__" in text else None
    if main is None or not _SELF_TEST.search(main[0]) or _NO_SELF_TEST.search(main[0]):
        return _names(text)
    rest = f"{text[: main.start()]}{text[main.end() :]}"
    found, tested = _names(rest), _names(main[0])
    own = {each[2] for each in _DEFINITION.finditer(rest)} - found
    return found | {f"{each}!" if each in own else each for each in tested}


def _names(text: str) -> set[str]:
    """Return the names that a text mentions; one that it defines, only if that is outside of its definition."""
    found = {*_WORD.findall(text), *(f"{each}*" for each in _COMPUTED.findall(text))}
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
    found = _outside(indentation).search(text, start)
    return len(text) if found is None else found.start()


@lru_cache(100)
def _outside(indentation: int) -> re.Pattern[str]:
    return re.compile(rf"\n[ \t]{{0,{indentation}}}[^ \t\n)\]]")
