"""The fixes that can be written for findings, of which no analysis has said yet that they do good."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable

from ..files.source import Source
from ..finding import Finding
from ..offers import Fix, Offer


class Lookup:
    """Makes the fixes of the findings of a run, per file when the first is asked for.

    `source` returns a file as it was checked.
    """

    def __init__(self, findings: Iterable[Finding], source: Callable[[str], Source | None]) -> None:
        self._source = source
        self._findings: defaultdict[str, list[Finding]] = defaultdict(list)
        for each in findings:
            if each.offers:
                self._findings[each.span.filename].append(each)
        self._fixes: dict[str, dict[int, Fix]] = {}

    def fix(self, finding: Finding) -> Fix | None:
        """Return the fix of a finding, if it can be made."""
        from .fixes import fixes_of  # which imports LibCST

        name = finding.span.filename
        if name not in self._fixes:
            found, source = self._findings[name], self._source(name)
            made = {} if source is None else fixes_of(found, source)
            self._fixes[name] = {id(found[at]): fix for at, fix in made.items()}
        return self._fixes[name].get(id(finding))

    def refusals(self, finding: Finding) -> list[tuple[Offer, str]]:
        """Return the offers of a finding that has no fix, and why each cannot be made."""
        from .fixes import refusals

        found = self._findings[finding.span.filename]
        source = self._source(finding.span.filename)
        at = next((at for at, each in enumerate(found) if each is finding), None)
        return [] if source is None or at is None else list(refusals(found, at, source))
