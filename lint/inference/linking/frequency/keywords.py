"""Loops through the keywords that a function is given: where each call gives one, they have one pass."""

from __future__ import annotations

from dataclasses import replace

from ...notes.summary import CallSite, FunctionSummary
from ...often.local import Local
from ...values.union import SPREAD
from ..index.noted_index import NotedIndex


def for_each_keyword(local: Local, owner: str, index: NotedIndex) -> Local:
    """Return how often a place in a function runs, in a loop through `**keywords` or elsewhere."""
    function = index.function(owner) if local.extra else None
    if function is None:
        return local
    sites = index.sites_of(owner)
    return replace(local, repeats=False) if sites and all(_gives_one(each, function) for each in sites) else local


def _gives_one(site: CallSite, function: FunctionSummary) -> bool:
    """Whether a call is seen to give no more than one keyword that is no parameter."""
    names = {name for name, _ in site.keywords}
    return not site.passed and SPREAD not in names and len(names - function.terms.keys()) <= 1
