"""Which line made the object that waits: a metric is reported where it is set up, and waits where it is used.

Objects are modules of torch, metrics among them. Each remembers the user's line that made it, and a wait inside of one
is told of that line: whatever words stand where it waits, it is this object or another.
"""

from __future__ import annotations

import functools
import itertools
import linecache
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from types import FrameType
from typing import Any, Final
from weakref import ref

from ..observe import Maker, Wait, here

_SELF: Final = "self"


class Makers:
    """The lines that made the modules that live, by the identity of each."""

    def __init__(self, roots: Sequence[str] = ()) -> None:
        self._roots = roots
        self._made: dict[int, tuple[Any, Maker]] = {}

    def made(self, module: object) -> None:
        """Remember that the current line of the program makes a module; the first class to say so is the outermost."""
        key = id(module)
        if self.maker(module) is None:
            frame: FrameType | None = sys._getframe(1)
            origin = here(self._roots, frame)
            while frame is not None and (frame.f_code.co_filename, frame.f_lineno) != (origin.filename, origin.row):
                frame = frame.f_back
            maker = (origin.filename, origin.row, _column(frame) if frame else 0)
            self._made[key] = (ref(module, lambda _: self._made.pop(key, None)), maker)

    def maker(self, module: object) -> Maker | None:
        """Return the line that made a module, if it is one that we know."""
        reference, place = self._made.get(id(module), (None, None))
        return place if reference is not None and reference() is module else None

    def within(self, frame: FrameType | None, place: tuple[str, int]) -> Maker | None:
        """Return the line that made the innermost module in whose method a frame is, below the user's own line."""
        from torch.nn import Module

        while frame is not None and (frame.f_code.co_filename, frame.f_lineno) != place:
            if frame.f_code.co_varnames[:1] == (_SELF,) and isinstance(module := frame.f_locals.get(_SELF), Module):
                return self.maker(module)
            frame = frame.f_back
        return None


def _column(frame: FrameType) -> int:
    """Return where on its row the call begins that a frame is in, from 1; 0 if Python does not say."""
    if sys.version_info < (3, 11):
        return 0
    code = frame.f_code
    row, _, offset, _ = next(itertools.islice(code.co_positions(), frame.f_lasti // 2, None))
    if row is None or row != frame.f_lineno or offset is None:
        return 0
    line = linecache.getline(code.co_filename, row)
    return len(line.encode()[:offset].decode(errors="ignore")) + 1


class Traced(list[Wait]):
    """A list of waits in which each remembers the line that made its object: it is added to while that waits."""

    def __init__(self, makers: Makers) -> None:
        super().__init__()
        self._makers = makers

    def append(self, wait: Wait) -> None:
        """Add a wait."""
        maker = self._makers.within(sys._getframe(1), wait.place) if wait.library else None
        super().append(replace(wait, maker=maker) if maker else wait)


@contextmanager
def remembered(makers: Makers) -> Iterator[None]:
    """Remember who makes modules while entered."""
    from torch.nn import Module

    original = Module.__init__
    Module.__init__ = _noting(original, makers)  # type: ignore[method-assign]
    try:
        yield
    finally:
        Module.__init__ = original  # type: ignore[method-assign]


def _noting(original: Callable[..., None], makers: Makers) -> Callable[..., None]:
    @functools.wraps(original)
    def __init__(self: Any, *args: Any, **kwargs: Any) -> None:  # noqa: N807
        original(self, *args, **kwargs)
        makers.made(self)

    return __init__
