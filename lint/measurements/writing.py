"""The one writer of evidence: sorted, a run and a line of the project in each line of the file, so that it merges well.

Processes of one machine that end together write one after the other, each its own run.
"""

from __future__ import annotations

import contextlib
import json
import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Final

from ..home import HOME
from ..store.rewrite import write
from .entries import Entry, Evidence, Run
from .reading import VERSION, read

SCHEMA: Final = f"{HOME}/blob/main/lint/schemas/evidence.json"


def record(path: Path, new: Evidence) -> None:
    """Add runs to a file of evidence, in place of those of the same names. Raises OSError and FieldError."""
    path.parent.mkdir(parents=True, exist_ok=True)
    with _alone(path.parent):
        old = read(path) if os.path.lexists(path) else Evidence({})
        write(path, "\n".join(_lines(old.updated(new))).encode(), path.parent)


def _lines(evidence: Evidence) -> Iterator[str]:
    yield "{"
    yield f' "$schema": {json.dumps(SCHEMA)},'
    yield f' "version": {VERSION},'
    yield ' "runs": {'
    yield from _rows(f"  {json.dumps(name)}: {_dumps(_run(run))}" for name, run in sorted(evidence.runs.items()))
    yield " },"
    yield ' "lines": ['
    yield from _rows(f"  {_dumps(_entry(each))}" for each in sorted(evidence.entries, key=_order))
    yield " ]"
    yield "}\n"


def _order(entry: Entry) -> tuple[object, ...]:
    return (*entry.key, entry.run)


def _rows(lines: Iterator[str]) -> Iterator[str]:
    """Yield lines with a comma after each but the last."""
    before = next(lines, None)
    for line in lines:
        yield f"{before},"
        before = line
    if before is not None:
        yield before


def _run(run: Run) -> dict[str, Any]:
    return {
        "program": run.program,
        "rank": run.rank,
        "device": run.device,
        "date": run.date,
        "steps": run.steps,
        "commit": run.commit,
        "versions": dict(run.versions),
    }


def _entry(entry: Entry) -> dict[str, Any]:
    return {
        "path": entry.key.path,
        "function": entry.key.function,
        "statement": entry.key.statement,
        "nth": entry.key.nth,
        "rule": entry.key.rule,
        "run": entry.run,
        "waits": _short(entry.waits),
        "ms": None if entry.ms is None else _short(entry.ms),
        "count": entry.count,
        "reached": entry.reached,
        "kinds": list(entry.kinds),
        "operators": list(entry.operators),
        "library": list(entry.library),
    }


def _short(value: float) -> float:
    """Return a number with as many digits as runs agree on."""
    return float(f"{value:.4g}")


def _dumps(value: object) -> str:
    return json.dumps(value, ensure_ascii=True)


@contextmanager
def _alone(directory: Path) -> Iterator[None]:
    """Keep other processes that write here from doing so while entered, where the system can."""
    with contextlib.ExitStack() as stack:
        with contextlib.suppress(ImportError, OSError):
            import fcntl

            handle = os.open(directory, os.O_RDONLY)
            stack.callback(os.close, handle)
            fcntl.flock(handle, fcntl.LOCK_EX)
        yield
