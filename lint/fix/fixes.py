"""From the offers of a file's findings to fixes: which edits they are, as far as they can be made."""

from __future__ import annotations

from collections.abc import Container, Iterator, Mapping, Sequence
from typing import Final, TypeAlias

from ..files.source import Source
from ..finding import Finding
from ..offers import Fix, Offer
from .module import Module
from .place import Place, Refused
from .width import within_width

KINDS: Final = ("safe", "unsafe", "display")
"""The kinds of fixes, the best first."""

Key: TypeAlias = tuple[str, str]
"""The identity of an attempt, which is the same in the next pass: a rewriting, and the fingerprint of a finding."""


def fixes_of(
    findings: Sequence[Finding], source: Source, *, kinds: Sequence[str] = KINDS, but: Container[Key] = ()
) -> dict[int, Fix]:
    """Return the fixes of one file's findings, by their places among these; what cannot be made is missing.

    Of the offers of a finding, the first that can be made is taken, in the order of `kinds`; what `but` names is left
    out.
    """
    wanted = {at: each for at, each in enumerate(findings) if each.offers}
    if not wanted:
        return {}
    made: dict[int, Fix] = {}
    for at, places in _places(wanted, source, kinds).items():
        ordered = [each for kind in kinds for each in places if each[0].applicability == kind]
        fixes = (_fix(*each) for each in ordered if (each[0].rewrite, wanted[at].fingerprint) not in but)
        if (fix := next(filter(None, fixes), None)) is not None:
            made[at] = fix
    return made


def refusals(findings: Sequence[Finding], at: int, source: Source) -> Iterator[tuple[Offer, str]]:
    """Yield the offers of a finding among those of its file, and why each cannot be made there."""
    from .rewrites import REWRITINGS

    places = _places({at: each for at, each in enumerate(findings) if each.offers}, source, KINDS)
    for offer, place in places.get(at, ()):
        form = (REWRITINGS[offer.rewrite].__doc__ or "").partition("\n")[0]
        why = f"this code is not in the form that the fix expects ({form[:1].lower()}{form[1:].rstrip('.')})"
        try:
            REWRITINGS[offer.rewrite](place)
        except Refused as refused:
            why = str(refused)
        except (RecursionError, MemoryError):
            why = "it is nested too deeply"
        yield offer, why


def _places(
    wanted: Mapping[int, Finding], source: Source, kinds: Sequence[str]
) -> dict[int, list[tuple[Offer, Place]]]:
    """Return where the offers of the findings are to be made, as far as the code there is plain Python."""
    module = Module(source)
    nodes = {at: node for at in wanted if (node := module.expression(wanted[at].span)) is not None}
    peers = [(node, each) for at, node in nodes.items() for each in wanted[at].offers if each.applicability in kinds]
    return {
        at: [(offer, Place(module, node, offer.details, peers)) for offer in wanted[at].offers]
        for at, node in nodes.items()
    }


def _fix(offer: Offer, place: Place) -> Fix | None:
    """Return the fix that is offered; None where it cannot be made, or what was offered elsewhere makes no sense."""
    from .rewrites import REWRITINGS

    try:
        edits = REWRITINGS[offer.rewrite](place)
    except (RecursionError, MemoryError, LookupError, ValueError, Refused):
        return None
    edits = within_width(sorted(edits), place.module.source) if edits else None
    return Fix(offer, tuple(edits)) if edits else None
