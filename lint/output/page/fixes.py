"""What a page shows of a fix."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ...offers import Fix
from ..differences import changes
from ..text import escape


def shown_fix(fix: Fix, lines: Sequence[str]) -> dict[str, Any]:
    """Return the title of a fix, the option that makes it, why it is unsafe, and the lines that it changes."""
    return {
        "title": escape(fix.offer.title),
        "option": fix.offer.option,
        "unsafe": escape(fix.offer.unsafe),
        "diff": list(changes(fix.edits, lines)),
    }
