"""What a trace of a real run gives as evidence, for `check` to read: the waits whose line is certain."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from datetime import datetime, timezone
from functools import cache
from pathlib import Path

from ...lint.files.paths import relative
from ...lint.files.source import Source, read
from ...lint.measurements.entries import UNREPORTED, Entry, Evidence, Key, Run, keys
from ...lint.measurements.statements import Statement, at, statements
from .joining import Joined, Match
from .project import Project
from .reading import device_of
from .waits import Trace

_SURE = ("exact", "certain", "by order")


def evidence_of(path: Path, trace: Trace, joined: Joined, project: Project) -> Evidence:
    """Return the evidence of a trace: what waited on lines of the project that are certain."""
    day = datetime.fromtimestamp(path.stat().st_mtime, timezone.utc).date().isoformat()
    run = Run(path.name, device_of(path) or "a GPU", day, trace.steps)
    found: dict[Key, list[Match]] = defaultdict(list)
    for key, match in _lines(joined, project):
        found[key].append(match)
    return Evidence({run.name: run}, tuple(_entry(key, run, matches) for key, matches in found.items()))


def _lines(joined: Joined, project: Project) -> Iterator[tuple[Key, Match]]:
    paths = {name: relative(name, project.top) for name in project.files}
    known = keys(project.findings, paths)
    key_of = {id(each): key for each, key in zip(project.findings, known)}
    for match in joined.matches:
        if not match.waits or len(match.rows) != 1 or match.certainty not in _SURE:
            continue
        for key in {key_of[id(each)] for each in match.findings}:
            if key is not None:
                yield key, match
        statement = None if match.findings else at(_statements(match.filename), match.rows[0])
        if statement is not None:
            place = (paths[match.filename], statement.function, statement.text)
            yield Key(*place, UNREPORTED, statement.nth), match


@cache
def _statements(filename: str) -> list[Statement]:
    source = read(filename, filename, wanted=True)
    return statements(source) if isinstance(source, Source) else []


def _entry(key: Key, run: Run, matches: list[Match]) -> Entry:
    steps = run.steps or 1
    count = sum(len(match.waits) for match in matches)
    operators = tuple(sorted({match.operator for match in matches if match.operator}))
    seconds = sum(match.seconds for match in matches)
    return Entry(key, run.name, count / steps, seconds * 1000 / steps, count, operators=operators)
