"""Which findings come first if there is no room for all, and names for them that are stable between runs."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import replace

from ..finding import Finding
from .locations import relative


def most_telling_first(findings: Iterable[Finding]) -> list[Finding]:
    """Return what cost most in recorded runs first, then the most severe, certain and frequent.

    An assumed frequency ranks below one that was seen.
    """
    return sorted(
        findings,
        key=lambda each: (
            each.cost,
            -each.severity,
            -each.confidence,
            each.frequency.assumed,
            -each.frequency.level,
            each.sort_key,
        ),
    )


def fingerprinted(findings: Iterable[Finding], base: str) -> Iterator[tuple[Finding, str]]:
    """Yield each finding with a unique name: equal fingerprints are numbered by position.

    The file's path is relative to `base`, so that neither the machine nor the working directory is part of the name.
    """
    seen: Counter[str] = Counter()
    for each in findings:
        span = replace(each.span, filename=relative(each.span.filename, base))
        name = replace(each, span=span).fingerprint
        seen[name] += 1
        yield each, name if seen[name] == 1 else f"{name}-{seen[name]}"
