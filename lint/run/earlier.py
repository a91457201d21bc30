"""What a run found out about all its files, kept for the next one."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final, NamedTuple, TypeAlias

from ..finding import Finding
from ..store.encoding import StoreError
from .connected import Connections

if TYPE_CHECKING:
    from ..inference.linking.index.reads import ReadBy

_ENCODER: Final = json.JSONEncoder(separators=(",", ":"), check_circular=False)


Apart: TypeAlias = "Iterable[str] | str"
"""The parts of texts that are stored apart, or the name under which they are, with a version: most runs write none."""


class Later(NamedTuple):
    """What is otherwise than texts that are stored apart tell.

    Of files whose calls have been followed again, their rows and what the calls have asked; what linking has read.
    `stale` are the numbers of what linking all has read that is otherwise, `confirmed` the questions that have the same
    answers even so (see `trace`), `changed` the files that are others.
    """

    rows: list[Any]
    direct: ReadBy
    through_attributes: ReadBy
    reads: ReadBy
    confirmed: ReadBy
    stale: list[int]
    changed: list[str]

    @classmethod
    def none(cls) -> Later:
        """Return that nothing is otherwise."""
        return cls.of([], *([{}, {}] for _ in range(4)), [], [])

    @classmethod
    def of(cls, rows: list[Any], *rest: Sequence[Any]) -> Later:
        """Return what was stored."""
        from ..inference.linking.index.reads import ReadBy

        *read, stale, changed = rest
        direct, through_attributes, reads, confirmed = (ReadBy(*each) for each in read)
        return cls(rows, direct, through_attributes, reads, confirmed, [*stale], [*changed])

    def with_changed(self, names: Iterable[str]) -> Later:
        """Return this with more files that are others."""
        return self._replace(changed=sorted({*self.changed, *names}))


class Drift(NamedTuple):
    """What files mention otherwise than the traces tell: by how many more mention each word, what is bound in files."""

    words: dict[str, int]
    bound: dict[str, str]


@dataclass(frozen=True, slots=True)
class Earlier:
    """What a run found out, as the next one needs it.

    `names` are the files, `reported` how many of them, the first ones, were reported on; `contents` and `interfaces`
    are digests by file. `indexed` are the files of the index in their order, `ties` those which tell each other what
    becomes of an object, `switching` those that turn off the checks of distributions, `pending` those that were not
    asked for and are still to be linked again. `rows` and `tables` are those of the index, `traces` what calls have
    asked and linking has read, `words` what the files mention, all as texts. What is in `later` counts instead of some
    rows and traces; `drift` is what files mention otherwise than `words` tell.
    """

    names: list[str]
    reported: int
    contents: list[str]
    interfaces: list[str]
    indexed: list[str]
    ties: list[tuple[str, str]]
    switching: list[str]
    follows: bool
    pending: list[str]
    drift: Drift
    rows: Apart
    traces: Apart
    connections: Connections
    later: Later
    tables: str
    words: str
    findings: tuple[Finding, ...]

    def texts(self, findings: str) -> tuple[str, ...]:
        """Return this as texts that make one, with the findings as they are stored; what is apart is elsewhere."""
        files = [self.names, self.reported, self.contents, self.interfaces, self.indexed]
        told = [*files, self.ties, self.switching, self.follows, self.pending]
        told += [self.drift, self.rows, self.traces, self.connections]
        return json.dumps(told), "\n", as_text(self.later), "\n", self.tables, "\n", self.words, "\n", findings


def as_text(plain: object, apart: int = 2) -> str:
    """Return lists and mappings as text in one line (see `parts_of`)."""
    return "".join(parts_of(plain, apart))


def in_lines(texts: Iterable[Iterable[str]]) -> Iterator[str]:
    """Yield the parts of texts, each of which is a line; they may be made one by one."""
    for at, text in enumerate(texts):
        yield from ("\n",) if at else ()
        yield from text


def parts_of(plain: object, apart: int = 2) -> Iterator[str]:
    """Yield the parts of such a text; made `apart` down to some depth, as all at once needs memory."""
    if apart and isinstance(plain, dict):
        between = "{"
        for key, each in plain.items():
            yield f"{between}{_ENCODER.encode(key)}:"
            yield from parts_of(each, apart - 1)
            between = ","
        yield "}" if plain else "{}"
    elif apart and isinstance(plain, list | tuple):
        between = "["
        for each in plain:
            yield between
            yield from parts_of(each, apart - 1)
            between = ","
        yield "]" if plain else "[]"
    else:
        yield _ENCODER.encode(plain)


def recalled(text: str, findings: Callable[[str], Any]) -> Earlier | None:
    """Return what a text tells; None if it tells nothing."""
    if not text:
        return None
    try:
        told, later, tables, words, found = text.split("\n", 4)
        names, reported, contents, interfaces, indexed, ties, switching, *rest = json.loads(told)
        follows, pending, drift, rows, traces, links = rest
        pairs = [(user, maker) for user, maker in ties]
        known = names, reported, contents, interfaces, indexed, pairs, switching, follows, pending
        since = Later.of(*json.loads(later))
        apart = Drift(*drift), rows, traces, Connections(*links)
        return Earlier(*known, *apart, since, tables, words, findings(found))
    except (ValueError, TypeError, StoreError):
        return None
