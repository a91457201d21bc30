"""How often a place runs per call of its function, by the regions around it, once the function was read to its end.

Linking combines it with how often the function runs.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from typing import Final

from ...finding import Level, Reason
from ...limits import MOST_CALLS, MOST_NEEDS
from .caps import failure_only, lower
from .conditions import all_of
from .local import PER_CALL, Local
from .regions import USES, WITHOUT_GRADIENTS, Region, RegionKind
from .tracing import traced

_SELDOM: Final = (Level.EVALUATION, Level.EVERY_N_STEPS)
"""How often a hook is registered that is there to look at some steps."""

_CAPS: Final = {
    RegionKind.GATE: Level.EVERY_N_STEPS,
    RegionKind.ONCE: Level.ONCE,
    RegionKind.EVALUATION: Level.EVALUATION,
    RegionKind.FAILURE: Level.FAILURE,
}
"""How often what is in a region runs at most."""

_BETWEEN: Final = (
    RegionKind.BRANCH, RegionKind.CHOICE, RegionKind.GATE, RegionKind.NO_GRAD, RegionKind.WITH,
)  # fmt: skip
"""What may be between a loop and what only one of its passes runs: none of it repeats anything."""


def local_of(region: Region) -> Local:
    """Return the local frequency of a region, to be called once the function has been read to its end."""
    if region.local is None:
        region.local = PER_CALL if region.parent is None else _within(region, local_of(region.parent))
    return region.local


def as_if_within(regions: Iterable[Region], outer: Local) -> Local:
    """Return the local frequency of a place as if it stood in regions, too, the outermost first."""
    for region in regions:
        outer = _within(region, outer)
    return outer


def _within(region: Region, outer: Local) -> Local:
    found = _in(region, outer)
    found = traced(region, found, outer)
    if region.yielding:
        item = Local(contexts=outer.contexts, conditions=outer.conditions, needs=outer.needs)
        return found if found.level is not None else replace(found, item=item)
    return found if outer.item is None else replace(found, item=_per_item(region, outer.item))


def _per_item(region: Region, outer: Local) -> Local:
    found = _in(region, outer)
    if region.kind is RegionKind.GATE and region.counts is not None and region.counts.yielding:
        return replace(found, cap=lower(found.cap, Level.EVERY_N_STEPS))  # who goes through the items takes steps
    return found


def _in(region: Region, outer: Local) -> Local:
    reasons = _with(outer, region)
    conditions = region.conditions() if region.conditions is not None else ()
    gate = region.lets_through() if region.lets_through is not None else ""
    is_step = gate and region.has_all_steps()
    conditions = (gate, *conditions) if is_step else () if region.accumulates() else conditions
    if conditions or region.needs:
        needs = (*region.needs, *outer.needs)[:MOST_NEEDS]
        outer = replace(outer, conditions=all_of(conditions, outer.conditions), needs=needs)
    match region.kind:
        case RegionKind.GATE if is_step or region.accumulates():
            return outer if is_step else replace(outer, reasons=(*outer.reasons, _only_there(region)))
        case RegionKind.GATE | RegionKind.CHOICE | RegionKind.BRANCH if region.counts is not None and not (
            region.counts.stepping or region.counts.around
        ):
            return _once_in(region.counts, region, outer)
        case kind if (cap := _CAPS.get(kind)) is not None:
            gate, every = (gate, region.every) if outer.cap is None else ("", None)
            return replace(outer, cap=lower(outer.cap, cap), reasons=reasons, gate=gate, every=every)
        case RegionKind.KEPT:
            return replace(outer, level=Level.ONCE, reasons=reasons)
        case RegionKind.WORKER:
            return replace(outer, cap=Level.NEVER, reasons=reasons)
        case RegionKind.HOOK_FOR_NOW if not region.function().looping:
            level = None if outer.level is Level.EVERY_EPOCH else outer.level
            return replace(outer, level=level, repeats=True, uses=True, reasons=reasons)
        case RegionKind.HOOK | RegionKind.HOOK_FOR_NOW:
            cap = outer.cap if outer.cap in _SELDOM else failure_only(outer.cap)
            return replace(
                outer, level=Level.EVERY_STEP, repeats=False, cap=cap, reasons=_with(Local(), region), loop=None
            )
        case RegionKind.LOOP:
            return _in_loop(region, outer)
        case RegionKind.WITH:
            return replace(outer, contexts=(*outer.contexts, region.context))
        case _:
            return outer


def _in_loop(region: Region, outer: Local) -> Local:
    found = replace(_of_loop(region, outer), contexts=outer.contexts)
    uses = found.uses or (found.level is None and (outer.uses or (region.using and not region.training)))
    gives = outer.gives or region.giving
    found = replace(found, uses=uses, gives=gives, either=region.either, needs=outer.needs)
    is_inside = outer.level is not None and outer.level >= Level.EVERY_STEP
    found = replace(found, loop=outer.loop if is_inside else _seen(region))
    is_gated = outer.gate and found.level is Level.EVERY_STEP and found.cap is None  # steps, in some of those around it
    return replace(found, conditions=all_of((outer.gate,) if is_gated else (), outer.conditions))


def _seen(loop: Region) -> Reason | None:
    """Return a loop's place, with what makes it one over steps if that is seen in it."""
    told = loop.stepping or loop.decoding or loop.reason
    return told if told is None or loop.reason is None else Reason(told.message, loop.reason.span)


def _only_there(gate: Region) -> Reason:
    """Return that a gate is the step: gradients add up outside of it."""
    return Reason("gradients add up until here, where the optimizer steps", gate.reason.span if gate.reason else None)


def _once_in(loop: Region, region: Region, outer: Local) -> Local:
    """Return the frequency of code that some passes of a plain loop run: that of the loop itself, if none is between.

    A loop that calls a model is one over steps: what runs in one of them still runs for each generation.
    """
    inside = region.parent
    while inside is not None and inside is not loop and inside.kind in _BETWEEN:
        inside = inside.parent if inside.counts is None else inside.counts.parent
    if inside is not loop or loop.decoding is not None or loop.parent is None:
        return outer
    around = local_of(loop.parent)
    return replace(outer, level=around.level, repeats=around.repeats, parts=around.parts)


def _of_loop(region: Region, outer: Local) -> Local:
    if region.single:
        return replace(outer, reasons=_with(outer, region))
    if outer.level is Level.ONCE:
        return Local(Level.ONCE, True, failure_only(outer.cap), _with(outer, region))
    if region.stepping is not None:
        return _of_steps(region.stepping, False, outer, _evaluates(region))
    if outer.level is Level.EVERY_STEP or outer.level is Level.EVERY_PASS:
        level = outer.level if region.parts else Level.EVERY_PASS
        return Local(level, True, outer.cap, _with(outer, region))
    if outer.level is Level.EVALUATION:
        return Local(outer.level, True, outer.cap, _with(outer, region), uses=outer.uses)
    if region.decoding is not None and not region.around:
        is_told = region.evaluating and region.evaluating not in USES
        evaluates = "" if region.again and not is_told else _evaluates(region)
        found = _of_steps(region.decoding, True, outer, evaluates)
        is_aside = outer.cap is Level.EVERY_N_STEPS and not region.training and _trains(region.outermost_loop())
        return replace(found, cap=outer.cap) if is_aside else found
    if region.around and outer.level is None:
        return Local(Level.EVERY_EPOCH, outer.repeats, outer.cap, _with(outer, region))
    parts = region.parts and (outer.parts or not outer.repeats)
    found = Local(outer.level, True, outer.cap, _with(outer, region), parts=parts)
    if outer.level is not None:
        return found
    calls = (*outer.calls, *dict.fromkeys(region.calls))[:MOST_CALLS]
    return replace(found, calls=calls)


def _trains(loop: Region) -> bool:
    return loop.training or loop.looping


def _of_steps(reason: Reason, repeats: bool, outer: Local, evaluates: str) -> Local:
    """Return the frequency of a loop over steps, which are those of evaluation if there are words that say why."""
    level = Level.EVALUATION if evaluates else Level.EVERY_STEP
    told = evaluates and evaluates not in reason.message
    reasons = (reason, Reason(f"taken for evaluation: {evaluates}")) if told else (reason,)
    return Local(level, repeats, failure_only(outer.cap), reasons, uses=evaluates in USES)


def _evaluates(region: Region) -> str:
    """Return why a loop that has no backward pass is one of evaluation; empty if nothing tells."""
    if region.training:
        return ""
    if region.evaluating or region.is_in(RegionKind.NO_GRAD) or (region.inferring and not region.models):
        return region.evaluating or WITHOUT_GRADIENTS
    outer = region.outermost_loop()
    is_apart = not region.around and not outer.looping and (outer is region or not outer.counting)
    return "another loop of the function trains" if is_apart and region.function().looping else ""


def _with(outer: Local, region: Region) -> tuple[Reason, ...]:
    return outer.reasons if region.reason is None else (*outer.reasons, region.reason)
