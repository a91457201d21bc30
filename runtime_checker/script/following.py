"""Follows the instructions of the user's files: `sys.monitoring` since Python 3.12, a narrow `sys.settrace` before.

Both ways see each instruction once and then ignore it, unless it is to be counted. Before 3.12 each costs a call as
long as others of its line have not run, so only the lines that may be reported are followed, and only these are
counted: `interest` names them for a file.
"""

from __future__ import annotations

import sys
import threading
from collections import defaultdict
from collections.abc import Callable, Collection, Iterator
from contextlib import contextmanager
from types import CodeType, FrameType
from typing import Any, Final, TypeAlias

from ..observe import is_library
from .lines import Lines, rows

Interest: TypeAlias = Callable[[str], Collection[int]]
_TOOLS: Final = (4, 3, 5, 2)
"""Tool ids for `sys.monitoring`: those that debuggers and coverage use last or not at all."""


@contextmanager
def followed(lines: Lines, interest: Interest, is_users: Callable[[str], bool] | None = None) -> Iterator[None]:
    """Record what runs of the user's files while the context is entered."""
    users = is_users or (lambda filename: not is_library(filename))
    follower = (_Monitor if sys.version_info >= (3, 12) else _Tracer)(lines, users, _Wanted(interest))
    lines.followed = follower.start()
    try:
        yield
    finally:
        if lines.followed:
            follower.stop()


class _Wanted:
    """The instructions of code objects that may be reported."""

    def __init__(self, interest: Interest) -> None:
        self._interest = interest
        self._rows: dict[str, Collection[int]] = {}

    def offsets(self, code: CodeType) -> dict[int, set[int]]:
        """Return the offsets of a code object's instructions in each row that may be reported."""
        filename, found = code.co_filename, defaultdict[int, set[int]](set)
        if filename not in self._rows:
            self._rows[filename] = ()  # none of our own code is traced meanwhile
            self._rows[filename] = self._interest(filename)
        wanted = self._rows[filename]
        for offset, row in rows(code):
            if row in wanted:
                found[row].add(offset)
        return found


class _Monitor:
    """Follows instructions by events that are disabled one by one."""

    def __init__(self, lines: Lines, is_users: Callable[[str], bool], wanted: _Wanted) -> None:
        self._lines, self._is_users, self._wanted = lines, is_users, wanted
        self._codes: list[CodeType] = []
        self._counted: dict[int, set[int]] = {}
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
            if self._lines.counted:
                self._counted[id(code)] = set().union(*self._wanted.offsets(code).values())
            monitoring.set_local_events(self._tool, code, monitoring.events.INSTRUCTION)
        return monitoring.DISABLE

    def _instruction(self, code: CodeType, offset: int) -> object:
        seen = self._lines.of(code)
        seen[offset] = seen.get(offset, 0) + 1
        monitoring: Any = sys.monitoring  # type: ignore[attr-defined, unused-ignore]
        return None if offset in self._counted.get(id(code), ()) else monitoring.DISABLE


class _Tracer:
    """Follows instructions by a trace function that drops each code object once nothing in it is left to see."""

    def __init__(self, lines: Lines, is_users: Callable[[str], bool], wanted: _Wanted) -> None:
        self._lines, self._is_users, self._wanted = lines, is_users, wanted
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
            offsets = self._wanted.offsets(code) if self._is_users(code.co_filename) else {}
            known = self._left[id(code)] = (code, offsets)
        left = known[1]
        return self._within(left, self._lines.of(code), self._lines.counted) if left else None

    @staticmethod
    def _within(left: dict[int, set[int]], seen: dict[int, int], counted: bool) -> Any:
        def trace(frame: FrameType, event: str, _: object) -> Any:
            if event == "line":
                frame.f_trace_opcodes = frame.f_lineno in left
                frame.f_trace_lines = bool(left)
            elif event == "opcode":
                seen[frame.f_lasti] = seen.get(frame.f_lasti, 0) + 1
                if not counted:
                    _drop(left, frame.f_lineno, frame.f_lasti)
            return trace

        return trace


def _drop(left: dict[int, set[int]], row: int, offset: int) -> None:
    """Wait no longer for an instruction that has run, nor for its row once all of them have."""
    waiting = left.get(row)
    if waiting is not None:
        waiting.discard(offset)
        if not waiting:
            left.pop(row, None)
