"""The one reader of evidence: whatever is wrong with a file, which may come from anywhere, is one line."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from datetime import date
from pathlib import Path
from typing import Any, Final

from ..fields import FieldError, checked, field, finite, loaded, number, text_or_none, texts
from .entries import Entry, Evidence, Key, Run

VERSION: Final = 1
_WHAT: Final = "file of evidence"
_HINT: Final = "record one by `synclint run --record FILE`"


def evidence(paths: Iterable[str | Path]) -> Evidence:
    """Return what files of evidence tell together. Raises FieldError."""
    found = Evidence({})
    for path in paths:
        found = found.updated(read(Path(path)))
    return found


def read(path: Path) -> Evidence:
    """Return what a file of evidence tells. Raises FieldError."""
    found = loaded(path, _WHAT, _HINT)
    try:
        record = checked("the file", found, dict)
        if record.get("version") != VERSION:
            raise FieldError(f"its `version` is not {VERSION}")
        runs = {str(name): _run(checked("a run", each, dict)) for name, each in field(record, "runs", dict).items()}
        entries = [_entry(checked("a line", each, dict), runs) for each in field(record, "lines", list)]
        return Evidence({run.name: run for run in runs.values()}, tuple(entries))
    except FieldError as error:
        raise FieldError(f"{path} is not a {_WHAT}: {error}; {_HINT}") from error


def _run(found: Mapping[str, Any]) -> Run:
    day = field(found, "date", str)
    try:
        date.fromisoformat(day)
    except ValueError as error:
        raise FieldError("`date` is wrong") from error
    return Run(
        program=field(found, "program", str),
        device=field(found, "device", str),
        date=day,
        steps=_count(found, "steps"),
        rank=None if found.get("rank") is None else _count(found, "rank"),
        commit=text_or_none(found, "commit"),
        versions=tuple(sorted((str(key), str(text)) for key, text in field(found, "versions", dict).items())),
    )


def _entry(found: Mapping[str, Any], runs: Mapping[str, Run]) -> Entry:
    run = runs.get(field(found, "run", str))
    if run is None:
        raise FieldError(f"`run` is none of its runs: {found['run']}")
    nth = max(_count(found, "nth"), 1) if "nth" in found else 1
    path, function, statement, rule = (field(found, name, str) for name in ("path", "function", "statement", "rule"))
    return Entry(
        key=Key(path, function, statement, rule, nth),
        run=run.name,
        waits=_positive(finite("waits", found.get("waits"))),
        ms=None if (ms := number(found, "ms")) is None else _positive(ms),
        count=_count(found, "count"),
        reached=_count(found, "reached"),
        kinds=texts(found, "kinds"),
        operators=texts(found, "operators"),
        library=texts(found, "library"),
    )


def _count(found: Mapping[str, Any], key: str) -> int:
    return int(_positive(finite(key, field(found, key, int))))


def _positive(value: float) -> float:
    if value < 0:
        raise FieldError(f"{value} is less than nothing")
    return value
