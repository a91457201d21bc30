"""How often the body of a generator runs: in each pass of the loop that goes through what it yields."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import partial
from typing import Final

from ....finding import Frequency, Level, Reason
from ....limits import MOST_GENERATORS, MOST_REASONS
from ...notes.summary import CallSite
from ...often.combining import combine
from ...often.local import Local
from ..index.noted_index import NotedIndex
from .by_body import last_part
from .by_name import loudest
from .routes import through

NOT_RUN: Final = (Level.NEVER, Level.FAILURE, Level.UNCALLED)


class Yielded:
    """Asks the loops that go through generators; `of` tells how often a place in a function runs."""

    def __init__(self, index: NotedIndex, of: Callable[[Local, str, int], Frequency]) -> None:
        self._index = index
        self._of = of

    def passes(self, local: Local, generator: str, kept: Frequency, inside: int) -> Frequency:
        """Return how often a place in a generator's loop runs, if a loop is seen that goes through its items.

        `kept` is how often it runs by the generator's calls alone, `inside` the number of generators followed so far.
        """
        if local.item is None or kept.level in NOT_RUN or inside == MOST_GENERATORS:
            return kept
        function = self._index.function(generator)
        if function is None or (function.firm and function.role is not None):
            return kept
        sites = self._index.sites_of(generator)
        found = [self._at(each, each.through, inside) for each in sites if each.through and each.caller != generator]
        if not found:
            return kept
        best = loudest(found)
        passes = through(best, partial(combine, local.item))
        tells = best.level is not Level.UNKNOWN and not best.assumed
        return passes if tells and (kept.level is Level.UNKNOWN or passes.level > kept.level) else kept

    def _at(self, site: CallSite, loop: Local, inside: int) -> Frequency:
        found = self._of(loop, site.caller, inside + 1)
        generator, caller = last_part(site.callee), last_part(site.caller).rstrip(":") or "the module"
        reason = Reason(f"`{caller}` goes through what `{generator}` yields")
        return through(found, lambda route: replace(route, reasons=(*route.reasons, reason)[:MOST_REASONS]))
