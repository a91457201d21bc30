"""Makes a project that fails smaller, as long as it fails in the same way."""

from __future__ import annotations

import re
import time
from collections.abc import Callable, Iterator, Mapping

Project = dict[str, str]


def kind(problem: str) -> str:
    """What two failures of one cause have in common: names and numbers differ."""
    return re.sub(r"'[^']*'|\d+|0x\w+", "…", problem)[:160]


def minimised(project: Mapping[str, str], judge: Callable[[Project], str], seconds: float) -> Project:
    """The smallest project found in so many seconds that fails as the given one does."""
    smallest, end = dict(project), time.monotonic() + seconds
    wanted = kind(judge(smallest))
    again = True
    while again and time.monotonic() < end:
        again = False
        for smaller in _smaller(smallest):
            if time.monotonic() > end:
                break
            if kind(judge(smaller)) == wanted:
                smallest, again = smaller, True
                break
    return smallest


def _smaller(project: Project) -> Iterator[Project]:
    """The project without a file, then without lines, then without words, large parts first."""
    if len(project) > 1:
        for name in project:
            yield {each: text for each, text in project.items() if each != name}
    for split, join in ((str.splitlines, "\n"), (re.compile(r"\w+|\s+|.").findall, "")):
        for name, text in project.items():
            parts = split(text)
            size = len(parts) // 2
            while size:
                for at in range(0, len(parts), size):
                    yield {**project, name: join.join(parts[:at] + parts[at + size :])}
                size //= 2 if len(parts) < 400 else 4
