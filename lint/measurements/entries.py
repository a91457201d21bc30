"""The data of evidence: runs, and what each has seen of the lines of a project.

A line is told by its file, function and statement, so that evidence outlives edits elsewhere. There are no values, no
absolute paths and no names of machines in it.
"""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Iterable, Mapping
from typing import NamedTuple

from ..files.statement import shortened
from ..finding import Finding, squeezed
from ..measured import Measured
from ..plain import dataclass

UNREPORTED = ""
"""The rule of what waited and no rule reported."""


@dataclass(frozen=True, slots=True)
class Run:
    """A recorded run of a program on a device; each rank of several processes is one of its own."""

    program: str
    device: str
    date: str
    steps: int
    rank: int | None = None
    commit: str | None = None
    versions: tuple[tuple[str, str], ...] = ()

    @property
    def name(self) -> str:
        """What tells the run from others: a later one of the same name takes its place."""
        rank = "" if self.rank is None else f", rank {self.rank}"
        return f"{self.program} on {self.device}{rank}"


class Key(NamedTuple):
    """A line: of equal statements in a function it is the `nth`; `rule` is empty if none reported it."""

    path: str
    function: str
    statement: str
    rule: str
    nth: int


@dataclass(frozen=True, slots=True)
class Entry:
    """What a run has seen of a line; `waits` and `ms` are per step or, without steps, in total."""

    key: Key
    run: str
    waits: float
    ms: float | None
    count: int
    reached: int = 0
    kinds: tuple[str, ...] = ()
    operators: tuple[str, ...] = ()
    library: tuple[str, ...] = ()

    def seen(self, run: Run) -> Measured:
        """Return the entry as findings carry it."""
        return Measured(run.device, run.date, run.steps, self.waits, self.ms, self.count, self.reached)


@dataclass(frozen=True, slots=True)
class Evidence:
    """What is known from runs, which go by their names."""

    runs: Mapping[str, Run]
    entries: tuple[Entry, ...] = ()

    def updated(self, newer: Evidence) -> Evidence:
        """Return both, where runs of the newer one take the place of those of the same name."""
        kept = (each for each in self.entries if each.run not in newer.runs)
        return Evidence({**self.runs, **newer.runs}, (*kept, *newer.entries))


def keys(findings: Iterable[Finding], path_of: Mapping[str, str]) -> list[Key | None]:
    """Return what identifies the line of each finding; None for one in a file of no path.

    Findings of a rule in one row are one line; equal statements in later rows are others.
    """
    rows: dict[tuple[str, ...], dict[int, int]] = {}
    found: list[Key | None] = []
    for each in findings:
        path = path_of.get(each.span.filename)
        if path is None:
            found.append(None)
            continue
        parts = (path, function_of(each.scope, each.span.filename), shortened(each.statement), each.code)
        seen = rows.setdefault((*parts[:2], squeezed(parts[2]), parts[3]), {})
        found.append(Key(*parts, seen.setdefault(each.span.row, len(seen) + 1)))
    return found


def numbered(parts: Iterable[tuple[str, str]]) -> list[tuple[str, str, int]]:
    """Return the functions and statements of a file with the number of each among its equals."""
    counts: Counter[tuple[str, str]] = Counter()
    found = []
    for function, statement in parts:
        counts[function, squeezed(statement)] += 1
        found.append((function, statement, counts[function, squeezed(statement)]))
    return found


def function_of(scope: str, filename: str) -> str:
    """Return the name of a function in its file: the module's, which depends on where a run looks, is left out."""
    parts = os.path.splitext(os.path.abspath(filename))[0].split(os.sep)
    if parts[-1] == "__init__":
        parts.pop()
    for first in range(len(parts)):
        module = ".".join(parts[first:])
        if scope == module:
            return ""
        if scope.startswith(f"{module}."):
            return scope[len(module) + 1 :]
    return scope
