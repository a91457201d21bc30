"""What a run keeps as evidence, for `check` to read: what waited where, and what ran often without a wait."""

from __future__ import annotations

import os
from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timezone

from ...lint.adoption.git_program import GitError, git
from ...lint.files.paths import relative
from ...lint.files.source import Source
from ...lint.finding import Finding
from ...lint.measurements.entries import UNREPORTED, Entry, Evidence, Key, Run, keys
from ...lint.measurements.statements import Statement, at, statements
from ..observe import Wait
from .lines import Ran, Region, real
from .report import Report
from .verdicts import Row


@dataclass(frozen=True, slots=True)
class Recorded:
    """A finished run: the project's directory, the program, all findings, what ran, and the sources of files."""

    top: str
    program: str
    report: Report
    findings: Sequence[Finding]
    ran: Mapping[str, Ran]
    source_of: Callable[[str], Source | None]


def evidence_of(recorded: Recorded) -> Evidence:
    """Return the evidence of a run."""
    report = recorded.report
    rank = os.environ.get("RANK", "")
    run = Run(
        program=path_of(recorded.program, recorded.top) or os.path.basename(recorded.program),
        device=report.device,
        date=datetime.now(timezone.utc).date().isoformat(),
        steps=report.window.ledger.steps or 0,
        rank=int(rank) if rank.isdigit() and os.environ.get("WORLD_SIZE", "1") != "1" else None,
        commit=_commit(recorded.top),
        versions=tuple(sorted(report.versions.items())),
    )
    found: dict[Key, list[tuple[Row, int]]] = defaultdict(list)
    for key, row, reached in _lines(recorded):
        found[key].append((row, reached))
    return Evidence({run.name: run}, tuple(_entry(key, run, seen) for key, seen in found.items()))


def path_of(filename: str, top: str) -> str | None:
    """Return the path of a file within the project; None for one outside of it, of which nothing is kept."""
    path = relative(filename, top)
    return None if path.startswith("../") or os.path.isabs(path) else path


def _commit(top: str) -> str | None:
    """Return the commit that is checked out, if git knows one."""
    try:
        return git(top, "rev-parse", "--verify", "HEAD").decode("ascii").strip()
    except (GitError, UnicodeDecodeError):
        return None


def _lines(recorded: Recorded) -> Iterator[tuple[Key, Row, int]]:
    """Yield each line that waited, or ran without a wait, with how often it ran."""
    paths = {each.span.filename: path_of(each.span.filename, recorded.top) for each in recorded.findings}
    known = keys(recorded.findings, {name: path for name, path in paths.items() if path is not None})
    key_of = {id(each): key for each, key in zip(recorded.findings, known)}
    in_file: dict[str, list[Statement]] = {}
    for row in recorded.report.judgement.rows:
        for finding in row.findings if row.verdict in ("confirmed", "refuted") else ():
            ran = recorded.ran.get(real(finding.span.filename))
            reached = ran.times(Region.of(finding.span)) if ran else 0
            key = key_of[id(finding)]
            if key is not None and (row.waits or reached):
                yield key, row, reached
        if row.verdict == "missed" and (key := _unreported(row, recorded, in_file)):
            yield key, row, 0


def _unreported(row: Row, recorded: Recorded, in_file: dict[str, list[Statement]]) -> Key | None:
    """Return what identifies the statement of a line that nothing reports."""
    path = path_of(row.filename, recorded.top)
    if path is None:
        return None
    if row.filename not in in_file:
        source = recorded.source_of(row.filename)
        in_file[row.filename] = statements(source) if source else []
    found = at(in_file[row.filename], row.line)
    return Key(path, found.function, found.text, UNREPORTED, found.nth) if found else None


def _entry(key: Key, run: Run, seen: Sequence[tuple[Row, int]]) -> Entry:
    rows = [row for row, _ in seen]
    waits = [wait for row in rows for wait in row.waits]
    timed = [row.seconds_per_step for row in rows if row.seconds_per_step is not None]
    total = [wait.seconds for wait in waits if wait.seconds is not None]
    seconds = timed if run.steps else total
    return Entry(
        key=key,
        run=run.name,
        waits=sum(row.count_per_step or 0.0 for row in rows) if run.steps else float(len(waits)),
        ms=sum(seconds) * 1000 if seconds else None,
        count=len(waits),
        reached=max(reached for _, reached in seen),
        kinds=tuple(sorted({wait.kind for wait in waits})),
        operators=tuple(sorted({wait.operator for wait in waits})),
        library=tuple(sorted({place for wait in waits if (place := library(wait))})),
    )


def library(wait: Wait) -> str:
    """Return where in an installed library a wait happened, by the path that imports see; empty if it did not."""
    if wait.library is None:
        return ""
    name, row = wait.library
    _, packages, path = name.replace("\\", "/").rpartition("-packages/")
    return f"{path}:{row}" if packages else ""
