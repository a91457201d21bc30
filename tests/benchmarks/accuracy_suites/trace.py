"""Which rows of a package run outside of constructors, and which of them with data of the device at hand."""

from __future__ import annotations

import sys
import threading
from collections import defaultdict
from collections.abc import Callable
from types import CodeType, FrameType
from typing import Any, Final

CONSTRUCTORS: Final = frozenset({"__init__", "__new__", "__post_init__", "<module>"})
"""What runs when something is made or imported. While one of the package's is on the stack nothing counts."""

VISITS: Final = 4
"""How often a row is looked at before it is said to have no data of the device at hand."""

Rows = dict[str, set[int]]


class Tracer:
    """Notes rows in `ran`, by file, and in `reached` those that had a tensor of the device at hand.

    A code object whose rows are all known is not followed any more, so that only the first calls cost much.
    """

    def __init__(self, root: str) -> None:
        self.ran: Rows = defaultdict(set)
        self.reached: Rows = defaultdict(set)
        self._root = root
        self._left: dict[CodeType, dict[int, int]] = {}
        self._here = threading.local()

    def start(self) -> None:
        """Follow this thread and those that Python starts from now on."""
        threading.settrace(self._called)
        sys.settrace(self._called)

    @staticmethod
    def stop() -> None:
        """Follow no new frames."""
        sys.settrace(None)
        threading.settrace(None)  # type: ignore[arg-type]

    def _called(self, frame: FrameType, event: str, _: object) -> Any:
        code = frame.f_code
        if not code.co_filename.startswith(self._root):
            return None
        if code.co_name in CONSTRUCTORS:
            self._here.depth = self._depth() + 1
            return self._leaving
        left = self._left.get(code)
        if left is None:
            left = self._left[code] = {row: VISITS for _, _, row in code.co_lines() if row}
        return self._within(left, code.co_filename) if left and not self._depth() else None

    def _depth(self) -> int:
        return getattr(self._here, "depth", 0)

    def _leaving(self, frame: FrameType, event: str, _: object) -> Any:
        frame.f_trace_lines = False
        if event == "return":
            self._here.depth -= 1
        return self._leaving

    def _within(self, left: dict[int, int], filename: str) -> Callable[[FrameType, str, object], Any]:
        ran, reached = self.ran[filename], self.reached[filename]

        def trace(frame: FrameType, event: str, _: object) -> Any:
            row = frame.f_lineno
            if event == "line" and row in left:
                ran.add(row)
                left[row] -= 1
                if is_near := _has_device_data(frame):
                    reached.add(row)
                if is_near or not left[row]:
                    del left[row]
                    frame.f_trace_lines = bool(left)
            return trace

        return trace


def _has_device_data(frame: FrameType) -> bool:
    """Whether a local variable, or something that one holds, is a tensor of the device."""
    return any(_is_on_device(value, depth=2) for value in frame.f_locals.values())


def _is_on_device(value: object, depth: int) -> bool:
    import torch

    if isinstance(value, torch.Tensor):
        return bool(value.is_cuda)
    if not depth:
        return False
    if isinstance(value, list | tuple):
        return any(_is_on_device(each, depth - 1) for each in value[:20])
    if isinstance(value, torch.nn.Module):
        return any(each.is_cuda for each in (*value.parameters(), *value.buffers()))
    held = value if isinstance(value, dict) else getattr(value, "__dict__", None)
    return isinstance(held, dict) and any(_is_on_device(each, depth - 1) for each in [*held.values()][:50])
