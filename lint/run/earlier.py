"""What a run found out about all its files, kept for the next one."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from ..finding import Finding
from ..store.encoding import StoreError
from .connected import Connections

if TYPE_CHECKING:
    from ..inference.linking.reads import Fact, ReadBy


_ENCODER: Final = json.JSONEncoder(separators=(",", ":"))


class Traces(NamedTuple):
    """What the files mention, what their calls have asked of the index, and what linking them has read, as text.

    They are stored apart: the next run needs them only if files tell others something else.
    """

    words: str
    asked: str
    reads: str


class Drift(NamedTuple):
    """What files mention otherwise than the traces tell: by how many more mention each word, what is bound in files."""

    words: dict[str, int]
    bound: dict[str, str]


@dataclass(frozen=True, slots=True)
class Earlier:
    """What a run found out, as the next one needs it.

    `names` are the files, `reported` how many of them, the first ones, were reported on; `contents` and `interfaces`
    are digests by file. `indexed` are the files of the index in their order, `ties` those which tell each other what
    becomes of an object, `switching` those that turn off the checks of distributions. `tables` are those of the index
    as text, `traces` may be the name under which they are stored and a digest; `later` is by file what linking it has
    read since, `drift` what files mention otherwise since.
    """

    names: list[str]
    reported: int
    contents: list[str]
    interfaces: list[str]
    indexed: list[str]
    ties: list[tuple[str, str]]
    switching: list[str]
    follows: bool
    later: dict[str, list[Fact]]
    drift: Drift
    tables: str
    traces: Traces | str
    findings: tuple[Finding, ...]
    connections: Connections

    def texts(self, findings: str) -> tuple[str, ...]:
        """Return this as texts that make one, with the findings as they are stored; the traces are elsewhere."""
        files = [self.names, self.reported, self.contents, self.interfaces, self.indexed]
        told = [*files, self.ties, self.switching, self.follows, self.later, self.drift, self.traces, self.connections]
        return json.dumps(told), "\n", self.tables, "\n", findings

    def read_by(self, traces: Traces) -> ReadBy:
        """Return the facts that linking each file has read."""
        from ..inference.linking.reads import ReadBy

        later = ReadBy(list(self.later.values()), {name: [at] for at, name in enumerate(self.later)})
        return ReadBy(*json.loads(traces.reads)).with_later(later, self.indexed)


def as_text(plain: object, apart: int = 2) -> str:
    """Return lists and mappings as text in one line; made `apart` down to some depth, as all at once needs memory."""
    if apart and isinstance(plain, dict):
        return f"{{{','.join(f'{_ENCODER.encode(key)}:{as_text(each, apart - 1)}' for key, each in plain.items())}}}"
    if apart and isinstance(plain, list | tuple):
        return f"[{','.join(as_text(each, apart - 1) for each in plain)}]"
    return _ENCODER.encode(plain)


def recalled(text: str, findings: Callable[[str], Any]) -> Earlier | None:
    """Return what a text tells; None if it tells nothing."""
    if not text:
        return None
    try:
        told, tables, found = text.split("\n", 2)
        names, reported, contents, interfaces, indexed, ties, switching, follows, *rest = json.loads(told)
        later, drift, traces, links = rest
        pairs = [(user, maker) for user, maker in ties]
        known = names, reported, contents, interfaces, indexed, pairs, switching, follows, later, Drift(*drift)
        return Earlier(*known, tables, traces, findings(found), Connections(*links))
    except (ValueError, TypeError, StoreError):
        return None
