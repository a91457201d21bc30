"""What functions of the project return, remembered by no more than that depends on."""

from __future__ import annotations

from collections.abc import Hashable, Mapping
from typing import Any

from ....limits import DEEPEST_CALLS
from ..index.answer import CUT, FAR, Answer


class Results:
    """The results of functions for their arguments.

    One that depends on no parameter holds for all arguments, and one for which no call was nested too deeply, also
    where calls are nested less deeply.
    """

    def __init__(self) -> None:
        self._by_depth: dict[Hashable, list[Answer | None]] = {}

    def known(self, function: str, bindings: Mapping[Any, Hashable], depth: int) -> Answer | None:
        """Return what a function returns if that was found before."""
        for key in (function, _key(function, bindings)):
            if (found := self._by_depth.get(key)) is not None and found[depth] is not None:
                return found[depth]
        return None

    def remember(self, function: str, bindings: Mapping[Any, Hashable], depth: int, answer: Answer) -> Answer:
        """Return what a function returns, and remember it unless it depends on a question that is still being asked.

        What is returned belongs to none of the functions called.
        """
        result = answer._replace(owners=answer.owners & CUT)
        if answer.reaches == FAR:
            key = _key(function, bindings) if function in answer.owners else function
            found = self._by_depth.setdefault(key, [None] * DEEPEST_CALLS)
            first = depth if result.owners else 0
            found[first : depth + 1] = [result] * (depth + 1 - first)
        return result


def _key(function: str, bindings: Mapping[Any, Hashable]) -> Hashable:
    return function, *bindings.values()
