"""How often each rule reported something."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable, Iterator

from ..finding import Finding


def render(findings: Iterable[Finding]) -> Iterator[str]:
    """A line for each rule, the most frequent first."""
    counts = _counts(findings)
    width = len(str(max((number for _, _, number in counts), default=0)))
    for code, name, number in counts:
        yield f"{number:>{width}}  {code}  {name}"


def render_json(findings: Iterable[Finding]) -> Iterator[str]:
    """The same as a JSON array."""
    rows = [{"code": code, "name": name, "count": number} for code, name, number in _counts(findings)]
    yield json.dumps(rows, indent=2)


def _counts(findings: Iterable[Finding]) -> list[tuple[str, str, int]]:
    counter = Counter((each.code, each.name) for each in findings)
    return sorted(((*rule, number) for rule, number in counter.items()), key=lambda row: (-row[2], row[0]))
