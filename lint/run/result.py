"""What a run has found."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from ..files.texts import Texts
from ..finding import Finding
from .file import Failure


@dataclass(frozen=True, slots=True)
class Result:
    """The findings of a run, ordered by file and position, and the linter's own failures.

    `on_purpose` are explicit waits, whose rule nobody has selected.
    """

    findings: tuple[Finding, ...]
    failures: tuple[Failure, ...]
    files: int
    seconds: float
    texts: Texts
    on_purpose: tuple[Finding, ...] = ()

    @classmethod
    def of(
        cls, found: Sequence[Finding], failures: tuple[Failure, ...], files: int, seconds: float, texts: Texts
    ) -> Result:
        """Return the result of a run whose waits on purpose are found without a severity."""
        loud = tuple(each for each in found if each.severity)
        quiet = tuple(each for each in found if not each.severity)
        return cls(loud, failures, files, seconds, texts, quiet)
