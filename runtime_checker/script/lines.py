"""Which parts of the user's lines have run, and how often.

A line is too coarse: `x.item() if verbose else 0` runs, and nothing may wait. So instructions are followed, whose
places in the source Python knows since 3.11.
"""

from __future__ import annotations

import ast
import dis
import functools
import os
import sys
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from types import CodeType
from typing import Final, NamedTuple

from ...lint.files.source import Source
from ...lint.finding import Span

real: Final = functools.cache(os.path.realpath)


class Region(NamedTuple):
    """A part of a file; rows and columns count from 1, and a column of 0 is not known."""

    row: int
    column: int
    end_row: int
    end_column: int

    @classmethod
    def of(cls, span: Span) -> Region:
        """Return that of a finding."""
        return cls(span.row, span.column, span.end_row, span.end_column)

    def holds(self, other: Region) -> bool:
        """Whether another region is part of this one."""
        return self[:2] <= other[:2] and other[2:] <= self[2:]


@dataclass(frozen=True, slots=True)
class Ran:
    """The instructions of a file by where they are in the source: those that have run, and those that might have.

    Where only rows are known, `omitted` are the parts of a row that it may leave out. `counts` tells how often each has
    run, where that was counted.
    """

    regions: frozenset[Region] = frozenset()
    others: frozenset[Region] = frozenset()
    omitted: tuple[Region, ...] = ()
    counts: Mapping[Region, int] = field(default_factory=dict)

    def has(self, region: Region) -> bool:
        """Whether a part of the file has run; False if nobody knows."""
        if any(not each.column and region.row <= each.row <= region.end_row for each in self.regions):
            return not any(each.holds(region) for each in self.omitted)
        if region in self.regions:
            return True
        # What computes the whole is missing, so it was left before its end; else whatever is in it will do.
        return region not in self.others and any(map(region.holds, self.regions))

    def times(self, region: Region) -> int:
        """Return how often a part of the file has run at least."""
        if not self.has(region):
            return 0
        within = (count for each, count in self.counts.items() if self._is_within(each, region))
        return self.counts.get(region) or min(within, default=1)

    @staticmethod
    def _is_within(each: Region, region: Region) -> bool:
        return region.holds(each) if each.column else region.row <= each.row <= region.end_row


class Lines:
    """The instructions that have run, by the file of their code; `followed` is False if a tracer was in the way.

    `counted` asks for how often, of those that may be reported.
    """

    def __init__(self, counted: bool = False) -> None:
        self._ran: dict[int, tuple[CodeType, dict[int, int]]] = {}
        self.counted = counted
        self.followed = True

    def of(self, code: CodeType) -> dict[int, int]:
        """Return how often instructions of a code object have been seen to run, by their offsets."""
        known = self._ran.get(id(code))
        if known is None:
            known = self._ran[id(code)] = (code, {})  # which keeps its identity from being another's
        return known[1]

    @property
    def files(self) -> frozenset[str]:
        """The files of which anything has run."""
        return frozenset(code.co_filename for code, _ in tuple(self._ran.values()))

    def ran(self, names: Collection[str], source_of: Callable[[str], Source | None]) -> Mapping[str, Ran]:
        """Return what has run of these files; `source_of` parses one, without which only rows are known."""
        found: dict[str, tuple[set[Region], set[Region]]] = {name: (set(), set()) for name in names}
        counts: dict[str, dict[Region, int]] = {name: {} for name in names}
        sources = {name: source_of(name) for name in names}
        for code, offsets in tuple(self._ran.values()):
            name = real(code.co_filename)
            for offset, region in _regions(code, sources[name]) if name in found else ():
                found[name][offset not in offsets].add(region)
                if times := offsets.get(offset):
                    counts[name][region] = max(times, counts[name].get(region, 0))
        return {
            name: Ran(frozenset(regions), frozenset(others - regions), tuple(_omitted(sources[name])), counts[name])
            for name, (regions, others) in found.items()
        }


def _regions(code: CodeType, source: Source | None) -> Iterator[tuple[int, Region]]:
    """Yield the offset and the place of each instruction that has one; rows if Python has recorded no columns."""
    placed = list(_placed(code, source)) if source is not None and sys.version_info >= (3, 11) else []
    yield from placed or ((offset, Region(row, 0, row, 0)) for offset, row in rows(code))


def _placed(code: CodeType, source: Source) -> Iterator[tuple[int, Region]]:
    for at, (row, end_row, column, end_column) in enumerate(code.co_positions()):
        if row and end_row and column is not None and end_column is not None and end_row <= len(source.lines):
            yield 2 * at, Region(row, source.column(row, column), end_row, source.column(end_row, end_column))


def rows(code: CodeType) -> Iterator[tuple[int, int]]:
    """Yield the offset and the row of each instruction that is followed.

    What stands behind an extension of its argument is executed with that.
    """
    known = {offset: row for start, end, row in code.co_lines() for offset in range(start, end, 2)}
    before = ""
    for instruction in dis.get_instructions(code):
        row = known.get(instruction.offset)
        if row is not None and before != "EXTENDED_ARG":
            yield instruction.offset, row
        before = instruction.opname


def _omitted(source: Source | None) -> Iterator[Region]:
    """Yield the parts of a file whose row may run without them."""
    for node in ast.walk(source.tree) if source else ():
        for part in _optional(node):
            if source is not None:
                yield Region.of(source.span(part))


def _optional(node: ast.AST) -> Collection[ast.expr | ast.stmt]:
    """Return what a construct may leave out, or leave for later, of the row that it begins on."""
    match node:
        case ast.IfExp():
            return (node.body, node.orelse)
        case ast.BoolOp():
            return node.values[1:]
        case ast.Compare():
            return node.comparators[1:]
        case ast.Assert(msg=ast.expr() as message):
            return (message,)
        case ast.Lambda():
            return (node.body,)
        case ast.DictComp():
            return (node.key, node.value, *_repeated(node.generators))
        case ast.ListComp() | ast.SetComp() | ast.GeneratorExp():
            return (node.elt, *_repeated(node.generators))
        case ast.stmt() | ast.ExceptHandler():
            bodies = (getattr(node, name, ()) for name in ("body", "orelse", "finalbody"))
            return [each for body in bodies for each in body if each.lineno == node.lineno]
    return ()


def _repeated(generators: Sequence[ast.comprehension]) -> list[ast.expr]:
    """Return the parts of a comprehension's loops that run as often as there is anything to go through."""
    return [*(test for each in generators for test in each.ifs), *(each.iter for each in generators[1:])]
