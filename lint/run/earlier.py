"""What a run found out about all its files, kept for the next one."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from ..finding import Finding
from ..store.encoding import StoreError


@dataclass(frozen=True, slots=True)
class Earlier:
    """What a run found out, as the next one needs it.

    `names` are the files, `reported` how many of them, the first ones, were reported on; `contents`, `interfaces` and
    `mentioned`, digests of which names it mentions, are by file. `indexed` are the files of the index in their order,
    `ties` those which tell each other what becomes of an object, `switching` those that turn off the checks of
    distributions. `reads` is what linking each file has read, as text; `later`, by file, what it has read since.
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
    later: dict[str, list[list[str]]]
    tables: str
    reads: str
    findings: tuple[Finding, ...]

    def text(self, findings: str) -> str:
        """Return this as text, with the findings as they are stored."""
        files = [self.names, self.reported, self.contents, self.interfaces, self.mentioned, self.indexed]
        told = [*files, self.ties, self.switching, self.follows, self.later]
        return "\n".join((json.dumps(told), self.tables, self.reads, findings))

    def read_by(self) -> dict[str, list[tuple[str, ...]]]:
        """Return the facts that linking each file has read."""
        facts, files = json.loads(self.reads)
        known = [*map(tuple, facts)]
        found = {name: [known[number] for number in numbers] for name, numbers in files.items()}
        return {**found, **{name: [*map(tuple, facts)] for name, facts in self.later.items()}}


def reads_text(read_by: Mapping[str, Sequence[tuple[str, ...]]]) -> str:
    """Return what linking each file has read as text."""
    numbers: dict[tuple[str, ...], int] = {}
    files = {
        name: [numbers.setdefault(fact, len(numbers)) for fact in facts] for name, facts in sorted(read_by.items())
    }
    return json.dumps([list(numbers), files], separators=(",", ":"))


def recalled(text: str, findings: Callable[[str], Any]) -> Earlier | None:
    """Return what a text tells; None if it tells nothing."""
    if not text:
        return None
    told, _, rest = text.partition("\n")
    tables, _, rest = rest.partition("\n")
    reads, _, found = rest.partition("\n")
    try:
        names, reported, contents, interfaces, mentioned, indexed, ties, switching, follows, later = json.loads(told)
        pairs = [(user, maker) for user, maker in ties]
        files = names, reported, contents, interfaces, mentioned, indexed
        return Earlier(*files, pairs, switching, follows, later, tables, reads, findings(found))
    except (ValueError, TypeError, StoreError):
        return None
