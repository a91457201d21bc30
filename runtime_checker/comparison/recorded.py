"""A run as its JSON tells it. The file may come from anywhere: whatever is wrong with it is one line."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final, TypeVar

_Item = TypeVar("_Item")
_MOST: Final = 1e15
"""More milliseconds, and more waits, than any run has."""
_HINT: Final = "write one by `synclint run --output json=FILE`"


class RecordError(Exception):
    """A file that is no report of a run; the message is one line."""


@dataclass(frozen=True, slots=True)
class Line:
    """What a run has told of a line under one verdict."""

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
    """Return the run that a file tells. Raises RecordError."""
    try:
        found = json.loads(path.read_bytes())
    except OSError as error:
        raise RecordError(f"{path}: {error.strerror}") from error
    except (ValueError, RecursionError) as error:
        raise RecordError(f"{path} is no report of a run: it is not JSON; {_HINT}") from error
    try:
        return _run(str(path), found)
    except _WrongError as error:
        raise RecordError(f"{path} is no report of a run: {error}; {_HINT}") from error


class _WrongError(Exception):
    """A part that is missing, or that is not what a run writes."""


def _run(name: str, found: object) -> Recorded:
    record = _checked("the file", found, dict)
    summary = _get(record, "summary", dict)
    lines = tuple(_line(_checked("a line", each, dict)) for each in _get(record, "lines", list))
    return Recorded(
        name=name,
        device=_get(record, "device", str),
        steps=None if record.get("steps") is None else _get(record, "steps", int),
        waits_per_step=_number(summary, "waits_per_step"),
        blocked_ms_per_step=_number(summary, "blocked_ms_per_step"),
        step_ms=_number(summary, "step_ms"),
        versions={str(key): str(value) for key, value in _get(record, "versions", dict).items()},
        lines=lines,
        timeline=_timeline(_get(record, "timeline", dict), len(lines)),
    )


def _line(found: dict[str, Any]) -> Line:
    per_step = _number(found, "count_per_step")
    return Line(
        filename=_get(found, "filename", str),
        line=_get(found, "line", int),
        text=_get(found, "text", str),
        verdict=_get(found, "verdict", str),
        codes=_texts(found, "codes"),
        operators=_texts(found, "operators"),
        kinds=_texts(found, "kinds"),
        count=_finite("count", found.get("count")) if per_step is None else per_step,
        blocked_ms=_number(found, "blocked_ms_per_step"),
    )


def _timeline(found: dict[str, Any], rows: int) -> Mapping[str, Any]:
    ended, of_row = _numbers(found, "ended_ms"), _get(found, "rows", list)
    blocked = None if found.get("blocked_ms") is None else _numbers(found, "blocked_ms")
    if not all(each is None or (type(each) is int and 0 <= each < rows) for each in of_row):
        raise _WrongError("`rows` are not those of its lines")
    if len(of_row) != len(ended) or (blocked is not None and len(blocked) != len(ended)):
        raise _WrongError("the lists of its `timeline` differ in length")
    return {
        "warmup": _get(found, "warmup", int),
        "steps_ended_ms": _numbers(found, "steps_ended_ms"),
        "ended_ms": ended,
        "blocked_ms": blocked,
        "rows": of_row,
    }


def _checked(what: str, found: object, kind: type[_Item]) -> _Item:
    if not isinstance(found, kind) or isinstance(found, bool):
        raise _WrongError(f"{what} is missing or wrong")
    return found


def _get(found: Mapping[str, Any], key: str, kind: type[_Item]) -> _Item:
    return _checked(f"`{key}`", found.get(key), kind)


def _texts(found: Mapping[str, Any], key: str) -> tuple[str, ...]:
    return tuple(_checked(f"`{key}`", each, str) for each in _get(found, key, list))


def _number(found: Mapping[str, Any], key: str) -> float | None:
    return None if found.get(key) is None else _finite(key, found[key])


def _numbers(found: Mapping[str, Any], key: str) -> list[float]:
    return [_finite(key, each) for each in _get(found, key, list)]


def _finite(key: str, found: object) -> float:
    if isinstance(found, bool) or not isinstance(found, (int, float)) or not abs(found) <= _MOST:
        raise _WrongError(f"`{key}` is wrong")
    return found
