"""What a line waits for inside of libraries, by place: how often, what `check` says there, which setting helps.

A training framework ends in one line of the program, and all of its waits are on that line.
"""

from __future__ import annotations

import contextlib
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final, TypeAlias

from ...lint.facts.library_settings import setting_of
from ...lint.output.text import escape
from ...lint.run.engine import run as check_files
from ...lint.run.file import File
from ...lint.settings.config import Settings
from ...lint.settings.selection import chosen_rules
from ..observe import Wait
from .steps import Window
from .verdicts import Row

MOST_PLACES: Final = 10
"""The number of places inside libraries that are shown for a line."""
MOST_READ: Final = 5
"""The number of files of libraries that are checked for a report, those with most waits."""
Said: TypeAlias = Mapping[tuple[str, int], tuple[str, ...]]
"""The rules that report lines of libraries."""


@dataclass(frozen=True, slots=True)
class Place:
    """The waits of a row in one place; `often` is per measured step or, without steps, in total."""

    library: tuple[str, int] | None
    operator: str
    kind: str
    often: float
    codes: tuple[str, ...] = ()
    setting: str = ""

    def words(self, unit: str) -> str:
        """Return a line for people."""
        said = f", which {' '.join(self.codes)} reports there" if self.codes else ""
        where = escape(name_of(self.library) or "the line itself")
        text = f"{self.often:.4g} {unit}: {escape(self.operator)} ({self.kind}) in {where}{said}"
        return f"{text}; {self.setting}" if self.setting else text

    @property
    def record(self) -> dict[str, Any]:
        """Return the place for machines."""
        name, _, row = name_of(self.library).rpartition(":")
        return {
            "filename": name or None,
            "line": int(row) if row else None,
            "operator": self.operator,
            "kind": self.kind,
            "often": self.often,
            "codes": list(self.codes),
            "setting": self.setting or None,
        }


def places(row: Row, window: Window, said: Said) -> list[Place]:
    """Return where a row waits, the most frequent first; nothing of a row that waits only in its own line."""
    measured = {id(wait) for wait in window.ledger.waits}
    waits = [wait for wait in row.waits if id(wait) in measured] or row.waits
    if not any(wait.library for wait in waits):
        return []
    groups: dict[tuple[tuple[str, int] | None, str, str], list[Wait]] = defaultdict(list)
    for wait in waits:
        groups[wait.library, wait.operator, wait.kind].append(wait)
    steps = window.ledger.steps or 1
    found = [
        Place(library, operator, kind, len(group) / steps, said.get(library or ("", 0), ()), setting_of(group[0].stack))
        for (library, operator, kind), group in groups.items()
    ]
    return sorted(found, key=lambda each: (-each.often, name_of(each.library), each.operator))


def lines(row: Row, window: Window, said: Said) -> Iterator[str]:
    """Yield a line for each place, if there are several, or if more is known of the only one."""
    found = places(row, window, said)
    unit = "per step" if window.ledger.steps else "in total"
    if len({each.library for each in found}) > 1 or any(each.codes or each.setting for each in found):
        yield from (each.words(unit) for each in found[:MOST_PLACES])
        if len(found) > MOST_PLACES:
            yield f"and {len(found) - MOST_PLACES} more"


def name_of(place: tuple[str, int] | None) -> str:
    """Return a line of a library as imports see it."""
    return f"{short(place[0])}:{place[1]}" if place else ""


def short(filename: str) -> str:
    """Return the path of a library's file below the directory that libraries are installed in."""
    return filename.replace("\\", "/").rpartition("-packages/")[2]


def said_of(waits: Sequence[Wait]) -> Said:
    """Return the rules that report lines of the libraries' files where most waits are; none if the linter fails."""
    counts = Counter(wait.library[0] for wait in waits if wait.library and "-packages" in wait.library[0])
    files = [File(name, named=True) for name, _ in counts.most_common(MOST_READ)]
    found: dict[tuple[str, int], tuple[str, ...]] = {}
    with contextlib.suppress(Exception):
        for each in check_files(files, Settings(), chosen_rules([]), jobs=1).findings if files else ():
            for row in range(each.span.row, each.span.end_row + 1):
                known = found.get((each.span.filename, row), ())
                found[each.span.filename, row] = tuple(dict.fromkeys((*known, each.code)))
    return found
