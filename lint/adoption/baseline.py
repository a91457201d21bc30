"""The findings that a project had at the start: a file that is written once, merges well and only ever shrinks."""

from __future__ import annotations

import json
import os
from collections import Counter, defaultdict
from collections.abc import Callable, Collection, Hashable, Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from ..files import regular
from ..files.paths import relative
from ..files.statement import shortened
from ..finding import Finding, squeezed
from ..store.rewrite import write

VERSION: Final = 1

_MARKERS: Final = ("<<<<<<<", "|||||||", "=======", ">>>>>>>")
_KEYS: Final = ("path", "in", "rule", "statement")


class BaselineError(Exception):
    """The baseline cannot be read; the message is one line: which file, what is wrong, what to do."""


@dataclass(frozen=True, slots=True, order=True)
class Entry:
    """A known finding, without a line number: it is the `nth` with this statement in this function of this file."""

    path: str
    scope: str
    rule: str
    statement: str
    nth: int = 1

    def key(self, level: int) -> Hashable:
        """Return its key: 0, with its position; 1, with its file; 2, with its statement alone, wherever that moved."""
        statement = squeezed(self.statement)
        place = (self.path, self.scope) if level == 0 else (self.path,) if level == 1 or not statement else ()
        return (self.rule, *place, statement)


def entries(findings: Iterable[Finding], root: Path) -> list[Entry]:
    """Return the entries for the findings of a baseline in `root`, in their order."""
    counts: Counter[Entry] = Counter()
    found = []
    for each in findings:
        entry = Entry(relative(each.span.filename, root), each.scope, each.code, shortened(each.statement))
        counts[entry] += 1
        found.append(Entry(entry.path, entry.scope, entry.rule, entry.statement, counts[entry]))
    return found


def match(
    found: Sequence[Entry], known: Collection[Entry], may_move: Callable[[Entry], bool]
) -> tuple[set[int], list[Entry]]:
    """Return the positions of the known findings, and the entries for which nothing was found.

    An entry stands for one finding: the one in its place, otherwise one with its statement in the same file, otherwise,
    if it `may_move`, one with its statement anywhere.
    """
    rest, matched = dict.fromkeys(sorted(known)), set[int]()
    for level in range(3):
        pool: defaultdict[Hashable, list[Entry]] = defaultdict(list)
        for entry in reversed(rest):
            if level < 2 or may_move(entry):
                pool[entry.key(level)].append(entry)
        for position, entry in enumerate(found if pool else ()):
            if position not in matched and (same := pool[entry.key(level)]):
                del rest[same.pop()]
                matched.add(position)
    return matched, list(rest)


def read(file: Path) -> list[Entry]:
    """Return the entries of a baseline. Raises BaselineError."""
    try:
        text = regular.read(file).decode("utf-8-sig")
    except OSError as error:
        raise BaselineError(f"{file}: cannot read the baseline: {error.strerror}") from error
    except UnicodeDecodeError as error:
        raise BaselineError(f"{file}: the baseline is not UTF-8; {_WAY_OUT}") from error
    for row, line in enumerate(text.splitlines(), 1):
        if line.startswith(_MARKERS):
            raise BaselineError(f"{file}:{row}: the baseline has a merge conflict; take either side, then {_AGAIN}")
    try:
        return sorted({_entry(row) for row in _rows(json.loads(text), file)})
    except json.JSONDecodeError as error:
        raise BaselineError(f"{file}:{error.lineno}: the baseline is not JSON: {error.msg}; {_WAY_OUT}") from error
    except (KeyError, TypeError, ValueError, RecursionError) as error:
        raise BaselineError(f"{file}: a baseline entry is damaged; {_WAY_OUT}") from error


_AGAIN: Final = "run synclint with --write-baseline"
_WAY_OUT: Final = f"restore the file, or delete it and {_AGAIN}"


def _rows(document: Any, file: Path) -> list[Any]:
    if not isinstance(document, dict) or not isinstance(document.get("findings"), list):
        raise BaselineError(f"{file}: this is not a synclint baseline; {_WAY_OUT}")
    if document.get("version") != VERSION:
        raise BaselineError(f"{file}: the baseline is from another version of synclint; use that version, or {_AGAIN}")
    rows: list[Any] = document["findings"]
    return rows


def _entry(row: dict[str, Any]) -> Entry:
    path, scope, rule, statement = (row[key] for key in _KEYS)
    nth = row.get("nth", 1)
    if not all(isinstance(text, str) for text in (path, scope, rule, statement)) or type(nth) is not int:
        raise TypeError
    return Entry(path, scope, rule, statement, nth)


def save(file: Path, content: Iterable[Entry], tree: Path) -> None:
    """Write a baseline of the project in `tree`: sorted, one entry per line. Raises BaselineError."""
    rows = [json.dumps(_row(entry)) for entry in sorted(set(content))]
    findings = "[\n" + ",\n".join(rows) + "\n]" if rows else "[]"
    try:
        write(file, f'{{"version": {VERSION}, "findings": {findings}}}\n'.encode(), tree)
    except OSError as error:
        raise BaselineError(f"{os.fspath(file)}: could not be written: {error.strerror}") from error


def _row(entry: Entry) -> dict[str, Any]:
    texts = zip(_KEYS, (entry.path, entry.scope, entry.rule, entry.statement))
    return dict(texts) | ({"nth": entry.nth} if entry.nth > 1 else {})
