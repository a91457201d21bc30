"""Which findings come first where there is no room for all, and names that stay theirs from run to run."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import replace

from ..finding import Finding
from .locations import relative


def most_telling_first(findings: Iterable[Finding]) -> list[Finding]:
    """The loudest, the most certain and the most frequent first; an assumed frequency counts less than a seen one."""
    return sorted(
        findings,
        key=lambda each: (
            -each.severity,
            -each.confidence,
            each.frequency.assumed,
            -each.frequency.level,
            each.sort_key,
        ),
    )


def fingerprinted(findings: Iterable[Finding], base: str) -> Iterator[tuple[Finding, str]]:
    """Each finding with a name that no other one has: equal fingerprints are numbered in order of position.

    The file counts by its path from `base`, so that neither machine nor working directory is part of the name.
    """
    seen: Counter[str] = Counter()
    for each in findings:
        span = replace(each.span, filename=relative(each.span.filename, base))
        name = replace(each, span=span).fingerprint
        seen[name] += 1
        yield each, name if seen[name] == 1 else f"{name}-{seen[name]}"
