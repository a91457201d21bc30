"""Which user lines have run: `sys.monitoring` since Python 3.12, a narrow `sys.settrace` before.

Both see each line once and then ignore it. Before 3.12 every first visit costs a call, so only the lines that may be
reported are followed: `interest` names them for a file.
"""

from __future__ import annotations

import ast
import sys
import threading
from collections import defaultdict
from collections.abc import Callable, Collection, Iterator
from contextlib import contextmanager
from types import CodeType, FrameType
from typing import Any, Final, TypeAlias

from ...lint.files.source import Source
from ...lint.finding import Span
from ..observe import is_library

Interest: TypeAlias = Callable[[str], Collection[int]]
_TOOLS: Final = (4, 3, 5, 2)
"""Tool ids for `sys.monitoring`: those that debuggers and coverage use last or not at all."""


class Lines:
    """The lines that have run, by file; `called` are those of lambdas, which run where they are called.

    `followed` is False if another tracer was in the way.
    """

    def __init__(self) -> None:
        self.rows: dict[str, set[int]] = defaultdict(set)
        self.called: dict[str, set[int]] = defaultdict(set)
        self.followed = True

    def of(self, code: CodeType) -> set[int]:
        """Return those to which the lines of a code object belong."""
        return (self.called if code.co_name == "<lambda>" else self.rows)[code.co_filename]


def lambdas_of(source: Source | None) -> tuple[Span, ...]:
    """Return where the bodies of a file's lambdas are."""
    nodes = ast.walk(source.tree) if source else ()
    return tuple(source.span(node.body) for node in nodes if source and isinstance(node, ast.Lambda))


def inside(span: Span, other: Span) -> bool:
    """Whether a region is part of another one of the same file."""
    begins = (other.row, other.column) <= (span.row, span.column)
    return begins and (span.end_row, span.end_column) <= (other.end_row, other.end_column)


@contextmanager
def followed(lines: Lines, interest: Interest, is_users: Callable[[str], bool] | None = None) -> Iterator[None]:
    """Record lines of the user's files while the context is entered."""
    users = is_users or (lambda filename: not is_library(filename))
    follower = _Monitor(lines, users) if sys.version_info >= (3, 12) else _Tracer(lines, users, interest)
    lines.followed = follower.start()
    try:
        yield
    finally:
        if lines.followed:
            follower.stop()


class _Monitor:
    """Follows lines by events that are disabled one by one."""

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
        monitoring.register_callback(self._tool, events.LINE, self._line)
        monitoring.set_events(self._tool, events.PY_START)
        return True

    def stop(self) -> None:
        monitoring: Any = sys.monitoring  # type: ignore[attr-defined, unused-ignore]
        monitoring.set_events(self._tool, 0)
        for code in self._codes:
            monitoring.set_local_events(self._tool, code, 0)
        for event in (monitoring.events.PY_START, monitoring.events.LINE):
            monitoring.register_callback(self._tool, event, None)
        monitoring.free_tool_id(self._tool)

    def _started(self, code: CodeType, _: int) -> object:
        monitoring: Any = sys.monitoring  # type: ignore[attr-defined, unused-ignore]
        if self._is_users(code.co_filename):
            self._codes.append(code)
            monitoring.set_local_events(self._tool, code, monitoring.events.LINE)
        return monitoring.DISABLE

    def _line(self, code: CodeType, row: int) -> object:
        self._lines.of(code).add(row)
        monitoring: Any = sys.monitoring  # type: ignore[attr-defined, unused-ignore]
        return monitoring.DISABLE


class _Tracer:
    """Follows lines by a trace function that drops each code object once nothing in it is left to see."""

    def __init__(self, lines: Lines, is_users: Callable[[str], bool], interest: Interest) -> None:
        self._lines, self._is_users, self._interest = lines, is_users, interest
        self._wanted: dict[str, Collection[int]] = {}
        self._left: dict[int, tuple[CodeType, set[int]]] = {}
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
            known = self._left[id(code)] = (code, self._rows(code))
        left = known[1]
        return self._within(left, self._lines.of(code)) if left else None

    def _rows(self, code: CodeType) -> set[int]:
        """Return the rows of a code object that may be reported."""
        filename = code.co_filename
        if not self._is_users(filename):
            return set()
        if filename not in self._wanted:
            self._wanted[filename] = ()  # none of our own code is traced meanwhile
            self._wanted[filename] = self._interest(filename)
        wanted = self._wanted[filename]
        return {row for _, _, row in code.co_lines() if row is not None and row in wanted}

    @staticmethod
    def _within(left: set[int], seen: set[int]) -> Any:
        def trace(frame: FrameType, event: str, _: object) -> Any:
            row = frame.f_lineno
            if event == "line" and row in left:
                left.discard(row)
                seen.add(row)
                frame.f_trace_lines = bool(left)
            return trace

        return trace
