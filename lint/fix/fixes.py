"""From the offers of a file's findings to fixes: which edits they are, as far as they can be made."""

from __future__ import annotations

from collections.abc import Container, Sequence
from typing import TypeAlias

from ..files.source import Source
from ..finding import Finding, Fix, Offer
from .module import Module
from .place import Place

Key: TypeAlias = tuple[str, str]
"""The identity of an attempt, which is the same in the next pass: a rewriting, and the fingerprint of a finding."""


def fixes_of(
    findings: Sequence[Finding], source: Source, *, unsafe_first: bool = False, but: Container[Key] = ()
) -> dict[int, Fix]:
    """Return the fixes of one file's findings, by their places among these; what cannot be made is missing.

    Of the offers of a finding, the first that can be made is taken, the safe ones before the others unless the unsafe
    are asked for. What `but` names is left out.
    """
    wanted = {at: each for at, each in enumerate(findings) if each.offers}
    if not wanted:
        return {}
    module = Module(source)
    nodes = {at: node for at in wanted if (node := module.expression(findings[at].span)) is not None}
    peers = [(node, offer) for at, node in nodes.items() for offer in wanted[at].offers]
    made: dict[int, Fix] = {}
    for at, node in nodes.items():
        offers = wanted[at].offers if unsafe_first else sorted(wanted[at].offers, key=lambda each: not each.is_safe)
        places = ((each, Place(module, node, each.details, peers)) for each in offers)
        fixes = (_fix(*each) for each in places if (each[0].rewrite, wanted[at].fingerprint) not in but)
        if (fix := next(filter(None, fixes), None)) is not None:
            made[at] = fix
    return made


def _fix(offer: Offer, place: Place) -> Fix | None:
    from .rewrites import REWRITINGS

    try:
        edits = REWRITINGS[offer.rewrite](place)
    except (RecursionError, MemoryError):
        return None
    return Fix(offer, tuple(sorted(edits))) if edits else None
