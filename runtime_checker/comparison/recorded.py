"""A run, read from its JSON. The file is untrusted: any error in it becomes one line."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from ...lint.fields import FieldError, checked, field, finite, loaded, number, numbers, texts

_HINT: Final = "write one by `synclint run --output json=FILE`"


@dataclass(frozen=True, slots=True)
class Line:
    """What a run recorded about a line under one verdict."""

    filename: str
    line: int
    text: str
    verdict: str
    codes: tuple[str, ...]
    operators: tuple[str, ...]
    kinds: tuple[str, ...]
    count: float
    """Waits in each measured step or, in a program without steps, in total."""
    blocked_ms: float | None
    """Likewise; None if the time is not known."""


@dataclass(frozen=True, slots=True)
class Recorded:
    """A run: what it was watched on, its steps and lines, and the timeline that charts are drawn of."""

    name: str
    device: str
    steps: int | None
    waits_per_step: float | None
    blocked_ms_per_step: float | None
    step_ms: float | None
    versions: Mapping[str, str]
    lines: tuple[Line, ...]
    timeline: Mapping[str, Any]


def recorded(path: Path) -> Recorded:
    """Return the run recorded in a file. Raises FieldError."""
    found = loaded(path, "report of a run", _HINT)
    try:
        return _run(str(path), found)
    except FieldError as error:
        raise FieldError(f"{path} is not a report of a run: {error}; {_HINT}") from error


def _run(name: str, found: object) -> Recorded:
    record = checked("the file", found, dict)
    summary = field(record, "summary", dict)
    lines = tuple(_line(checked("a line", each, dict)) for each in field(record, "lines", list))
    return Recorded(
        name=name,
        device=field(record, "device", str),
        steps=None if record.get("steps") is None else field(record, "steps", int),
        waits_per_step=number(summary, "waits_per_step"),
        blocked_ms_per_step=number(summary, "blocked_ms_per_step"),
        step_ms=number(summary, "step_ms"),
        versions={str(key): str(value) for key, value in field(record, "versions", dict).items()},
        lines=lines,
        timeline=_timeline(field(record, "timeline", dict), len(lines)),
    )


def _line(found: dict[str, Any]) -> Line:
    per_step = number(found, "count_per_step")
    return Line(
        filename=field(found, "filename", str),
        line=field(found, "line", int),
        text=field(found, "text", str),
        verdict=field(found, "verdict", str),
        codes=texts(found, "codes"),
        operators=texts(found, "operators"),
        kinds=texts(found, "kinds"),
        count=finite("count", found.get("count")) if per_step is None else per_step,
        blocked_ms=number(found, "blocked_ms_per_step"),
    )


def _timeline(found: dict[str, Any], rows: int) -> Mapping[str, Any]:
    ended, of_row = numbers(found, "ended_ms"), field(found, "rows", list)
    blocked = None if found.get("blocked_ms") is None else numbers(found, "blocked_ms")
    if not all(each is None or (type(each) is int and 0 <= each < rows) for each in of_row):
        raise FieldError("`rows` does not match its lines")
    if len(of_row) != len(ended) or (blocked is not None and len(blocked) != len(ended)):
        raise FieldError("the lists of its `timeline` differ in length")
    return {
        "warmup": field(found, "warmup", int),
        "steps_ended_ms": numbers(found, "steps_ended_ms"),
        "ended_ms": ended,
        "blocked_ms": blocked,
        "rows": of_row,
    }
