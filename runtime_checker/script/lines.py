"""Which parts of the user's lines have run: `sys.monitoring` since Python 3.12, a narrow `sys.settrace` before.

A line is too coarse: `x.item() if verbose else 0` runs, and nothing may wait. So instructions are followed, whose
places in the source Python knows since 3.11. Both ways see each instruction once and then ignore it. Before 3.12 each
costs a call as long as others of its line have not run, so only the lines that may be reported are followed: `interest`
names them for a file.
"""

from __future__ import annotations

import ast
import dis
import functools
import os
import sys
import threading
from collections import defaultdict
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from types import CodeType, FrameType
from typing import Any, Final, NamedTuple, TypeAlias

from ...lint.files.source import Source
from ...lint.finding import Span
from ..observe import is_library

Interest: TypeAlias = Callable[[str], Collection[int]]
real: Final = functools.cache(os.path.realpath)
_TOOLS: Final = (4, 3, 5, 2)
"""Tool ids for `sys.monitoring`: those that debuggers and coverage use last or not at all."""


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

    Where only rows are known, `omitted` are the parts of a row that it may leave out.
    """

    regions: frozenset[Region] = frozenset()
    others: frozenset[Region] = frozenset()
    omitted: tuple[Region, ...] = ()

    def has(self, region: Region) -> bool:
        """Whether a part of the file has run; False if nobody knows."""
        if any(not each.column and region.row <= each.row <= region.end_row for each in self.regions):
            return not any(each.holds(region) for each in self.omitted)
        if region in self.regions:
            return True
        # What computes the whole is missing, so it was left before its end; else whatever is in it will do.
        return region not in self.others and any(map(region.holds, self.regions))


class Lines:
    """The instructions that have run, by the file of their code; `followed` is False if a tracer was in the way."""

    def __init__(self) -> None:
        self._ran: dict[int, tuple[CodeType, set[int]]] = {}
        self.followed = True

    def of(self, code: CodeType) -> set[int]:
        """Return the offsets at which instructions of a code object have run."""
        known = self._ran.get(id(code))
        if known is None:
            known = self._ran[id(code)] = (code, set())  # which keeps its identity from being another's
        return known[1]

    @property
    def files(self) -> frozenset[str]:
        """The files of which anything has run."""
        return frozenset(code.co_filename for code, _ in tuple(self._ran.values()))

    def ran(self, names: Collection[str], source_of: Callable[[str], Source | None]) -> Mapping[str, Ran]:
        """Return what has run of these files; `source_of` parses one, without which only rows are known."""
        found: dict[str, tuple[set[Region], set[Region]]] = {name: (set(), set()) for name in names}
        sources = {name: source_of(name) for name in names}
        for code, offsets in tuple(self._ran.values()):
            name = real(code.co_filename)
            for offset, region in _regions(code, sources[name]) if name in found else ():
                found[name][offset not in offsets].add(region)
        return {
            name: Ran(frozenset(regions), frozenset(others - regions), tuple(_omitted(sources[name])))
            for name, (regions, others) in found.items()
        }


def _regions(code: CodeType, source: Source | None) -> Iterator[tuple[int, Region]]:
    """Yield the offset and the place of each instruction that has one; rows if Python has recorded no columns."""
    placed = list(_placed(code, source)) if source is not None and sys.version_info >= (3, 11) else []
    yield from placed or ((offset, Region(row, 0, row, 0)) for offset, row in _rows(code))


def _placed(code: CodeType, source: Source) -> Iterator[tuple[int, Region]]:
    for at, (row, end_row, column, end_column) in enumerate(code.co_positions()):
        if row and end_row and column is not None and end_column is not None and end_row <= len(source.lines):
            yield 2 * at, Region(row, source.column(row, column), end_row, source.column(end_row, end_column))


def _rows(code: CodeType) -> Iterator[tuple[int, int]]:
    """Yield the offset and the row of each instruction that is followed.

    What stands behind an extension of its argument is executed with that.
    """
    rows = {offset: row for start, end, row in code.co_lines() for offset in range(start, end, 2)}
    before = ""
    for instruction in dis.get_instructions(code):
        row = rows.get(instruction.offset)
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


@contextmanager
def followed(lines: Lines, interest: Interest, is_users: Callable[[str], bool] | None = None) -> Iterator[None]:
    """Record what runs of the user's files while the context is entered."""
    users = is_users or (lambda filename: not is_library(filename))
    follower = _Monitor(lines, users) if sys.version_info >= (3, 12) else _Tracer(lines, users, interest)
    lines.followed = follower.start()
    try:
        yield
    finally:
        if lines.followed:
            follower.stop()


class _Monitor:
    """Follows instructions by events that are disabled one by one."""

    def __init__(self, lines: Lines, is_users: Callable[[str], bool]) -> None:
        self._lines, self._is_users = lines, is_users
        self._codes: list[CodeType] = []
        self._tool: int | None = None

    def start(self) -> bool:
        monitoring: Any = sys.monitoring  # type: ignore[attr-defined, unused-ignore]
        self._tool = next((each for each in _TOOLS if monitoring.get_tool(each) is None), None)
        if self._tool is None:
            return False
        events = monitoring.events
        monitoring.use_tool_id(self._tool, "synclint")
        monitoring.register_callback(self._tool, events.PY_START, self._started)
        monitoring.register_callback(self._tool, events.INSTRUCTION, self._instruction)
        monitoring.set_events(self._tool, events.PY_START)
        return True

    def stop(self) -> None:
        monitoring: Any = sys.monitoring  # type: ignore[attr-defined, unused-ignore]
        monitoring.set_events(self._tool, 0)
        for code in self._codes:
            monitoring.set_local_events(self._tool, code, 0)
        for event in (monitoring.events.PY_START, monitoring.events.INSTRUCTION):
            monitoring.register_callback(self._tool, event, None)
        monitoring.free_tool_id(self._tool)

    def _started(self, code: CodeType, _: int) -> object:
        monitoring: Any = sys.monitoring  # type: ignore[attr-defined, unused-ignore]
        if self._is_users(code.co_filename):
            self._codes.append(code)
            monitoring.set_local_events(self._tool, code, monitoring.events.INSTRUCTION)
        return monitoring.DISABLE

    def _instruction(self, code: CodeType, offset: int) -> object:
        self._lines.of(code).add(offset)
        monitoring: Any = sys.monitoring  # type: ignore[attr-defined, unused-ignore]
        return monitoring.DISABLE


class _Tracer:
    """Follows instructions by a trace function that drops each code object once nothing in it is left to see."""

    def __init__(self, lines: Lines, is_users: Callable[[str], bool], interest: Interest) -> None:
        self._lines, self._is_users, self._interest = lines, is_users, interest
        self._wanted: dict[str, Collection[int]] = {}
        self._left: dict[int, tuple[CodeType, dict[int, set[int]]]] = {}
        self._trace: Any = self._called

    def start(self) -> bool:
        if sys.gettrace() is not None:
            return False
        threading.settrace(self._trace)
        sys.settrace(self._trace)
        return True

    def stop(self) -> None:
        self._trace = None
        threading.settrace(None)
        sys.settrace(None)

    def _called(self, frame: FrameType, event: str, _: object) -> Any:
        code = frame.f_code
        known = self._left.get(id(code))
        if known is None or known[0] is not code:
            known = self._left[id(code)] = (code, self._offsets(code))
        left = known[1]
        return self._within(left, self._lines.of(code)) if left else None

    def _offsets(self, code: CodeType) -> dict[int, set[int]]:
        """Return the offsets of a code object's instructions in each row that may be reported."""
        filename, found = code.co_filename, defaultdict[int, set[int]](set)
        if not self._is_users(filename):
            return found
        if filename not in self._wanted:
            self._wanted[filename] = ()  # none of our own code is traced meanwhile
            self._wanted[filename] = self._interest(filename)
        wanted = self._wanted[filename]
        for offset, row in _rows(code):
            if row in wanted:
                found[row].add(offset)
        return found

    @staticmethod
    def _within(left: dict[int, set[int]], seen: set[int]) -> Any:
        def trace(frame: FrameType, event: str, _: object) -> Any:
            if event == "line":
                frame.f_trace_opcodes = frame.f_lineno in left
                frame.f_trace_lines = bool(left)
            elif event == "opcode":
                _saw(left, seen, frame.f_lineno, frame.f_lasti)
            return trace

        return trace


def _saw(left: dict[int, set[int]], seen: set[int], row: int, offset: int) -> None:
    """Note that an instruction has run, and drop its row once all of them have."""
    seen.add(offset)
    waiting = left.get(row)
    if waiting is not None:
        waiting.discard(offset)
        if not waiting:
            left.pop(row, None)
