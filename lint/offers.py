"""What rules offer to write instead, and the edits that do it: frozen plain data."""

from __future__ import annotations

import enum

from .plain import dataclass


class Effect(enum.Enum):
    """The effect of a fix on the waits."""

    CURES = "cures"
    """The line waits no more."""
    ONCE = "N → 1"
    """Several waits become one."""
    MOVES = "moves the wait"
    """The same wait happens elsewhere, less often."""


OVERFLOW = "a number beyond the dtype's range raises instead of becoming infinite"
"""What may differ where a number fills a tensor that was converted from it."""

NO_DEVICE = "a device that is None raises"
"""What may differ where a device is asked for its type: `.to(None)` leaves a tensor where it is."""

ASKED = "asked"
"""The detail of a copy whose target is asked whether it is CUDA, although it may be None."""


@dataclass(frozen=True, slots=True)
class Offer:
    """The replacement that a rule offers for what it reports; `lint.fix` turns it into edits, or finds that it cannot.

    `rewrite` is the name of the rewriting, `details` are what it must know about the values; `title` says what will be
    written. `unsafe` says what may differ afterwards, and is empty if nothing does. `brings` are the codes that are
    reported, once each, where the remaining wait is. `is_sure`: it can be made wherever it is offered, but for odd
    spellings; otherwise the surrounding code decides. `is_display`: it is shown and never written, because what was an
    exception ends the use of the device then, or is not noticed.
    """

    rewrite: str
    title: str
    unsafe: str = ""
    effect: Effect = Effect.CURES
    details: tuple[str, ...] = ()
    brings: tuple[str, ...] = ()
    is_sure: bool = True
    is_display: bool = False

    @property
    def is_safe(self) -> bool:
        """Whether nothing but the wait changes."""
        return not self.unsafe

    @property
    def applicability(self) -> str:
        """How far it goes by itself: `safe`, `unsafe`, or `display` if only a person may write it."""
        return "display" if self.is_display else "safe" if self.is_safe else "unsafe"

    @property
    def option(self) -> str:
        """The options that make it; nothing makes what is only shown."""
        return {"safe": "--fix", "unsafe": "--fix --unsafe-fixes"}.get(self.applicability, "by hand")


@dataclass(frozen=True, slots=True, order=True)
class Edit:
    """Text that replaces a region of a module; rows and columns count from 1, the end is exclusive."""

    row: int
    column: int
    end_row: int
    end_column: int
    text: str


@dataclass(frozen=True, slots=True)
class Fix:
    """The edits, ordered by position, that do what a rule offers; either all of them are made or none."""

    offer: Offer
    edits: tuple[Edit, ...]
