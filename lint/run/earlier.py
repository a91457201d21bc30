"""What a run found out about all its files, kept for the next one."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from ..finding import Finding
from ..store.encoding import StoreError


@dataclass(frozen=True, slots=True)
class Earlier:
    """What a run found out, as the next one needs it.

    `contents` and `interfaces` are by file; `indexed` are the files of the index in their order, `ties` those which
    tell each other what becomes of an object, `switching` those that turn off the checks of distributions.
    """

    contents: list[str]
    interfaces: list[str]
    indexed: list[str]
    ties: list[tuple[str, str]]
    switching: list[str]
    follows: bool
    tables: str
    findings: tuple[Finding, ...]

    def text(self, findings: str) -> str:
        """Return this as text, with the findings as they are stored."""
        told = [self.contents, self.interfaces, self.indexed, self.ties, self.switching, self.follows]
        return "\n".join((json.dumps(told), self.tables, findings))


def recalled(text: str, findings: Callable[[str], Any]) -> Earlier | None:
    """Return what a text tells; None if it tells nothing."""
    if not text:
        return None
    told, _, rest = text.partition("\n")
    tables, _, found = rest.partition("\n")
    try:
        contents, interfaces, indexed, ties, switching, follows = json.loads(told)
        pairs = [(user, maker) for user, maker in ties]
        return Earlier(contents, interfaces, indexed, pairs, switching, follows, tables, findings(found))
    except (ValueError, TypeError, StoreError):
        return None
