"""What the calls of files run, kept in memory between runs: only what an edit can alter is found out again."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import NamedTuple

from ....limits import MOST_FOLLOWED
from ...notes.summary import FileSummary
from .call_sites import Found
from .rows import Row, define_alike, row_of


class Known(NamedTuple):
    """What was found out about the calls of a file; `left` are calls of a name that were left after too many others."""

    summary: FileSummary
    found: Found
    left: Mapping[str, int]


class Following:
    """Follows the calls of files, each time anew."""

    def begin(self, summaries: Sequence[FileSummary]) -> None:
        """Begin a run over these files."""

    def direct(self, summary: FileSummary, counted: Mapping[str, int], find: Callable[[], Found]) -> Found:
        """Return what the calls of a file run, given how many calls of each name are in files before."""
        return find()

    def later(self, summary: FileSummary, counted: Mapping[str, int], find: Callable[[], Found]) -> Found:
        """Return what the calls of a file of what attributes hold run."""
        return find()


class Followed(Following):
    """What the run before found out about calls: directly, and through attributes, which need all that is direct."""

    def __init__(self) -> None:
        self._rows: dict[str, tuple[FileSummary, Row]] = {}
        self._direct: dict[str, Known] = {}
        self._later: dict[str, Known] = {}
        self._given: dict[str, frozenset[tuple[str, str]]] = {}
        self._touched: frozenset[str] = frozenset()

    def forget(self) -> None:
        """Forget everything."""
        for each in (self._rows, self._direct, self._later, self._given):
            each.clear()

    def begin(self, summaries: Sequence[FileSummary]) -> None:
        """Begin a run over these files: where names are defined otherwise, all calls are followed again."""
        before = self._rows
        self._rows = {
            each.filename: known if (known := before.get(each.filename)) and known[0] is each else (each, row_of(each))
            for each in summaries
        }
        changed = [name for name, known in self._rows.items() if known is not before.get(name)]
        if before.keys() != self._rows.keys() or not all(
            define_alike(before[name][1], self._rows[name][1]) for name in changed
        ):
            self._direct.clear()
            self._later.clear()
        self._touched = frozenset(cls for name in changed for cls in self._rows[name][1].classes)

    def direct(self, summary: FileSummary, counted: Mapping[str, int], find: Callable[[], Found]) -> Found:
        """Return what the calls of a file run, given how many calls of each name are in files before."""
        known = _still_known(self._direct, summary, counted)
        if known is None:
            known = _keep(self._direct, summary, counted, find())
            given = frozenset((cls, name) for cls, name, _ in known.given)
            if given != self._given.get(summary.filename, given):
                self._later.clear()
            self._given[summary.filename] = given
            self._touched |= {cls for cls, _ in given}
        return known

    def later(self, summary: FileSummary, counted: Mapping[str, int], find: Callable[[], Found]) -> Found:
        """Return what the calls of a file of what attributes hold run."""
        known = _still_known(self._later, summary, counted)
        if known is None or not self._touched.isdisjoint(known.holding):
            known = _keep(self._later, summary, counted, find())
        return known


def _still_known(files: dict[str, Known], summary: FileSummary, counted: Mapping[str, int]) -> Found | None:
    known = files.get(summary.filename)
    is_known = known is not None and known.summary is summary and known.left == _left(known.found, counted)
    return known.found if known is not None and is_known else None


def _keep(files: dict[str, Known], summary: FileSummary, counted: Mapping[str, int], found: Found) -> Found:
    files[summary.filename] = Known(summary, found, _left(found, counted))
    return found


def _left(found: Found, counted: Mapping[str, int]) -> dict[str, int]:
    """Return of which names not all calls of a file are followed, and how many are."""
    sums = ((name, counted.get(name, 0), count) for name, count in found.counted.items())
    return {name: max(0, MOST_FOLLOWED - before) for name, before, count in sums if before + count > MOST_FOLLOWED}
