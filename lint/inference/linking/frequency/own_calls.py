"""What the choice of a class, which leads to a call, says of the object where methods of one object call each other."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ...often.conditions import chosen_in
from .by_body import last_part

if TYPE_CHECKING:
    from ...notes.summary import CallSite
    from ..index.noted_index import NotedIndex


def of_its_class(site: CallSite, conditions: tuple[str, ...], index: NotedIndex) -> tuple[str, ...]:
    """Return the conditions of a call without what they say of classes that its object is not of.

    Where a method of a base calls what a derived class defines, the object is of that class: that a base is chosen goes
    without saying, and where another derived class is, something else runs.
    """
    if not any(map(chosen_in, conditions)):
        return conditions
    base, derived = site.caller.rpartition(".")[0], site.callee.rpartition(".")[0]
    if site.passed or base == derived or base not in (bases := index.bases(derived)):
        return conditions
    family = {*index.bases(base), *index.derived_from(base)}
    others = set(map(last_part, family - {derived, *index.derived_from(derived)} | set(bases[1:])))
    return tuple(each for each in conditions if chosen_in(each) not in others)
