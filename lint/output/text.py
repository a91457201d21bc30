"""What every text format needs: text of foreign origin made harmless, and numbers in words."""

from __future__ import annotations

from collections.abc import Sequence

from ..finding import Finding, Severity, Span


def escape(text: str) -> str:
    """The text with every control, formatting and unprintable character spelt out as an escape sequence."""
    if text.isprintable():
        return text
    return "".join(each if each.isprintable() else each.encode("unicode_escape").decode() for each in text)


def place(span: Span) -> str:
    """`file:row:column`."""
    return f"{escape(span.filename)}:{span.row}:{span.column}"


def shown(findings: Sequence[Finding], notes: bool) -> list[Finding]:
    """The findings to show: notes only where they are asked for."""
    return [finding for finding in findings if notes or finding.severity > Severity.NOTE]


def summary(findings: Sequence[Finding], files: int, notes: bool) -> str:
    """One line that says how much was found in how many files."""
    where = f"in {_many(files, 'file')}"
    counts = {level: sum(finding.severity is level for finding in findings) for level in reversed(Severity)}
    loud = [_many(number, level.words) for level, number in counts.items() if number and (notes or level > 1)]
    hidden = counts[Severity.NOTE] if not notes else 0
    tail = f" ({_many(hidden, 'note')} not shown: --show-notes)" if hidden else ""
    return f"Found {_joined(loud)} {where}{tail}." if loud else f"Found nothing {where}{tail}."


def _many(number: int, word: str) -> str:
    return f"{number} {word}" if number == 1 else f"{number} {word}s"


def _joined(parts: list[str]) -> str:
    return " and ".join(filter(None, (", ".join(parts[:-1]), parts[-1])))
