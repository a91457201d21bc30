"""The fixes of findings that are shown: those that the analysis confirms, made when the first is asked for."""

from __future__ import annotations

from collections.abc import Callable

from ..finding import Finding
from ..offers import Fix
from ..run.analyses import Analyses
from ..run.result import Result
from ..task import Task
from .kept import Kept

Place = tuple[str, str, int, int]


class Verified:
    """The fixes of a result, safe or not, each of which cures what it is shown for, and brings nothing else.

    What an earlier run confirmed of the same findings and files is taken from the cache.
    """

    def __init__(
        self,
        task: Task,
        result: Result,
        analyses: Analyses | None = None,
        wants: Callable[[Finding], bool] = lambda _: True,
    ) -> None:
        self._task = task
        self._result = result
        self._analyses = analyses or Analyses(str(task.cache or ""))
        self._wants = wants
        self._fixes: dict[Place, Fix] | None = None

    def fix(self, finding: Finding) -> Fix | None:
        """Return the fix of a finding, if one can be made."""
        if not finding.offers:
            return None
        if self._fixes is None:
            self._fixes = self._made()
        return self._fixes.get(_place(finding))

    def _made(self) -> dict[Place, Fix]:
        offered = [each for each in self._result.findings if each.offers and self._wants(each)]
        kept = Kept(self._task, self._result.texts.lines, offered)
        known = kept.get()
        if known is None:
            known = self._confirmed(offered)
            kept.keep(known)
        return {_place(offered[at]): fix for at, fix in known.items()}

    def _confirmed(self, offered: list[Finding]) -> dict[int, Fix]:
        from .passes import Passes  # which imports LibCST

        passes = Passes(self._task, self._result, self._wants, self._analyses)
        made = {_place(one): each.fix for each in passes.confirmed() for one in each.findings}
        return {at: fix for at, each in enumerate(offered) if (fix := made.get(_place(each))) is not None}


def _place(finding: Finding) -> Place:
    return finding.span.filename, finding.code, finding.span.row, finding.span.column
