"""What a run found out about all its files, kept for the next one."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from ..finding import Finding
from ..store.encoding import StoreError
from .connected import Connections

if TYPE_CHECKING:
    from ..inference.linking.reads import Fact, ReadBy


@dataclass(frozen=True, slots=True)
class Earlier:
    """What a run found out, as the next one needs it.

    `names` are the files, `reported` how many of them, the first ones, were reported on; `contents`, `interfaces` and
    `mentioned`, digests of which names it mentions, are by file. `indexed` are the files of the index in their order,
    `ties` those which tell each other what becomes of an object, `switching` those that turn off the checks of
    distributions. `reads` is what linking each file has read, as text; it is stored apart, at `reads_at`, a name and a
    digest, as few edits need it. `later` is by file what linking it has read since.
    """

    names: list[str]
    reported: int
    contents: list[str]
    interfaces: list[str]
    mentioned: list[str]
    indexed: list[str]
    ties: list[tuple[str, str]]
    switching: list[str]
    follows: bool
    later: dict[str, list[Fact]]
    tables: str
    reads: str
    findings: tuple[Finding, ...]
    connections: Connections
    reads_at: str = ""

    def texts(self, findings: str) -> tuple[str, ...]:
        """Return this as texts that make one, with the findings as they are stored, and without `reads`."""
        files = [self.names, self.reported, self.contents, self.interfaces, self.mentioned, self.indexed]
        told = [*files, self.ties, self.switching, self.follows, self.later, self.connections, self.reads_at]
        return json.dumps(told), "\n", self.tables, "\n", findings

    def read_by(self) -> ReadBy:
        """Return the facts that linking each file has read."""
        from ..inference.linking.reads import ReadBy

        later = ReadBy(list(self.later.values()), {name: [at] for at, name in enumerate(self.later)})
        return ReadBy(*json.loads(self.reads)).with_later(later, self.indexed)


def reads_text(read_by: ReadBy) -> str:
    """Return what linking each file has read as text."""
    return json.dumps(read_by, separators=(",", ":"))


def recalled(text: str, findings: Callable[[str], Any]) -> Earlier | None:
    """Return what a text tells; None if it tells nothing."""
    if not text:
        return None
    try:
        told, tables, found = text.split("\n", 2)
        names, reported, contents, interfaces, mentioned, indexed, ties, switching, follows, *rest = json.loads(told)
        later, links, reads_at = rest
        pairs = [(user, maker) for user, maker in ties]
        known = names, reported, contents, interfaces, mentioned, indexed, pairs, switching, follows, later, tables
        return Earlier(*known, "", findings(found), Connections(*links), reads_at)
    except (ValueError, TypeError, StoreError):
        return None
