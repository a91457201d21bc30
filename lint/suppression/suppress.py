"""Findings that the code's author knows about: `# synclint: ignore[CODE] reason` and the like."""

from __future__ import annotations

import ast
import re
from bisect import bisect_right
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import lru_cache
from typing import Final

from ..files.source import Comment, Source, comments
from ..finding import Kind, Span
from ..plugins.known import known_rules
from ..regex import regex
from ..rule import Rule
from ..settings.selection import selects

KINDS: Final = ("ignore", "file-ignore", "expect")

_OURS = regex(r"#\s*synclint:\s*(?P<kind>[\w-]*)\s*(?:\[(?P<rules>[^\]#]*)\])?:?\s*(?P<reason>[^#]*)")
_NOQA = regex(r"#\s*noqa\s*:\s*(?P<rules>[A-Z]+[0-9]+(?:[,\s]+[A-Z]+[0-9]+)*)(?P<reason>[^#]*)", re.IGNORECASE)
_LAST_ROW: Final = 1 << 30
_BELOW = (ast.stmt, ast.excepthandler, ast.match_case)


@dataclass(frozen=True, slots=True)
class Suppression:
    """A comment that suppresses findings: which rules (none named: all), on which rows, and why.

    `kind` is `ignore`, `file-ignore`, `expect`, `noqa`, or whatever was written in their place. `idle` are the rules it
    names that had nothing to suppress, known only after the run; for a comment that names none it is `("",)`. `unknown`
    are the names that match no rule.
    """

    kind: str
    rules: tuple[str, ...]
    reason: str
    span: Span
    rows: tuple[int, int]
    idle: tuple[str, ...] = field(default=())
    unknown: tuple[str, ...] = field(default=())


def suppressions(source: Source) -> tuple[Suppression, ...]:
    """Return the suppressions of a file; without any, that costs two searches."""
    if "synclint:" not in source.text and not any(map(_ours_in, _NOQA.finditer(source.text))):
        return ()
    found = [each for comment in comments(source) for each in _read(comment, source)]
    return tuple(_placed(source.tree, found)) if found else ()


def _read(comment: Comment, source: Source) -> Iterator[tuple[Suppression, bool]]:
    """Yield the suppressions in one comment, each with whether it is alone on its line."""
    for match in (*_OURS.finditer(comment.text), *_NOQA.finditer(comment.text)):
        kind = match["kind"] if "kind" in match.groupdict() else "noqa"
        rules = _ours_in(match) if kind == "noqa" else _rules_in(match)
        if kind == "noqa" and not rules:
            continue
        column = comment.column + match.start()
        end = column + len(match[0].rstrip())
        span = Span(source.filename, comment.row, column, comment.row, end, source.cell(comment.row))
        yield Suppression(kind, rules, match["reason"].strip(" \t-:"), span, (0, 0)), comment.alone


def _rules_in(comment: re.Match[str]) -> tuple[str, ...]:
    """Return the rules that a comment names."""
    return tuple(re.findall(r"[^\s,]+", comment["rules"] or ""))


def _ours_in(noqa: re.Match[str]) -> tuple[str, ...]:
    """Return the rules of ours among those that a comment for any linter names."""
    return tuple(rule for rule in _rules_in(noqa) if rule.upper().startswith("SYNC"))


def _placed(tree: ast.Module, found: list[tuple[Suppression, bool]]) -> Iterator[Suppression]:
    """Yield each suppression with the rows it applies to."""
    statements = _Statements(tree)
    for each, alone in found:
        rows = (1, _LAST_ROW) if each.kind == "file-ignore" else statements.rows(each.span.row, alone)
        yield Suppression(each.kind, each.rules, each.reason, each.span, rows)


class _Statements:
    """The statements of a file, by the rows that they or, if they are compound, their headers take."""

    def __init__(self, tree: ast.Module) -> None:
        self._starts = sorted(_statements(tree))
        self._inner = _covered((first, inner, last) for first, inner, last in self._starts)
        self._around = _covered((first, last, last) for first, _, last in self._starts)

    def rows(self, row: int, alone: bool) -> tuple[int, int]:
        """Return the rows of the statement that contains a comment, or of the next one after it."""
        around = (self._inner if alone else self._around).get(row)
        if around is None and alone:
            at = bisect_right(self._starts, (row, _LAST_ROW, _LAST_ROW))
            first, inner, last = self._starts[at] if at < len(self._starts) else (row, row, row)
            return first, max(inner, last)
        return around or (row, row)


def _covered(ranges: Iterable[tuple[int, int, int]]) -> dict[int, tuple[int, int]]:
    """Return for each row between first and second of three: the least first and the greatest third around it.

    Statements that share rows are few: several on one line, or the lines of a header.
    """
    found: dict[int, tuple[int, int]] = {}
    for first, stop, last in ranges:
        for row in range(first, stop + 1):
            least, greatest = found.get(row, (first, last))
            found[row] = (min(first, least), max(last, greatest))
    return found


def _statements(tree: ast.Module) -> Iterator[tuple[int, int, int]]:
    """Yield first row, last row with an expression and last row of each statement, or of a compound one's header."""
    for node in ast.walk(tree):
        if isinstance(node, ast.match_case):
            row = node.pattern.lineno
            yield row, node.pattern.end_lineno or row, max(row, _first_row(node.body[0]) - 1)
        elif isinstance(node, ast.stmt | ast.excepthandler):
            yield _first_row(node), *_last_rows(node)


def _last_rows(node: ast.stmt | ast.excepthandler) -> tuple[int, int]:
    inner = node.cases if isinstance(node, ast.Match) else getattr(node, "body", ())
    if not inner:
        return node.end_lineno or node.lineno, node.end_lineno or node.lineno
    header = [child for child in ast.iter_child_nodes(node) if not isinstance(child, _BELOW)]
    ends = [getattr(each, "end_lineno", 0) for child in header for each in ast.walk(child)]
    below = inner[0].pattern.lineno if isinstance(inner[0], ast.match_case) else _first_row(inner[0])
    return max(node.lineno, *ends) if ends else node.lineno, max(node.lineno, below - 1)


def _first_row(node: ast.stmt | ast.excepthandler) -> int:
    return min((each.lineno for each in getattr(node, "decorator_list", ())), default=node.lineno)


class _Speaking:
    """The rows of one file where a rule is silenced: names given for the same rows are looked up once per rule."""

    def __init__(self, found: Sequence[Suppression]) -> None:
        self.used: set[tuple[tuple[int, int], str]] = set()
        self._names: dict[tuple[int, int], set[str]] = {}
        for each in found:
            if each.kind in (*KINDS, "noqa"):
                self._names.setdefault(each.rows, set()).update(each.rules or ("",))
        self._by_row: dict[int, list[tuple[int, int]]] = {}
        for rows in self._names:
            for row in range(rows[0], rows[1] + 1) if rows[1] != _LAST_ROW else ():
                self._by_row.setdefault(row, []).append(rows)
        self._answers: dict[tuple[tuple[int, int], str], list[str]] = {}

    def silences(self, rule: Rule, row: int) -> bool:
        """Whether a suppression applies to this rule and row; all that do have been of use."""
        silent = False
        for rows in (*self._by_row.get(row, ()), (1, _LAST_ROW)):
            names = self._selecting(rows, rule)
            self.used.update((rows, name) for name in names)
            silent = silent or bool(names)
        return silent

    def _selecting(self, rows: tuple[int, int], rule: Rule) -> list[str]:
        """Return the names given for some rows that select the rule.

        Findings about suppressions themselves are only suppressed by one that names that rule.
        """
        key = (rows, rule.code)
        if key not in self._answers:
            names = self._names.get(rows, ())
            self._answers[key] = [
                each for each in names if (selects(each, rule) if each else rule.kind is not Kind.META)
            ]
        return self._answers[key]


class Judgement:
    """Which suppressions of a run suppressed something, and which had nothing to suppress."""

    def __init__(
        self, given: Mapping[str, tuple[Suppression, ...]], rules: Sequence[Rule], plugins: tuple[str, ...]
    ) -> None:
        self._given = {filename: found for filename, found in given.items() if found}
        self._speaking = {filename: _Speaking(found) for filename, found in self._given.items()}
        self._rules = rules
        self._plugins = plugins

    def silences(self, rule: Rule, span: Span) -> bool:
        """Whether a suppression covers this rule and row."""
        speaking = self._speaking.get(span.filename)
        return speaking is not None and speaking.silences(rule, span.row)

    def outcome(self, failed: Collection[str]) -> Iterator[Suppression]:
        """Yield every suppression with the names that had no effect; files that failed cannot be judged."""
        running = {rule.code for rule in self._rules}
        meaning = lru_cache(maxsize=None)(self._meaning)
        for filename, found in self._given.items():
            used = self._speaking[filename].used
            for each in found if filename not in failed else ():
                unknown = tuple(name for name in each.rules if not meaning(name))
                idle = tuple(
                    name
                    for name in each.rules or ("",)
                    if name not in unknown and (each.rows, name) not in used and meaning(name) <= running
                )
                yield replace(each, idle=idle, unknown=unknown)

    def _meaning(self, name: str) -> set[str]:
        """Return the codes of the rules that a name in a suppression selects; the default set if it names none.

        The code of a rule about suppressions is replaced by one that no run has: what suppresses it is not judged.
        """
        rules = known_rules(self._plugins)
        if not name:
            return {rule.code for rule in rules if rule.default and rule.kind is not Kind.META}
        return {"" if rule.kind is Kind.META else rule.code for rule in rules if selects(name, rule)}
