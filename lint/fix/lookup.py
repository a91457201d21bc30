"""The fixes of findings that are shown, made per file when the first is asked for."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable

from ..files.source import Source
from ..finding import Finding, Fix
from .fixes import fixes_of


class Lookup:
    """Makes the fixes of the findings of a run; `source` returns a file as it was checked."""

    def __init__(self, findings: Iterable[Finding], source: Callable[[str], Source | None]) -> None:
        self._source = source
        self._findings: defaultdict[str, list[Finding]] = defaultdict(list)
        for each in findings:
            if each.offers:
                self._findings[each.span.filename].append(each)
        self._fixes: dict[str, dict[int, Fix]] = {}

    def fix(self, finding: Finding) -> Fix | None:
        """Return the fix of a finding, if it can be made."""
        name = finding.span.filename
        if name not in self._fixes:
            source, found = self._source(name), self._findings[name]
            made = {} if source is None else fixes_of(found, source)
            self._fixes[name] = {id(found[at]): fix for at, fix in made.items()}
        return self._fixes[name].get(id(finding))
