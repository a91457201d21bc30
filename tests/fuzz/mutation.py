"""Real files, changed a little: tokens and lines that go, come twice, change places or come from elsewhere."""

from __future__ import annotations

import re
from pathlib import Path
from random import Random
from typing import Final

from grammar import is_python

TOKEN: Final = re.compile(r"\w+|\s+|[^\w\s]")
LARGEST: Final = 40_000
ODD: Final = [
    "()",
    "None",
    "torch",
    "[]",
    "...",
    "'\\ud800'",
    "super()",
    "self",
    "x" * 300,
    "\f",
    "\r",
    "\ufeff",
    "\0",
    "0" * 50,
]
"""What is put in now and then."""


def corpus(folders: list[Path]) -> list[Path]:
    """The files that are not too large, in a stable order."""
    every = (file for folder in folders for file in folder.rglob("*.py"))
    return sorted(file for file in every if file.is_file() and file.stat().st_size < LARGEST)


def mutated(random: Random, files: list[Path]) -> dict[str, str]:
    """One or two files of the corpus after some changes, each as if it had to do with torch."""
    chosen = random.sample(files, random.choice((1, 1, 2)))
    texts = [file.read_text("utf-8", "replace") for file in chosen]
    other = random.choice(files).read_text("utf-8", "replace")
    return {f"m{at}.py": "import torch\n" + _readable(random, text, other) for at, text in enumerate(texts)}


def _readable(random: Random, text: str, other: str) -> str:
    """The text after some changes, for most times ones that Python can read."""
    for _ in range(8):
        changed = _changed(random, text, other)
        if is_python(changed):
            break
    return changed


def _changed(random: Random, text: str, other: str) -> str:
    split, joined = (TOKEN.findall, "") if random.random() < 0.5 else (str.splitlines, "\n")
    parts, others = split(text), split(other) or [""]
    for _ in range(random.choice((0, 1, 1, 2, 3, 8))):
        _change(random, parts, others)
    return joined.join(parts)


def _change(random: Random, parts: list[str], others: list[str]) -> None:
    at, to = (random.randrange(len(parts) + 1) for _ in range(2))
    few = random.choice((1, 1, 1, 2, 5, 30))
    match random.choice(("drop", "double", "swap", "take", "odd")):
        case "drop":
            del parts[at : at + few]
        case "double":
            parts[at:at] = parts[at : at + few] * random.choice((1, 1, 2, 50))
        case "swap":
            parts[at : at + few], parts[to : to + few] = parts[to : to + few], parts[at : at + few]
        case "take":
            start = random.randrange(len(others))
            parts[at : at + random.choice((0, few))] = others[start : start + few]
        case _:
            parts[at : at + 1] = [random.choice(ODD)]
