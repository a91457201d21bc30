"""A line that waited in a recorded run and that no rule reports, as a rule sees it."""

from __future__ import annotations

from dataclasses import dataclass

from ..finding import Span
from ..measured import Measured
from .entries import Entry


@dataclass(frozen=True, slots=True)
class Waited:
    """A statement that waited, what a run has seen of it, and that as findings carry it."""

    span: Span
    entry: Entry
    seen: Measured
