"""Questions that are being asked, and those that depend on each other in a circle."""

from __future__ import annotations

from typing import Final, NamedTuple

from .values import Deferred, Value

CUT: Final = ""
"""Stands among owners for a call that was too deep inside others to be worked out."""
CIRCLE: Final = "()"
"""Stands among owners for a question that was being asked already."""
UNFINISHED: Final = frozenset((CUT, CIRCLE))
NOBODY: Final[frozenset[str]] = frozenset()
FAR: Final = 1 << 30
"""Deeper than any question is asked."""


class Answer(NamedTuple):
    """What a question was found to be.

    `reaches` is the outermost question that it depends on and that was open then, by its depth, else FAR; `owners` are
    the functions whose parameters it depends on.
    """

    term: Deferred
    value: Value
    reaches: int
    owners: frozenset[str]


Answers = dict[int, Answer]


class Questions:
    """Which questions are being asked, and which of the answers found meanwhile are not final.

    `_asking` are the questions being asked, with their depths; `_open` are answers that depend on one of those;
    `_reaches` is the outermost of those that what was asked last depends on.
    """

    def __init__(self) -> None:
        self._asking: dict[object, int] = {}
        self._open: list[tuple[int, Answers, int]] = []
        self._reaches = FAR

    def _depends_on(self, key: object) -> bool:
        """The question is being asked already: what is being answered depends on it."""
        asked = self._asking.get(key)
        self._reaches = self._reaches if asked is None else min(self._reaches, asked)
        return asked is not None

    def _ask(self, key: object) -> tuple[int, int]:
        """Begin with a question: how deep it is asked, and the outermost question that what is around it depends on."""
        depth = self._asking[key] = len(self._asking)
        outer, self._reaches = self._reaches, FAR
        return depth, outer

    def _done(self, key: object, outer: int) -> int:
        """A question is answered: the outermost that its answer depends on, and that is still open; else FAR."""
        depth = self._asking.pop(key)
        if self._reaches >= depth:
            self._forget_open(depth)
            self._reaches = FAR
        reaches = self._reaches
        self._reaches = min(outer, reaches)
        return reaches

    def _forget_open(self, depth: int) -> None:
        """Drop the answers that were found while the question at this depth was asked."""
        while self._open and self._open[-1][0] > depth:
            _, answers, key = self._open.pop()
            answers.pop(key, None)
