"""The fixes of findings that are shown, made per file when the first is asked for."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Sequence

from ..files.source import Source
from ..finding import Finding, Fix, Offer
from ..run.cache import Cache
from ..run.file import Project
from .kept import Kept


class Lookup:
    """Makes the fixes of the findings of a run; `source` returns a file as it was checked, `lines` its lines.

    What earlier runs made of the same lines and findings is taken from the cache.
    """

    def __init__(
        self,
        findings: Iterable[Finding],
        source: Callable[[str], Source | None],
        lines: Callable[[str], Sequence[str]] = lambda _: (),
        cache: Cache | None = None,
    ) -> None:
        self._source = source
        self._lines = lines
        self._cache = cache or Cache(Project())
        self._findings: defaultdict[str, list[Finding]] = defaultdict(list)
        for each in findings:
            if each.offers:
                self._findings[each.span.filename].append(each)
        self._fixes: dict[str, dict[int, Fix]] = {}

    def fix(self, finding: Finding) -> Fix | None:
        """Return the fix of a finding, if it can be made."""
        name = finding.span.filename
        if name not in self._fixes:
            found = self._findings[name]
            self._fixes[name] = {id(found[at]): fix for at, fix in self._made(name, found).items()}
        return self._fixes[name].get(id(finding))

    def refusals(self, finding: Finding) -> list[tuple[Offer, str]]:
        """Return the offers of a finding that has no fix, and why each cannot be made."""
        from .fixes import refusals

        found = self._findings[finding.span.filename]
        source = self._source(finding.span.filename)
        at = next((at for at, each in enumerate(found) if each is finding), None)
        return [] if source is None or at is None else list(refusals(found, at, source))

    def _made(self, name: str, found: Sequence[Finding]) -> dict[int, Fix]:
        kept = Kept(self._cache, name, self._lines(name), found)
        known = kept.get()
        if known is not None:
            return known
        from .fixes import fixes_of  # which imports LibCST

        source = self._source(name)
        made = {} if source is None else fixes_of(found, source)
        kept.keep(made)
        return made
