"""Which of the fixes that were tried together did not do what they offer."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from typing import NamedTuple, TypeAlias

from ..finding import Finding
from ..offers import Fix
from .fixes import Key

_Where: TypeAlias = tuple[str, str]


class Made(NamedTuple):
    """A fix in a file, and the findings that it cures."""

    filename: str
    fix: Fix
    findings: tuple[Finding, ...]

    @property
    def keys(self) -> frozenset[Key]:
        """The identity of the fix, which is the same in the next pass."""
        return frozenset((self.fix.offer.rewrite, each.fingerprint) for each in self.findings)


class Blame(NamedTuple):
    """The fixes that may have done harm; `in_its_place`: where each of them was made, too much is reported."""

    made: Sequence[Made]
    in_its_place: bool = False


def blame(chosen: Sequence[Made], before: Iterable[Finding], after: Iterable[Finding]) -> Blame | None:
    """Return the fixes where something is reported that they should have cured, or that was not there before."""
    expected = Counter((*_where(each), each.code) for each in before)
    for made in chosen:
        expected.subtract((*_where(each), each.code) for each in made.findings)
        expected.update((*_where(made.findings[0]), code) for code in made.fix.offer.brings)
    excess = Counter((*_where(each), each.code) for each in after) - expected
    if not excess:
        return None
    places = {(filename, scope) for filename, scope, _ in excess}
    if guilty := [each for each in chosen if any(_where(one) in places for one in each.findings)]:
        return Blame(guilty, in_its_place=True)
    files = {filename for filename, _ in places}
    return Blame([each for each in chosen if each.filename in files] or chosen)


def halves(made: Sequence[Made], of_each_place: bool) -> tuple[list[Made], list[Made]]:
    """Return fixes in two parts: of each place, or of all together, the first half and the others."""
    places: defaultdict[_Where | None, list[Made]] = defaultdict(list)
    for each in made:
        places[_where(each.findings[0]) if of_each_place else None].append(each)
    first = [each for found in places.values() for each in found[: (len(found) + 1) // 2]]
    return first, [each for each in made if each not in first]


def _where(finding: Finding) -> _Where:
    return finding.span.filename, finding.scope
