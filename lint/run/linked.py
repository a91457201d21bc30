"""The second half of a run: what happens in all files, in the light of each other."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from ..settings.config import Settings
from ..settings.versions import LIBRARIES
from .file import Checked, Failure

if TYPE_CHECKING:
    from ..inference.notes.operations import Operation
    from ..inference.notes.summary import FileSummary


class Linked:
    """The operations of all files, linked once for all settings that mean the same to linking."""

    def __init__(self, reported: Sequence[Checked], others: Sequence[Checked]) -> None:
        self.reported = [each.summary for each in reported if each.summary]
        self.others = [each.summary for each in others if each.summary]
        self.failures: dict[str, Failure] = {}
        self._known: dict[str, dict[str, list[Operation]]] = {}

    def operations(self, settings: Settings, names: Sequence[str]) -> list[Operation]:
        """Return the linked operations of some files."""
        if not self.reported or not names:
            return []
        named = (settings.hot_functions, settings.cold_functions, settings.allowed_contexts)
        key = repr((named, settings.facts, settings.pins, [getattr(settings, library) for library in LIBRARIES]))
        if key not in self._known:
            self._known[key] = {}
            for each in self._linked(settings, self.reported, self.others):
                self._known[key].setdefault(each.span.filename, []).append(each)
        return [operation for name in names for operation in self._known[key].get(name, ())]

    def _linked(
        self, settings: Settings, summaries: Sequence[FileSummary], others: Sequence[FileSummary]
    ) -> list[Operation]:
        """Return the linked operations of the files."""
        from ..inference.linking.link import link

        every = sorted((*summaries, *others), key=lambda each: each.filename)
        try:
            return list(link(every, settings, frozenset(each.filename for each in summaries), self._fail))
        except Exception as error:
            self._fail(summaries[0].filename, "linking it with the other files", error)
            return []

    def _fail(self, filename: str, part: str, error: BaseException) -> None:
        self.failures.setdefault(filename, Failure.of(filename, part, error))
