"""The second half of a run: what happens in all files, in the light of each other."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from ..files.modules import Modules
from ..settings.config import Settings
from ..settings.versions import LIBRARIES
from .file import Checked, Failure
from .remembered import Remembered

if TYPE_CHECKING:
    from ..inference.linking.link import WholeProject
    from ..inference.notes.names import Names
    from ..inference.notes.operations import Operation
    from ..inference.notes.uses import Uses


class Linked:
    """The operations of all files, linked once for all settings that mean the same to linking.

    `last`: nobody needs the analyses after that, and there are no other settings.
    """

    def __init__(
        self,
        reported: Sequence[Checked],
        others: Sequence[Checked],
        modules: Modules | None,
        noted: bool,
        remembered: Remembered | None = None,
        last: bool = False,
    ) -> None:
        self.last = last
        self._remembered = remembered
        self._mentions = {each.filename: each.mentions for each in (*reported, *others) if each.mentions}
        self._modules = modules
        self._noted = noted
        summaries = [each.summary for each in (*reported, *others) if each.summary]
        self.summaries = sorted(summaries, key=lambda each: each.filename)
        self.reported = frozenset(each.filename for each in reported if each.summary)
        self.project: WholeProject | None = None
        self.names: Names | None = None
        self.uses: Uses | None = None
        self.every: list[Operation] = []
        self.failures: dict[str, Failure] = {}
        self._known: dict[str, dict[str, list[Operation]]] = {}

    def operations(self, settings: Settings, names: Sequence[str]) -> list[Operation]:
        """Return the linked operations of some files."""
        if not self.reported or not names:
            return []
        named = (
            settings.hot_functions,
            settings.cold_functions,
            settings.captured_functions,
            settings.allowed_contexts,
        )
        about = (settings.facts, settings.pins, settings.is_installable, settings.options_set)
        key = repr((named, about, [getattr(settings, library) for library in LIBRARIES]))
        if key not in self._known:
            self._known[key] = {}
            self.every = self._linked(settings)
            for each in self.every:
                self._known[key].setdefault(each.span.filename, []).append(each)
        return [operation for name in names for operation in self._known[key].get(name, ())]

    def _linked(self, settings: Settings) -> list[Operation]:
        """Return the linked operations of the files, and what operations of the others tell about them."""
        from ..inference.linking.link import WholeProject

        try:
            if self.project is None:
                if self._modules is not None:
                    remembered = self._remembered or Remembered()
                    self.names, self.uses = remembered.mentioned(self._modules, self._mentions)
                following = self._remembered.following if self._remembered else None
                self.project = WholeProject(
                    self.summaries, self.reported, self._fail, self.uses, self._noted, following, self.last
                )
            return self.project.operations(settings)
        except Exception as error:
            self._fail(min(self.reported), "linking it with the other files", error)
            return []

    def let_go(self) -> None:
        """Forget what was linked, so that its memory is free at once."""
        if self.project is not None:
            self.project.index.let_go()
        self.summaries.clear()
        self._mentions.clear()
        self._known.clear()
        self.every.clear()
        self.project = self.names = self.uses = None

    def _fail(self, filename: str, part: str, error: BaseException) -> None:
        self.failures.setdefault(filename, Failure.of(filename, part, error))
        if self._remembered is not None:
            self._remembered.forget()
