"""Joins what ran and waited with what was reported, logical line by logical line. Pure: plain data in and out."""

from __future__ import annotations

import ast
import bisect
import warnings
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from functools import cached_property
from pathlib import Path
from typing import Any, Final

LOUD: Final = ("warning", "error")


@dataclass(frozen=True)
class Said:
    """One finding."""

    filename: str
    row: int
    column: int
    end: int
    code: str
    severity: str
    message: str
    frequency: str


@dataclass
class Line:
    """One logical line that ran in a measured step: a simple statement, or the head of a compound one."""

    filename: str
    row: int
    source: str
    findings: list[Said] = field(default_factory=list)
    waits: Counter[tuple[str, str, str]] = field(default_factory=Counter)
    """Operator, kind and program -> how often."""
    programs: list[str] = field(default_factory=list)
    uncertain: set[Said] = field(default_factory=set)
    """The findings in a part of the line that need not have been evaluated."""

    @property
    def reported(self) -> list[Said]:
        """The findings that count as a report."""
        return [each for each in self.findings if each.severity in LOUD]

    @property
    def verdict(self) -> str:
        """How report and run agree; `open` where the reported part of the line need not have run."""
        if self.waits:
            return "right" if self.reported else "missed"
        if not self.reported:
            return "quiet"
        return "open" if self.uncertain.issuperset(self.reported) else "wrong"

    def as_row(self) -> dict[str, Any]:
        """The line as plain data."""
        waits = Counter[tuple[str, str]]()
        for (operator, kind, _), count in self.waits.items():
            waits[operator, kind] += count
        return {
            "filename": self.filename,
            "row": self.row,
            "source": self.source,
            "verdict": self.verdict,
            "findings": [asdict(each) for each in self.findings],
            "waits": [{"operator": name, "kind": kind, "count": count} for (name, kind), count in waits.items()],
            "programs": self.programs[:5],
        }

    def described(self) -> Iterator[str]:
        """The line for a reader who is to judge it."""
        yield f"{self.verdict.upper()} {self.filename}:{self.row}"
        yield f"    | {self.source}"
        operators = sorted({f"{operator} ({kind})" for operator, kind, _ in self.waits})
        if operators:
            yield f"    waited:  {', '.join(operators)}"
        for each in self.findings:
            yield f"    said:    {each.code} {each.severity}, {each.frequency}: {each.message}"
        programs = list(dict.fromkeys(program for _, _, program in self.waits)) or self.programs
        yield f"    ran in:  {', '.join(programs[:3])}{f' and {len(programs) - 3} more' if len(programs) > 3 else ''}"


class Source:
    """The logical lines of one file."""

    def __init__(self, filename: str) -> None:
        self._text = Path(filename).read_text(encoding="utf-8", errors="replace")

    @cached_property
    def _tree(self) -> ast.Module:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            return ast.parse(self._text)

    @cached_property
    def _heads(self) -> list[tuple[int, int]]:
        return sorted({_rows(node) for node in ast.walk(self._tree) if isinstance(node, ast.stmt)})

    @cached_property
    def _conditional(self) -> list[ast.expr]:
        return [part for node in ast.walk(self._tree) for part in _conditional_parts(node)]

    def is_conditional(self, row: int, column: int) -> bool:
        """The place stands in a part of an expression that Python evaluates only under some condition."""
        offset = len(self._text.splitlines()[row - 1][: column - 1].encode())
        return any(
            (part.lineno, part.col_offset) <= (row, offset) < (part.end_lineno or 0, part.end_col_offset or 0)
            for part in self._conditional
        )

    def head(self, row: int) -> tuple[int, int]:
        """First and last row of the innermost logical line with this row in it; the row itself where there is none."""
        at = bisect.bisect_right(self._heads, (row, 1 << 30))
        for first, last in reversed(self._heads[max(0, at - 50) : at]):
            if first <= row <= last:
                return first, last
        return row, row

    def rows(self, first: int, last: int) -> list[str]:
        """The source of rows, one by one."""
        return self._text.splitlines()[first - 1 : last]

    def text(self, rows: tuple[int, int]) -> str:
        """The source of a logical line, white space collapsed."""
        return " ".join(" ".join(self.rows(*rows)).split())[:300]


def _rows(node: ast.stmt) -> tuple[int, int]:
    first = min([node.lineno, *(each.lineno for each in getattr(node, "decorator_list", ()))])
    body = getattr(node, "body", None) or getattr(node, "cases", None)
    if not body:
        return first, node.end_lineno or node.lineno
    inner = body[0].pattern.lineno if isinstance(body[0], ast.match_case) else _rows(body[0])[0]
    return first, max(node.lineno, inner - 1)


def _conditional_parts(node: ast.AST) -> list[ast.expr]:
    match node:
        case ast.IfExp(body=body, orelse=orelse):
            return [body, orelse]
        case ast.BoolOp(values=[_, *rest]):
            return rest
        case ast.Lambda(body=body):
            return [body]
        case ast.ListComp(elt=element) | ast.SetComp(elt=element) | ast.GeneratorExp(elt=element):
            return [element, *(test for each in node.generators for test in each.ifs)]
        case ast.DictComp(key=key, value=value):
            return [key, value]
    return []


class _Lines:
    """The lines of all files, made when they are asked for first."""

    def __init__(self) -> None:
        self.known: dict[tuple[str, int], Line] = {}
        self.sources: dict[str, Source] = {}

    def at(self, filename: str, row: int) -> Line:
        """The logical line with this row in it."""
        source = self.sources[filename] if filename in self.sources else self._source(filename)
        rows = source.head(row)
        return self.known.setdefault((filename, rows[0]), Line(filename, rows[0], source.text(rows)))

    def _source(self, filename: str) -> Source:
        self.sources[filename] = Source(filename)
        return self.sources[filename]

    def ran(self, program: Mapping[str, Any]) -> None:
        """Note what one program ran and where it waited."""
        for filename, rows in program.get("rows", {}).items():
            for line in {id(line): line for line in (self.at(filename, row) for row in rows)}.values():
                line.programs.append(program["program"])
        for filename, row, operator, kind, count in program.get("waits", ()):
            self.at(filename, row).waits[operator, kind, program["program"]] += count

    def said(self, finding: Said) -> None:
        """Note what was reported on a line that ran."""
        source = self.sources.get(finding.filename)
        line = self.known.get((finding.filename, source.head(finding.row)[0])) if source else None
        if source is None or line is None:
            return
        line.findings.append(finding)
        if source.is_conditional(finding.row, finding.column):
            line.uncertain.add(finding)


def judge(seen: Sequence[Mapping[str, Any]], said: Iterable[Said]) -> list[Line]:
    """The logical lines that ran, with their waits and findings."""
    lines = _Lines()
    for program in seen:
        lines.ran(program)
    for finding in said:
        lines.said(finding)
    return [*lines.known.values()]
