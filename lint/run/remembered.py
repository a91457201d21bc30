"""What a run leaves in memory for the next one over the same files."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cached_property
from typing import TYPE_CHECKING

from ..files.modules import Modules

if TYPE_CHECKING:
    from ..inference.linking.index.followed import Followed
    from ..inference.notes.mentions import Mentions
    from ..inference.notes.names import Names
    from ..inference.notes.uses import Uses


class Remembered:
    """What calls run, what names are imported as, and what files mention together: an edit changes little of that."""

    def __init__(self) -> None:
        self._modules: Modules | None = None
        self._mentions: Mapping[str, Mentions] = {}
        self._mentioned: tuple[Names, Uses | None] | None = None

    @cached_property
    def following(self) -> Followed:
        """What calls run."""
        from ..inference.linking.index.followed import Followed

        return Followed()

    def forget(self) -> None:
        """Forget everything, as something went wrong on the way."""
        self._modules = self._mentioned = None
        self.following.forget()

    def as_known(self, modules: Modules) -> Modules:
        """Return the same modules; if they are those of the run before, as that left them."""
        if self._modules is None or not self._modules.is_like(modules):
            self._modules = modules
            self._mentioned = None
        return self._modules

    def mentioned(self, modules: Modules, mentions: Mapping[str, Mentions]) -> tuple[Names, Uses | None]:
        """Return the names that files mention, and what they mention together."""
        from ..inference.notes.imports import Imports
        from ..inference.notes.names import Names
        from ..inference.notes.uses import uses

        graph = Imports(modules, mentions)
        known = self._mentioned if modules is self._modules else None
        if known is not None and self._import_as_before(mentions):
            known[0].replace(graph, self._mentions)
            found = known
        else:
            names = Names.of(graph)
            found = names, uses(graph, names)
        self._mentions, self._mentioned = mentions, found
        return found

    def _import_as_before(self, mentions: Mapping[str, Mentions]) -> bool:
        """Whether there are the same files, which tell the same of themselves but for the names."""
        before = self._mentions
        return before.keys() == mentions.keys() and all(
            each is before[name] or each.about == before[name].about for name, each in mentions.items()
        )
