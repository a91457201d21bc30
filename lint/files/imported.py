"""What a file may import, read from its text alone."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from ..regex import regex

_IMPORT: Final = regex(
    r"[ \t]*(?:from[ \t]+(\.*)[ \t]*([\w.]*)[ \t]+import[ \t]*(\([^()]*\)|(?:[^\n\\#;]|\\\n)*)"
    r"|import[ \t]+((?:[^\n\\#;]|\\\n)*))"
)
_NAME: Final = regex(r"[^\W\d][\w.]*")
_RENAMED: Final = regex(r"[ \t]as[ \t]+\w+")
_BOUND: Final = regex(r"([^\W\d][\w.]*)(?:[ \t]+as[ \t]+(\w+))?")
_COMMENT: Final = regex(r"#[^\n]*")


def imported(text: str) -> Iterator[str]:
    """Yield what a text may import; leading dots are those of relative imports.

    Text that only looks like an import counts as well.
    """
    for found in _imports(text):
        yield from _names(*found.groups(""))


def bindings(text: str) -> Iterator[tuple[str, str]]:
    """Yield the names that the imports of a text bind, each with what it may import under it, as written there."""
    for found in _imports(text):
        dots, module, names, modules = found.groups("")
        base = "" if modules else f"{dots}{module}." if module else dots
        for name, other in _BOUND.findall(_COMMENT.sub("", names or modules)):
            is_whole = bool(modules) and not other
            yield (name.partition(".")[0],) * 2 if is_whole else (other or name, base + name)


def _imports(text: str) -> Iterator[re.Match[str]]:
    at = text.find("import")
    while at >= 0:
        found = _IMPORT.match(text, text.rfind("\n", 0, at) + 1)
        if found is not None:
            yield found
        line_end = text.find("\n", found.end() if found else at)
        at = text.find("import", line_end) if line_end >= 0 else -1


def _names(dots: str, module: str, names: str, modules: str) -> Iterator[str]:
    if modules:
        yield from _NAME.findall(_RENAMED.sub("", modules))
        return
    yield dots + module
    base = f"{dots}{module}." if module else dots
    for each in _NAME.findall(_RENAMED.sub("", _COMMENT.sub("", names))):
        yield base + each
