"""An earlier trace as the limit for this one: the lines that block longer now.

Lines move, so waits are told apart by file, function and operator. Times are those of a step where both traces mark
their steps, and of the whole trace otherwise.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final, TypeAlias

from ...lint.fields import FieldError, checked, field, loaded, number, text_or_none
from .joining import Match

Key: TypeAlias = tuple[str, str, str]
_HINT: Final = "write one by `synclint trace --output-format json`"


@dataclass(frozen=True, slots=True)
class Spent:
    """For how long the host was blocked, in milliseconds: in all steps, or in a whole trace; by place."""

    blocked: Mapping[Key, float]
    steps: int

    def per(self, key: Key, in_steps: bool) -> float:
        """Return the time of a place, in a step if so asked."""
        return self.blocked.get(key, 0.0) / (self.steps if in_steps else 1)


@dataclass(frozen=True, slots=True)
class Slower:
    """A line that blocks longer than before; `before` and `now` are milliseconds."""

    match: Match
    before: float
    now: float


def baseline(path: Path) -> Spent:
    """Return the times that a report of `synclint trace` tells. Raises FieldError."""
    found = loaded(path, "report of traces", _HINT)
    blocked: defaultdict[Key, float] = defaultdict(float)
    steps = []
    try:
        for trace in checked("the file", found, list):
            record = checked("a trace", trace, dict)
            steps.append(None if record.get("steps") is None else field(record, "steps", int))
            for line in field(record, "lines", list):
                blocked[_key_of(checked("a line", line, dict))] += number(line, "blocked_ms") or 0.0
    except FieldError as error:
        raise FieldError(f"{path} is not a report of traces: {error}; {_HINT}") from error
    return Spent(blocked, _total(steps))


def _key_of(line: dict[str, Any]) -> Key:
    return field(line, "filename", str), field(line, "function", str), text_or_none(line, "operator") or ""


def _total(steps: Iterable[int | None]) -> int:
    """Return the number of steps of several traces, or none if one of them marks no steps."""
    each = tuple(steps)
    return sum(filter(None, each)) if all(each) else 0


def spent(matches: Sequence[Match], steps: Iterable[int]) -> Spent:
    """Return the times of the traces at hand."""
    blocked: defaultdict[Key, float] = defaultdict(float)
    for match in matches:
        blocked[_key(match)] += match.seconds * 1000
    return Spent(blocked, _total(steps))


def _key(match: Match) -> Key:
    return match.filename, match.function, match.operator


def slower(matches: Sequence[Match], before: Spent, now: Spent, share: float, at_least: float) -> Iterator[Slower]:
    """Yield the lines that block longer than before, by more than that share of it and by at least so many ms."""
    in_steps = bool(before.steps and now.steps)
    found: dict[Key, Match] = {}
    for match in matches:
        found.setdefault(_key(match), match)
    for key, match in found.items():
        old, new = before.per(key, in_steps), now.per(key, in_steps)
        if new > old * (1 + share) and new - old >= at_least:
            yield Slower(match, old, new)
