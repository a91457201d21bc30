"""Assumptions shared by several findings, each reported once, with how to correct it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence

from ..finding import Finding, many
from ..limits import FEWEST_OF_CAUSE, MOST_CAUSES
from .text import escape


def causes(findings: Sequence[Finding]) -> list[tuple[str, int]]:
    """Return the functions that are assumed to run every step, with how many findings each causes, most first."""
    counted = Counter(each.frequency.cause for each in findings if each.frequency.cause)
    return [(name, number) for name, number in counted.most_common() if number >= FEWEST_OF_CAUSE]


def told(findings: Sequence[Finding]) -> Iterator[str]:
    """Yield a line for each assumption, and what to write where one is wrong."""
    found = causes(findings)
    if not found:
        return
    total = sum(number for _, number in found)
    yield f"{total} of these rest on {many(len(found), 'assumption')} that a function runs every step:"
    width = len(str(found[0][1]))
    for name, number in found[:MOST_CAUSES]:
        yield f"  {number:>{width}}  {escape(name)}"
    if len(found) > MOST_CAUSES:
        yield f"  and {len(found) - MOST_CAUSES} more"
    yield f"Where one is wrong, add it to `cold-functions`: {_example(found[0][0])}"


def _example(name: str) -> str:
    return escape(f'[tool.synclint] cold-functions = ["{name}"]')
