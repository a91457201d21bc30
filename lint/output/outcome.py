"""The outcome of a run, as passed to every format."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from ..finding import Finding, Severity
from ..limits import WIDEST_REPORT
from ..offers import Fix
from .causes import told
from .text import fixable, summary

if TYPE_CHECKING:
    from ..run.file import Failure


@dataclass(frozen=True, slots=True)
class Outcome:
    """The findings, ordered by file and position; `lines` returns the lines of a source file.

    Formats read as a stream show `shown`, which includes notes only if `notes` asks for them. Formats that are stored
    and filtered later contain all findings. `summed_up` asks for a closing line; `color` says that the lines go where
    colors are shown, `links` that they go to a terminal, where links can be clicked. `fix` returns what a finding's
    offer comes to, if anything; `shows_fixes` asks for it in reports for people; `hints` says which kinds of fixes,
    safe ones or all, a further run could make. `by_file` asks reports for people for files rather than programs;
    `width` is that of their lines; `is_aside` tells documentation, examples and copies, which they only count;
    `on_purpose` are explicit waits that are not reported.
    """

    findings: Sequence[Finding]
    lines: Callable[[str], Sequence[str]]
    failures: Sequence[Failure] = ()
    files: int = 0
    notes: bool = False
    summed_up: bool = False
    color: bool = False
    links: bool = False
    fix: Callable[[Finding], Fix | None] = lambda _: None
    shows_fixes: bool = False
    hints: tuple[bool, ...] = (True, False)
    by_file: bool = False
    width: int = WIDEST_REPORT
    is_aside: Callable[[str], bool] = lambda _: False
    on_purpose: Sequence[Finding] = ()

    @property
    def shown(self) -> list[Finding]:
        """The findings to show."""
        return [each for each in self.findings if self.shows(each)]

    @property
    def near(self) -> tuple[list[Finding], list[Finding]]:
        """The findings to show to people, and those that are only counted, unless there are no others."""
        aside = [each for each in self.shown if self.is_aside(each.span.filename)]
        near = [each for each in self.shown if not self.is_aside(each.span.filename)]
        return (near, aside) if near else (aside, [])

    def shows(self, finding: Finding) -> bool:
        """Whether the finding is shown in formats that are read from top to bottom."""
        return self.notes or finding.severity > Severity.NOTE

    def line(self, finding: Finding) -> str:
        """Return the source line that a finding begins on; empty if it cannot be read."""
        lines = self.lines(finding.span.filename)
        return lines[finding.span.row - 1].strip() if finding.span.row <= len(lines) else ""

    @property
    def summary(self) -> str:
        """One line that says how many findings there are in how many files."""
        return summary(self.findings, self.files, self.notes)

    def closing(self) -> Iterator[str]:
        """Yield the closing lines of a report for people."""
        if self.summed_up:
            yield self.summary
            if hint := fixable(self.shown, self.hints):
                yield hint

    def explained(self) -> Iterator[str]:
        """Yield the closing lines, and the assumptions on which several of the findings rest."""
        yield from self.closing()
        if self.summed_up:
            yield from told(self.shown)
