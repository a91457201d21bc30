"""What a CUDA graph captures, and what `torch.compile` compiles, by the regions around a place."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from typing import Final

from ...finding import Level
from .conditions import all_of
from .local import OUTSIDE, Local, Traced
from .regions import Region, RegionKind

_BEFORE: Final = (RegionKind.UNCAPTURED, RegionKind.ONCE, RegionKind.KEPT, RegionKind.FAILURE, RegionKind.WORKER)
"""What has run before a graph is captured, as warm-up does all that runs once, or ends the capture anyway."""
_NOW_AND_THEN: Final = (RegionKind.GATE, RegionKind.EVALUATION)
_SELDOM: Final = (Level.EVERY_N_STEPS, Level.EVALUATION)


def traced(region: Region, found: Local, outer: Local) -> Local:
    """Return the local frequency of a place in a region, with whether it is captured or compiled there."""
    captured, compiled = outer.captured, outer.compiled
    if region.kind is RegionKind.CAPTURED:
        captured = _begun(region)
    elif region.kind in _BEFORE:
        captured = OUTSIDE
    else:
        captured = _in(region, captured)
    if region.kind is RegionKind.COMPILED:
        compiled = _begun(region)
    elif region.kind is RegionKind.UNCOMPILED:
        compiled = OUTSIDE
    else:
        compiled = _in(region, compiled)
    if captured is found.captured and compiled is found.compiled:
        return found
    return replace(found, captured=captured, compiled=compiled)


def _begun(region: Region) -> Traced:
    return Traced(() if region.reason is None else (region.reason,), options=region.options)


def _in(region: Region, around: Traced | None) -> Traced | None:
    """Return how a region is traced that is in one which is."""
    if around is None or around.outside:
        return around
    conditions = region.conditions() if region.conditions is not None else ()
    if not conditions and region.kind in _NOW_AND_THEN and region.reason is not None:
        conditions = (region.reason.message,)
    return reached(around, conditions)


def asked(local: Local) -> tuple[str, ...]:
    """Return the conditions of a place in a function; of one that runs now and then at least that."""
    if local.conditions or local.cap not in _SELDOM or not local.reasons:
        return local.conditions
    return (local.gate or local.reasons[-1].message,)


def reached(around: Traced | None, conditions: tuple[str, ...]) -> Traced | None:
    """Return how code is traced that only runs under more conditions."""
    if around is None or around.outside or not conditions:
        return around
    return replace(around, conditions=all_of(conditions, around.conditions))


def less(one: Traced | None, other: Traced) -> Traced:
    """Return of two ways by which code is traced the one that asks less."""
    return other if one is None or len(other.conditions) < len(one.conditions) else one


def options_of(given: Iterable[tuple[str, object]]) -> tuple[str, ...]:
    """Return the options that decide what `torch.compile` makes of a wait, by its arguments that are constants."""
    return ("fullgraph",) if dict(given).get("fullgraph") is True else ()
