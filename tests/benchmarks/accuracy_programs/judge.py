"""Joins what ran and waited with what was reported, logical line by logical line. Pure: plain data in and out."""

from __future__ import annotations

import ast
import bisect
import warnings
from collections import Counter, defaultdict
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

    @property
    def reported(self) -> list[Said]:
        """The findings that count as a report."""
        return [each for each in self.findings if each.severity in LOUD]

    @property
    def verdict(self) -> str:
        """How report and run agree."""
        if self.waits:
            return "right" if self.reported else "missed"
        return "wrong" if self.reported else "quiet"

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
    def _heads(self) -> list[tuple[int, int]]:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            tree = ast.parse(self._text)
        return sorted({_rows(node) for node in ast.walk(tree) if isinstance(node, ast.stmt)})

    def head(self, row: int) -> tuple[int, int]:
        """First and last row of the innermost logical line with this row in it; the row itself where there is none."""
        at = bisect.bisect_right(self._heads, (row, 1 << 30))
        for first, last in reversed(self._heads[max(0, at - 50) : at]):
            if first <= row <= last:
                return first, last
        return row, row

    def text(self, rows: tuple[int, int]) -> str:
        """The source of a logical line, white space collapsed."""
        return " ".join(" ".join(self._text.splitlines()[rows[0] - 1 : rows[1]]).split())[:300]


def _rows(node: ast.stmt) -> tuple[int, int]:
    first = min([node.lineno, *(each.lineno for each in getattr(node, "decorator_list", ()))])
    body = getattr(node, "body", None) or getattr(node, "cases", None)
    if not body:
        return first, node.end_lineno or node.lineno
    inner = body[0].pattern.lineno if isinstance(body[0], ast.match_case) else _rows(body[0])[0]
    return first, max(node.lineno, inner - 1)


def judge(root: str, seen: Sequence[Mapping[str, Any]], said: Iterable[Said]) -> list[Line]:
    """The logical lines below the root that ran, with their waits and findings."""
    sources: dict[str, Source] = {}
    lines: dict[tuple[str, int], Line] = {}

    def line_of(filename: str, row: int) -> Line:
        source = sources.setdefault(filename, Source(filename)) if filename not in sources else sources[filename]
        rows = source.head(row)
        key = (filename, rows[0])
        if key not in lines:
            lines[key] = Line(filename, rows[0], source.text(rows))
        return lines[key]

    for program in seen:
        for filename, rows in program.get("rows", {}).items():
            for line in {id(line): line for line in (line_of(filename, row) for row in rows)}.values():
                line.programs.append(program["program"])
        for filename, row, operator, kind, count in program.get("waits", ()):
            line_of(filename, row).waits[operator, kind, program["program"]] += count
    by_file: dict[str, list[Said]] = defaultdict(list)
    for each in said:
        by_file[each.filename].append(each)
    for filename in sources:
        for each in by_file[filename]:
            if (filename, sources[filename].head(each.row)[0]) in lines:
                line_of(filename, each.row).findings.append(each)
    return [*lines.values()]
