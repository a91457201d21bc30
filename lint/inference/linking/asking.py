"""Who answers questions about all files of a project, and how questions are asked by their names."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ...declared import Declared
from .frequency.callers import Callers
from .index.answer import CALLED, MADE, Recall
from .index.noted_index import NotedIndex
from .index.project_index import ProjectIndex
from .index.reads import Reads
from .resolving.questions import Questions
from .resolving.resolve import Resolver
from .tracing import Tracing

if TYPE_CHECKING:
    from ...settings.config import Settings


class Asking:
    """Answers questions about an index; `recall` knows answers that an earlier run has found."""

    def __init__(self, index: ProjectIndex, settings: Settings, reads: Reads, recall: Recall | None = None) -> None:
        self.settings = settings
        self.index = NotedIndex(index, reads, settings.is_installable)
        self.questions = Questions(reads, recall)
        self.declared = Declared(settings.facts, self.index.canonical)
        self.resolver = Resolver(self.index, self.questions, self.declared)
        self.callers = Callers(self.index, settings, self.questions, self.resolver.resolve)
        self.tracing = Tracing(self.index, settings, self.questions, self.callers.settled)

    def again(self, name: str, what: str) -> Any:
        """Return the answer to a question about a function or class (see `About`); None if there is no such thing."""
        if what == CALLED:
            return self.callers.frequency(name)
        if what == MADE:
            return self.callers.made_where(name)
        if what.startswith("."):
            attribute, _, at = what[1:].partition(" ")
            objects = self.resolver.objects
            return objects.passed(name, attribute, int(at)) if at else objects.bound(name, attribute)
        function = self.index.function(name)
        term = None if function is None else function.terms.get(what)
        return None if term is None else self.resolver.resolve(term)
