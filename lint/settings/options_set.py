"""The options that a project's own scripts, instructions and settings files set, by their names.

They tell what is usual: a flag that the README's command passes is not off. Nothing is run, and what cannot be read
says nothing.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, Final, NamedTuple

from ..files.regular import read
from ..limits import DEEPEST_SETTINGS, LARGEST_OF_OPTIONS, MOST_SETTINGS
from ..regex import regex

_COMMANDS: Final = (".bash", ".bat", ".md", ".ps1", ".rst", ".sh", ".slurm", ".txt")
"""Ends of the names of files that may show how a program is called."""
_SETTINGS: Final = (".yaml", ".yml", ".json")
"""Ends of the names of files that may hold settings: `key: value` in a line."""
_APART: Final = frozenset(("build", "dist", "node_modules", "site-packages", "venv"))
"""Folders in which nothing is the project's own."""

_FLAG: Final = regex(r"(?<![\w-])--([A-Za-z][\w-]*)")
_VALUE: Final = regex(
    r"^[ \t]*(?:-[ \t]+)?[\"']?([A-Za-z_]\w*)[\"']?:[ \t]*([^\s#\[{,][^\n#,]*?)[ \t]*,?[ \t]*(?:#.*)?\r?$", re.MULTILINE
)
_WORDS: Final = {"true": True, "false": False, "null": None, "~": None, "none": None}


class OptionsSet(NamedTuple):
    """The flags that commands pass, and the options that settings give constants, with these; None is a constant."""

    flags: frozenset[str] = frozenset()
    values: Mapping[str, tuple[Any, ...]] = {}


def options_set(root: Path) -> OptionsSet:
    """Return what the files of a project set."""
    flags: set[str] = set()
    values: dict[str, dict[str, Any]] = {}
    for name in _texts(str(root)):
        text = _text(name)
        if name.endswith(_SETTINGS):
            for option, written in _VALUE.findall(text):
                values.setdefault(option, {})[repr(_constant(written))] = _constant(written)
        flags.update(each.replace("-", "_") for each in _FLAG.findall(text))
    return OptionsSet(frozenset(flags), {name: tuple(found.values()) for name, found in sorted(values.items())})


def _texts(root: str) -> Iterator[str]:
    """Yield the files that may set something, in the upper folders of a project."""
    left = int(MOST_SETTINGS)
    for folder, inside, files in os.walk(root):
        depth = folder.removeprefix(root).count(os.sep)
        inside[:] = (
            sorted(each for each in inside if each[0] != "." and each not in _APART) if depth < DEEPEST_SETTINGS else []
        )
        for name in sorted(files):
            if name.endswith((*_COMMANDS, *_SETTINGS)):
                if not left:
                    MOST_SETTINGS.met()
                    return
                left -= 1
                yield os.path.join(folder, name)


def _text(name: str) -> str:
    try:
        return read(name, LARGEST_OF_OPTIONS).decode(errors="replace")
    except OSError:
        return ""


def _constant(written: str) -> Any:
    """Return the constant that a settings file writes like this; a text is one, too."""
    if written.lower() in _WORDS:
        return _WORDS[written.lower()]
    try:
        return int(written) if written.lstrip("-").isdecimal() else float(written)
    except ValueError:
        return written.strip("\"'")
