"""The step summary of GitHub Actions: a Markdown table of everything shown, in the file that GitHub names."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator, Sequence
from typing import Final

from ..finding import Finding
from ..limits import LARGEST_SUMMARY
from .causes import told
from .locations import relative, root
from .outcome import Outcome
from .ranking import most_telling_first
from .text import escape

VARIABLE: Final = "GITHUB_STEP_SUMMARY"
_HEAD: Final = "| Severity | Place | Rule | Message |\n|---|---|---|---|\n"
_PUNCTUATION = re.compile(r"([!-/:-@\[-`{-~])")


def append(outcome: Outcome) -> Iterator[str]:
    """Append the table to the file, if there is one; yield the reason if that was not possible."""
    path = os.environ.get(VARIABLE)
    if not path:
        return
    try:
        size = os.path.getsize(path) if os.path.exists(path) else 0
        with open(path, "ab") as file:
            file.write(table(outcome, LARGEST_SUMMARY - size).encode(errors="replace"))
    except OSError as error:
        yield f"The step summary could not be written: {escape(str(error))}"


def table(outcome: Outcome, room: int) -> str:
    """Return the Markdown within the size limit: the most important findings first, and a note about the rest."""
    head = f"### synclint\n\n{_markdown(outcome.summary)}\n\n"
    findings = most_telling_first(outcome.shown)
    if not findings:
        return head if len(head) <= room else ""
    rows = [_row(each, root()) for each in findings]
    fitting = _fitting(rows, room - len((head + _HEAD + _rest(len(rows))).encode()))
    rest = _rest(len(rows) - fitting) if fitting < len(rows) else ""
    causes = "".join(f"{_markdown(line.strip())}  \n" for line in told(outcome.shown))
    text = f"{head}{_HEAD}{''.join(rows[:fitting])}{rest}\n"
    if causes and len((text + causes).encode(errors="replace")) < room:
        text += f"{causes}\n"
    return text if len(text.encode(errors="replace")) <= room else ""


def _fitting(rows: Sequence[str], room: int) -> int:
    """Return how many rows there is room for."""
    for at, row in enumerate(rows):
        room -= len(row.encode(errors="replace"))
        if room < 0:
            return at
    return len(rows)


def _rest(number: int) -> str:
    return f"\n{number} more did not fit here; the step's log lists them all.\n"


def _row(finding: Finding, base: str) -> str:
    place = _markdown(escape(f"{relative(finding.span.filename, base)}:{finding.span.line}"))
    rule = f"[{finding.code} {finding.name}]({finding.url})"
    return f"| {finding.severity.words} | {place} | {rule} | {_markdown(escape(finding.message))} |\n"


def _markdown(text: str) -> str:
    """Return the text as Markdown that shows it verbatim: a backslash before punctuation is always an escape."""
    return _PUNCTUATION.sub(r"\\\1", text)
