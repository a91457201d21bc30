"""What a value is on each of the ways that meet: where only one of them gives a tensor, nothing waits on the others."""

from __future__ import annotations

import ast
from collections.abc import Iterable, Sequence
from typing import NamedTuple

from ....limits import MOST_BRANCHES
from ...notes.recorder import Way
from ...often.regions import Region, RegionKind
from ...values.certainty import can_wait
from ...values.operators import binary
from ...values.union import NONE, OneOf, Value, options_of
from ..state.frame import Frame
from ..state.scope import Names
from .branch_regions import chosen

_TOLD_OF_VALUES = (
    RegionKind.BRANCH, RegionKind.CHOICE, RegionKind.GATE, RegionKind.EVALUATION, RegionKind.NO_GRAD,
    RegionKind.WITH,
)  # fmt: skip
"""Kinds of regions that a value which is used later tells of: what was created once is used again and again."""


class Branches(NamedTuple):
    """The branches of an `if`, the one first that is taken if its condition holds: what names hold after each.

    `regions` are None for a branch that is not there.
    """

    outcomes: Sequence[Names]
    regions: Sequence[Region | None]


def note_ways(frame: Frame, test: ast.expr, branches: Branches, names: Iterable[str], joined: Names) -> None:
    """Record what names are on each way where two branches meet; `frame` holds what was known before."""
    regions: list[Region] = []
    for name in names:
        sides, before = [each[name] for each in branches.outcomes], frame.env.get(name)
        if not _depends_on_way(joined[name], sides):
            continue
        if not _is_bound(sides, before):
            joined[name] = _as_before(frame, joined[name], before)
            continue
        regions = regions or [region or chosen(frame, test, at == 0) for at, region in enumerate(branches.regions)]
        note_met(frame, joined[name], sides, regions)


def note_choice(frame: Frame, test: ast.expr, joined: Value, sides: Sequence[Value]) -> None:
    """Record what the value of an expression is if a condition holds, which comes first, and if it does not."""
    if _depends_on_way(joined, sides):
        note_met(frame, joined, sides, [chosen(frame, test, holds) for holds in (True, False)])


def computed(frame: Frame, operator: str, left: Value, right: Value) -> Value:
    """Return the result of `left operator right`, and record what it is on each way that gives an operand."""
    same, ways_to = frame.recorder.same, frame.recorder.ways_to
    result = same(binary(operator, left, right))
    if isinstance(result, OneOf):
        if ways := ways_to(left):
            frame.recorder.met(result, tuple(Way(same(binary(operator, each, right)), at) for each, at in ways))
        elif ways := ways_to(right):
            frame.recorder.met(result, tuple(Way(same(binary(operator, left, each)), at) for each, at in ways))
    return result


def note_met(frame: Frame, joined: Value, sides: Sequence[Value], regions: Sequence[Region]) -> None:
    """Record which regions, inside the present one, give what a value is where they meet."""
    ways = [way for side, region in zip(sides, regions) for way in _ways(frame, side, region)]
    if not MOST_BRANCHES.is_exceeded(len(ways)) and all(map(_tells, ways)):
        frame.recorder.met(joined, tuple(ways))


def _tells(way: Way) -> bool:
    return bool(way.regions) and all(each.kind in _TOLD_OF_VALUES for each in way.regions)


def _ways(frame: Frame, value: Value, region: Region) -> list[Way]:
    """Return the ways in a branch: those that met in it, or the branch itself."""
    inner = [Way(each.value, _up_to(each.regions[-1], frame.region)) for each in frame.recorder.ways_to(value)]
    is_in_branch = inner and all(region in way.regions for way in inner)
    return inner if is_in_branch else [Way(value, _up_to(region, frame.region))]


def _up_to(region: Region, outer: Region) -> tuple[Region, ...]:
    """Return a region and those around it, the outermost first, as far as they are in another."""
    found: list[Region] = []
    inside: Region | None = region
    while inside is not None and inside is not outer:
        found.append(inside)
        inside = inside.parent
    return tuple(reversed(found))


def _depends_on_way(joined: Value, sides: Sequence[Value]) -> bool:
    """Whether a value may be a tensor on the device on one way, and something else on another."""
    if not isinstance(joined, OneOf) or any(each is joined for each in sides):
        return False
    return any(map(can_wait, joined.options))


def _as_before(frame: Frame, joined: Value, before: Value | None) -> Value:
    """Return what a name is that a condition only told about, which is on each way what it was before."""
    if before is None or not frame.recorder.ways_to(before):
        return joined
    return before if {*options_of(joined)} == {*options_of(before)} else joined


def _is_bound(sides: Iterable[Value], before: Value | None) -> bool:
    """Whether a branch binds a name, rather than tell what it is."""
    known = set() if before is None else {*map(id, options_of(before))}
    return any(id(option) not in known for side in sides for option in options_of(side) if option != NONE)
