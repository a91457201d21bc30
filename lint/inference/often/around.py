"""How often a place in a function runs per call of another that calls it."""

from __future__ import annotations

from dataclasses import replace

from ...finding import Level
from .conditions import all_of
from .local import Local
from .tracing import reached


def around(outer: Local, inner: Local) -> Local:
    """Return how often a place runs that is `inner` in a function which is called at `outer`."""
    level, repeats = inner.level, inner.repeats
    if level is None:
        repeats = repeats or outer.repeats
        is_pass = outer.level is Level.EVERY_STEP and inner.repeats and not inner.parts
        level = Level.EVERY_PASS if is_pass else outer.level
    caps = [each for each in (outer.cap, inner.cap) if each is not None]
    return replace(
        outer,
        level=level,
        repeats=repeats,
        cap=min(caps, default=None),
        reasons=(*outer.reasons, *inner.reasons),
        contexts=(*inner.contexts, *outer.contexts),
        off=(*inner.off, *outer.off),
        conditions=all_of(inner.conditions, outer.conditions),
        uses=outer.uses or inner.uses,
        either=outer.either or inner.either,
        calls=(*inner.calls, *outer.calls),
        parts=repeats and not any(each.repeats and not each.parts for each in (outer, inner)),
        gives=outer.gives or inner.gives,
        gate=inner.gate or outer.gate,
        captured=inner.captured or reached(outer.captured, inner.conditions),
        compiled=inner.compiled or reached(outer.compiled, inner.conditions),
        loop=outer.loop if inner.level is None and outer.loop is not None else inner.loop,
    )
