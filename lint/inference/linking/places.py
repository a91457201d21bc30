"""What linking works on, place by place: each alone pays for an error of our own, or for taking too long."""

from __future__ import annotations

from collections.abc import Callable
from types import TracebackType
from typing import TypeAlias

from ...bounds.limit import Limit, OutOfTime
from .questions import Questions

Fail: TypeAlias = Callable[[str, str, BaseException], object]
"""Who is told of an error of our own: the file that it costs something, the part of the linter, and the error."""


def raise_it(filename: str, part: str, error: BaseException) -> None:
    """Raise the error, as nobody else is told."""
    raise error


class Places:
    """The places of a run, one after the other, each with its own time."""

    def __init__(self, fail: Fail = raise_it, limit: Limit | None = None) -> None:
        self._fail = fail
        self._limit = limit or Limit()

    def at(self, filename: str, row: int = 0, *asked: Questions) -> Place:
        """Return one place; `asked` are those who answer questions about it."""
        self._limit.begin()
        return Place(self._fail, filename, row, asked)


class Place:
    """What is done at one place. An error there is told, and the work goes on with the next place."""

    __slots__ = ("asked", "fail", "filename", "row")

    def __init__(self, fail: Fail, filename: str, row: int, asked: tuple[Questions, ...]) -> None:
        self.fail = fail
        self.filename = filename
        self.row = row
        self.asked = asked

    def __enter__(self) -> None:
        pass

    def __exit__(self, _: object, error: BaseException | None, trace: TracebackType | None) -> bool:
        for each in self.asked:
            if error is not None:
                each.start_over()
            while each.errors:
                self._tell(each.errors.pop())
        if not isinstance(error, Exception | OutOfTime):
            return False
        self._tell(error)
        return True

    def _tell(self, error: BaseException) -> None:
        self.fail(self.filename, f"linking line {self.row}" if self.row else "linking", error)
