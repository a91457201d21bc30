"""From the offers of a file's findings to fixes: which edits they are, as far as they can be made."""

from __future__ import annotations

from collections.abc import Sequence

from ..files.source import Source
from ..finding import Finding, Fix, Offer
from .module import Module
from .place import Place


def fixes_of(findings: Sequence[Finding], source: Source) -> dict[int, Fix]:
    """Return the fixes of one file's findings, by their places among these; what cannot be made is missing."""
    offers = {at: each.offer for at, each in enumerate(findings) if each.offer is not None}
    if not offers:
        return {}
    module = Module(source)
    nodes = {at: node for at in offers if (node := module.expression(findings[at].span)) is not None}
    peers = [(node, offers[at]) for at, node in nodes.items()]
    made = {at: _fix(offers[at], Place(module, node, offers[at].details, peers)) for at, node in nodes.items()}
    return {at: fix for at, fix in made.items() if fix is not None}


def _fix(offer: Offer, place: Place) -> Fix | None:
    from .rewrites import REWRITINGS

    try:
        edits = REWRITINGS[offer.rewrite](place)
    except (RecursionError, MemoryError):
        return None
    return Fix(offer, tuple(sorted(edits))) if edits else None
