"""The routes by which programs reach a function: of several calls those are kept that no other makes needless.

A call that runs every step makes needless one that does so only under a condition, and never the other way round; one
that runs in each pass of a loop, under a condition, stays beside it. Of two routes that ask the opposite of each other,
and else the same, a third follows that asks neither.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace

from ....finding import Frequency, Level
from ....limits import MOST_RESOLVED, MOST_ROUTES
from ...often.conditions import all_of, denied_by, shared


def through(found: Frequency, how: Callable[[Frequency], Frequency]) -> Frequency:
    """Return what becomes of a frequency, by what becomes of each of its routes."""
    return together([how(each) for each in found.routes]) if found.others else how(found)


def is_hot(found: Frequency) -> bool:
    """Whether this is every step, or more often."""
    return found.level >= Level.EVERY_STEP


def is_seen(route: Frequency) -> bool:
    """Whether this is every step of a loop that was seen, or more often."""
    return is_hot(route) and _strength(route) == (False, False)


def together(found: Sequence[Frequency]) -> Frequency:
    """Return the routes of several calls that run every step, the one that asks least first; else the loudest call."""
    routes = [route for each in found for route in each.routes]
    kept = _needed(list(filter(is_hot, routes)))
    if not kept:
        return max(routes, key=lambda each: (each.level is not Level.UNCALLED, each.level, not each.assumed))
    first = min(kept, key=_asked)
    return replace(first, others=tuple(each for each in kept if each is not first))


def told(found: Frequency) -> Frequency:
    """Return a frequency with the conditions that a report names: those that all routes ask which run as often."""
    if not found.others:
        return found
    alike = [each for each in found.routes if _strength(each) == _strength(found) and each.level >= found.level]
    return replace(found, conditions=shared([each.conditions for each in alike]))


def _strength(route: Frequency) -> tuple[bool, bool]:
    """Return what orders routes by how much was seen: the loop, the function that runs in a step, or neither."""
    return route.assumed, bool(route.per)


def _asked(route: Frequency) -> tuple[object, ...]:
    """Return what orders routes: those seen best, those that ask least, and those that run most often first."""
    conditions = route.conditions
    return (
        *_strength(route),
        bool(route.off_by_default),
        len(conditions),
        -route.level,
        sum(map(len, conditions)),
        conditions,
    )


def _needed(routes: Sequence[Frequency]) -> list[Frequency]:
    """Return the routes that no other makes needless, with what follows of two, at most so many."""
    kept: list[Frequency] = []
    todo, left = [*routes], MOST_RESOLVED
    while todo:
        route = todo.pop(0)
        if any(_makes_needless(each, route) for each in kept):
            continue
        kept = [each for each in kept if not _makes_needless(route, each)]
        pairs = kept[:left]
        left -= len(pairs)
        todo += filter(None, (_following(route, each) for each in pairs))
        kept.append(route)
    if len(kept) <= MOST_ROUTES:
        return kept
    loudest = max(kept, key=lambda each: each.level)
    least = sorted(kept, key=_asked)[:MOST_ROUTES]
    return least if loudest in least else [*least[:-1], loudest]


def _makes_needless(one: Frequency, other: Frequency) -> bool:
    """Whether one route runs at least as often as another, was seen as well, and asks nothing that this does not."""
    is_as_loud = one.level >= other.level and all(map(bool.__le__, _strength(one), _strength(other)))
    return is_as_loud and set(one.conditions) <= set(other.conditions)


def _following(one: Frequency, other: Frequency) -> Frequency | None:
    """Return the route there is if either of two is, of which one asks the opposite of what the other does."""
    pairs = [(route, each, denied_by(each)) for route in (one, other) for each in route.conditions]
    against = [
        (each, denied) for route, each, denied in pairs if denied.issubset((other if route is one else one).conditions)
    ]
    if not against or len({frozenset((each, *denied)) for each, denied in against}) != 1:
        return None
    gone = {against[0][0], *against[0][1]}
    rest = all_of(*(tuple(each for each in route.conditions if each not in gone) for route in (one, other)))
    if len(rest) >= max(len(one.conditions), len(other.conditions)):
        return None
    weaker = max(one, other, key=lambda each: (bool(each.cause), bool(each.per)))
    is_assumed = weaker.assumed and weaker.cause != ""  # an option that may be on or off is no doubt any more
    return replace(weaker, level=min(one.level, other.level), conditions=rest, assumed=is_assumed)
