"""Answers to questions, and what they depend on: those of this run, and those of an earlier one that still hold."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from enum import Enum
from typing import Any, Final, NamedTuple, Protocol, TypeAlias

from .reads import KNOWN, NOTHING, Kept, Reads


class Unfinished(Enum):
    """Stands among the owners of an answer that is not what asking anew might tell."""

    CUT = "a call nested too deeply in others to be evaluated"


Owner: TypeAlias = str | Unfinished
NOBODY: Final[frozenset[Owner]] = frozenset()
CUT: Final[frozenset[Owner]] = frozenset((Unfinished.CUT,))
FAR: Final = 1 << 30
"""Deeper than any question is asked."""


class Answer(NamedTuple):
    """The answer to a question.

    `reaches` is the outermost question that it depends on and that was open then, by its depth, else FAR; `owners` are
    the functions whose parameters it depends on, and what kept it from being finished; `number` is that of the
    question among all that is read.
    """

    value: Any
    reaches: int = FAR
    owners: frozenset[Owner] = NOBODY
    number: int = NOTHING


Answers: TypeAlias = dict[Any, Answer]
"""The answers found so far, by question."""


CALLED: Final = "()"
MADE: Final = "made()"
REACHED: Final = "reached()"


class About(NamedTuple):
    """The function or class that a question is about, and what is asked of that.

    This is how often a function runs (`CALLED`), what leads to it (`REACHED`), where a class is made (`MADE`), what an
    attribute of a class is bound to (`.name`), what is passed for one of its fields (`.name 2`), or what a function's
    `own` parameter is.
    """

    name: str
    what: str
    own: bool = False

    @property
    def owners(self) -> frozenset[Owner]:
        """The functions whose parameters the answer may depend on for another run to need it."""
        return frozenset((self.name,)) if self.own else NOBODY


Naming: TypeAlias = "Callable[[Any], About | None]"
"""Returns what a question is about; None for those whose answers no other run needs."""


class Recall(Protocol):
    """Knows answers of an earlier run."""

    def answer(self, name: str, what: str) -> tuple[int, Any] | None:
        """Return the number of a question in that run, -1 if it has read nothing, and its answer; None if unknown."""


class Recalled(Answers):
    """Answers of this run, and those of an earlier one; `reads` is told of the latter when one is asked for."""

    def __init__(self, recall: Recall, reads: Reads, about: Naming) -> None:
        super().__init__()
        self._recall = recall
        self._reads = reads
        self._about = about
        self._unknown: set[Any] = set()

    def get(self, key: Any, default: Any = None) -> Any:
        """Return an answer; None if there is none."""
        known = super().get(key)
        if known is None and key not in self._unknown:
            known = self._recalled(key)
            if known is None:
                self._unknown.add(key)
            else:
                self[key] = known
        return known

    def _recalled(self, key: Any) -> Answer | None:
        if (about := self._about(key)) is None or (found := self._recall.answer(about.name, about.what)) is None:
            return None
        number, value = found
        read = self._reads.fact((KNOWN, str(number))) if number >= 0 else NOTHING
        return Answer(value, FAR, about.owners, read)


def kept(answers: Answers, about: Naming) -> Iterable[Kept]:
    """Yield the answers that another run may need."""
    for key, answer in answers.items():
        named = about(key) if answer.reaches == FAR else None
        if named is not None and answer.owners == named.owners:
            yield Kept(named.name, named.what, answer.number, answer.value)
