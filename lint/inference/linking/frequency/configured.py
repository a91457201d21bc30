"""How often functions run of which the configuration says so."""

from __future__ import annotations

from collections.abc import Iterable
from fnmatch import fnmatchcase
from typing import TYPE_CHECKING

from ....finding import Frequency, Level, Reason

if TYPE_CHECKING:
    from ....settings.config import Settings


def configured(name: str, settings: Settings) -> Frequency | None:
    """Return how often a function runs if the configuration lists it, by its whole name or its last part."""
    for patterns, level, words in (
        (settings.hot_functions, Level.EVERY_STEP, "the configuration lists it as hot"),
        (settings.cold_functions, Level.ONCE, "the configuration lists it as cold"),
    ):
        if is_listed(name, patterns):
            return Frequency(level, (Reason(f"`{name.rpartition('.')[2]}`: {words}"),))
    return None


def is_listed(name: str, patterns: Iterable[str]) -> bool:
    """Whether a list of the configuration has a function, by its whole name or its last part."""
    last = name.rpartition(".")[2]
    return any(fnmatchcase(name, pattern) or fnmatchcase(last, pattern) for pattern in patterns)
