"""What linking works on, place by place: each alone pays for an error of our own, or for taking too long."""

from __future__ import annotations

from collections.abc import Callable
from types import TracebackType
from typing import Protocol, TypeAlias

from .... import limits
from ....bounds.limit import Limit, OutOfTime

Fail: TypeAlias = Callable[[str, str, BaseException], object]
"""Who is told of an error of our own: the file that it costs something, the part of the linter, and the error."""


def raise_it(filename: str, part: str, error: BaseException) -> None:
    """Raise the error, as nobody else is told."""
    raise error


class Asked(Protocol):
    """Answers questions; keeps the errors of our own that cost answers only."""

    @property
    def errors(self) -> list[Exception]: ...

    def start_over(self) -> None: ...


class Places:
    """The places of a run, one after the other, each with its own time."""

    def __init__(self, fail: Fail = raise_it, limit: Limit | None = None) -> None:
        self._fail = fail
        self._limit = limit or Limit()

    def at(self, filename: str, row: int = 0, asked: Asked | None = None) -> Place:
        """Return one place; `asked` is who answers questions about it."""
        self._limit.begin()
        return Place(self._fail, filename, row, asked)


class Place:
    """What is done at one place. An error there is told, and the work goes on with the next place."""

    __slots__ = ("asked", "fail", "filename", "row")

    def __init__(self, fail: Fail, filename: str, row: int, asked: Asked | None) -> None:
        self.fail = fail
        self.filename = filename
        self.row = row
        self.asked = asked

    def __enter__(self) -> None:
        limits.at(self.filename)

    def __exit__(self, _: object, error: BaseException | None, trace: TracebackType | None) -> bool:
        limits.at("")
        if self.asked is not None:
            if error is not None:
                self.asked.start_over()
            while self.asked.errors:
                self._tell(self.asked.errors.pop())
        if not isinstance(error, Exception | OutOfTime):
            return False
        self._tell(error)
        return True

    def _tell(self, error: BaseException) -> None:
        self.fail(self.filename, f"linking line {self.row}" if self.row else "linking", error)
