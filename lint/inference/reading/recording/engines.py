"""Records what an engine of Ignite calls after its events, by `@engine.on(…)` or `engine.add_event_handler(…)`."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from ....facts import places
from ....facts.engines import EVENT_CLASSES, EVENTS, FILTERS, LISTENING
from ....finding import Level
from ...often.regions import Region, RegionKind
from ...values.union import UNKNOWN, Module
from ..state.frame import Frame
from ..state.scope import path


def note_listeners(frame: Frame, decorators: list[ast.expr], full: str) -> None:
    """Record that engines call the function of this name, as its decorators say."""
    for each in decorators:
        if isinstance(each, ast.Call) and (region := listening(frame, each)) is not None:
            frame.recorder.called(full, (UNKNOWN,), (), region, frame.scope)


def listening(frame: Frame, node: ast.Call) -> Region | None:
    """Return the region in which an engine calls what listens to the event given here; None if no event is."""
    if not isinstance(node.func, ast.Attribute) or node.func.attr not in LISTENING or not node.args:
        return None
    level, name = max(_event(frame, each) for each in _alternatives(node.args[0]))
    if not name:
        return None
    words = f"an engine calls it {'every so often' if level is Level.EVERY_N_STEPS else level.words}: `{name}`"
    reason = frame.because(node, words)
    engine = (path(node.func.value) or "").rpartition(".")[2].strip("_")
    evaluates = f"`{engine}` is named so" if _evaluates(engine) else ""
    match level:
        case Level.ONCE | Level.EVERY_EPOCH if evaluates:
            return Region(RegionKind.EVALUATION, frame.region, reason)
        case Level.ONCE:
            return Region(RegionKind.ONCE, frame.region, reason)
        case Level.EVERY_EPOCH:
            return Region(RegionKind.LOOP, frame.region, reason, around=True)
    step = Region(RegionKind.LOOP, frame.region, stepping=reason, evaluating=evaluates, training=not evaluates)
    return step if level is Level.EVERY_STEP else Region(RegionKind.GATE, step)


def _alternatives(node: ast.expr) -> Iterator[ast.expr]:
    """Yield the events of `A | B`."""
    match node:
        case ast.BinOp(left=left, op=ast.BitOr(), right=right):
            yield from _alternatives(left)
            yield from _alternatives(right)
        case _:
            yield node


def _event(frame: Frame, node: ast.expr) -> tuple[Level, str]:
    """Return how often an event comes, and its name; never if it is no event of an engine."""
    keywords = [each.arg for each in node.keywords] if isinstance(node, ast.Call) else []
    event = node.func if isinstance(node, ast.Call) else node
    if not isinstance(event, ast.Attribute) or event.attr not in EVENTS:
        return Level.NEVER, ""
    value = frame.eval(event)
    if not isinstance(value, Module) or not value.name.startswith(EVENT_CLASSES):
        return Level.NEVER, ""
    levels = [EVENTS[event.attr], *(FILTERS[each] for each in keywords if each in FILTERS)]
    return min(levels), event.attr


def _evaluates(engine: str) -> bool:
    return not places.EVALUATION_PLACES.isdisjoint(engine.split("_"))
