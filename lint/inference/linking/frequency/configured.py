"""How often functions run of which the configuration says so."""

from __future__ import annotations

from fnmatch import fnmatchcase
from typing import TYPE_CHECKING

from ....finding import Frequency, Level, Reason

if TYPE_CHECKING:
    from ....settings.config import Settings


def configured(name: str, settings: Settings) -> Frequency | None:
    """Return how often a function runs if the configuration lists it, by its whole name or its last part."""
    last = name.rpartition(".")[2]
    for patterns, level, words in (
        (settings.hot_functions, Level.EVERY_STEP, "the configuration lists it as hot"),
        (settings.cold_functions, Level.ONCE, "the configuration lists it as cold"),
    ):
        if any(fnmatchcase(name, pattern) or fnmatchcase(last, pattern) for pattern in patterns):
            return Frequency(level, (Reason(f"`{last}`: {words}"),))
    return None
