"""What has changed between two runs, line by line. Pure: plain data in, plain data out.

A line is found again by its text, since an edit moves the lines below it; one whose text was edited by its number.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Hashable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Final, Literal, TypeAlias

from .recorded import Recorded

Verdict: TypeAlias = Literal["new", "more", "fewer", "gone", "same"]
VERDICTS: Final[tuple[Verdict, ...]] = ("new", "more", "fewer", "gone", "same")


@dataclass(frozen=True, slots=True)
class Side:
    """A line in one of two runs, under all of its verdicts; `rows` are its positions in the run's report."""

    filename: str
    line: int
    text: str
    codes: tuple[str, ...]
    waits_for: tuple[str, ...]
    count: float
    blocked_ms: float | None
    rows: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Change:
    """A line in both runs, or in the one in which it waited."""

    before: Side | None
    after: Side | None

    @property
    def verdict(self) -> Verdict:
        """What has become of its waits."""
        before, after = self.counts
        if not before or not after:
            return "gone" if before else "new"
        if f"{before:.4g}" == f"{after:.4g}":
            return "same"
        return "more" if after > before else "fewer"

    @property
    def counts(self) -> tuple[float, float]:
        """The waits before and after."""
        return (self.before.count if self.before else 0.0, self.after.count if self.after else 0.0)

    @property
    def side(self) -> Side:
        """The line as it is now, or as it was if it is gone."""
        side = self.after or self.before
        assert side is not None
        return side

    @property
    def _order(self) -> tuple[int, float, str, int]:
        before, after = self.counts
        return (VERDICTS.index(self.verdict), -abs(after - before), self.side.filename, self.side.line)


def changes(before: Recorded, after: Recorded) -> list[Change]:
    """Return the lines that waited in one of the runs, those that got worse first."""
    old, new = list(_sides(before)), list(_sides(after))
    elsewhere = {each.filename for each in old} ^ {each.filename for each in new}
    keys: tuple[Callable[[Side], Hashable], ...] = (
        lambda side: (side.filename, side.text) if side.text else None,
        lambda side: side.text if side.filename in elsewhere else None,
        lambda side: (side.filename, side.line),
    )
    found: list[Change] = []
    for key in keys:
        pairs = list(_pairs(old, new, key))
        found += [Change(*pair) for pair in pairs]
        old = [each for each in old if not any(each is one for one, _ in pairs)]
        new = [each for each in new if not any(each is other for _, other in pairs)]
    found += [Change(each, None) for each in old] + [Change(None, each) for each in new]
    return sorted((each for each in found if any(each.counts)), key=lambda each: each._order)


def _sides(run: Recorded) -> Iterator[Side]:
    """Yield the lines of a run in their order in the files."""
    places: dict[tuple[str, int], list[int]] = defaultdict(list)
    for at, line in enumerate(run.lines):
        places[line.filename, line.line].append(at)
    for (filename, row), rows in sorted(places.items()):
        lines = [run.lines[at] for at in rows]
        blocked = [line.blocked_ms for line in lines if line.blocked_ms is not None]
        yield Side(
            filename,
            row,
            lines[0].text,
            _each(code for line in lines for code in line.codes),
            _each(f"{', '.join(line.operators)} ({', '.join(line.kinds)})" for line in lines if line.operators),
            sum(line.count for line in lines),
            sum(blocked) if blocked else None,
            tuple(rows),
        )


def _each(texts: Iterable[str]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(texts))


def _pairs(old: Sequence[Side], new: Sequence[Side], key: Callable[[Side], Hashable]) -> Iterator[tuple[Side, Side]]:
    """Yield the lines with the same key, in order; those without a key are left alone."""
    waiting: dict[Hashable, list[Side]] = defaultdict(list)
    for side in reversed(new):
        waiting[key(side)].append(side)
    waiting.pop(None, None)
    for side in old:
        if others := waiting.get(key(side)):
            yield side, others.pop()
