"""The index of a project, built from the summaries of all its files."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from functools import partial
from typing import Any

from ...notes.summary import CallSite, ClassSummary, FileSummary, FunctionSummary
from ...values.union import Value
from .asked_calls import AskedCalls
from .call_sites import CallsOfFile, Found
from .followed import Following
from .handed_on import called_in
from .makers import makers_in
from .places import Places
from .project_index import ProjectIndex
from .reads import ReadBy
from .rows import Calls, calls_of, derived_in, options_in, options_of_file


class BuiltIndex(ProjectIndex):
    """The index of some files; `direct` and `through_attributes` are what was found out about the calls of each."""

    def __init__(
        self, summaries: Sequence[FileSummary], places: Places | None = None, following: Following | None = None
    ) -> None:
        places = places or Places()
        self.summaries = summaries
        self.functions: dict[str, FunctionSummary] = {}
        self.classes: dict[str, ClassSummary] = {}
        self.sites: dict[str, list[CallSite]] = {}
        self.constants: dict[str, Value] = {}
        self.aliases: dict[str, Value] = {}
        self.tests: set[str] = set()
        self.makers: dict[str, list[str]] = {}
        self.binding: dict[str, tuple[str, ...]] = {}
        self.calling: dict[str, dict[str, int]] = {}
        self.direct: list[Calls] = []
        self.through_attributes: list[Calls] = []
        self._named_sites: dict[str, list[CallSite]] = {}
        self._given: dict[str, dict[str, list[Value]]] = {}
        self._exports: dict[str, str] = {}
        self._offered: set[str] = set()
        self._public: set[str] = set()
        self._bound_anywhere: set[str] = set()
        self._passed_anywhere: set[str] = set()
        self._options: dict[str, list[Any]] = {}
        self._chosen: dict[str, str] = {}
        super().__init__()
        self.asked, self.asked_later = AskedCalls(self), AskedCalls(self)
        for summary in summaries:
            with places.at(summary.filename):
                self._add(summary)
        self._options = options_in(options_of_file(each) for each in summaries if not each.tests)
        self._trains = any(each.trains and not each.tests for each in summaries)
        self._traces = any(each.traces for each in summaries)
        self._find_makers()
        self._derived = derived_in(self.classes, self.inheritance.bases)
        self._add_sites(places, following or Following())

    def _add(self, summary: FileSummary) -> None:
        for name, function in summary.functions.items():
            self.functions[name or f"{summary.module}:"] = function
        if summary.tests:
            self.tests.update(summary.functions)
        self._add_questions(summary)
        self.classes.update(summary.classes)
        self._exports.update(summary.exports)
        self.constants.update(summary.constants)
        self.aliases.update(summary.aliases)
        self._offered.update(summary.offered)
        self._public.update(summary.public)
        self._bound_anywhere.update(summary.bound)
        self._passed_anywhere.update(summary.passed)
        self._chosen.update(summary.chosen)
        self.calling.update(called_in(summary))

    def _find_makers(self) -> None:
        self.makers = makers_in(self.functions)
        self.binding = {name: tuple(each.terms) for name, each in self.functions.items() if each.binding}

    def asked_by_file(self) -> tuple[ReadBy, ReadBy]:
        """Return what the calls of each file have asked to find out what they run: directly, through attributes."""
        return self.asked.reads.by_file(), self.asked_later.reads.by_file()

    def let_go(self) -> None:
        """Forget everything, so that the memory of all summaries can be free at once: who asks is part of a circle."""
        for each in vars(self).values():
            if isinstance(each, dict | list | set):
                each.clear()

    def _add_sites(self, places: Places, following: Following) -> None:
        """Determine what each call runs: what attributes hold is known once all calls that bind attributes are."""
        counted: Counter[str] = Counter()
        held = []
        following.begin(self.summaries)
        for summary in self.summaries:
            calls = CallsOfFile(self.asked, summary, counted, places)
            found = following.direct(summary, counted, calls.direct)
            counted.update(found.counted)
            self.direct.append(calls_of(found))
            held.append(found.held)
            self._add_found(found)
            for cls, name, value in found.given:
                self._given.setdefault(cls, {}).setdefault(name, []).append(value)
        for summary, sites in zip(self.summaries, held):
            calls = CallsOfFile(self.asked_later, summary, counted, places)
            found = following.later(summary, counted, partial(calls.through_attributes, sites.items()))
            counted.update(found.counted)
            self.through_attributes.append(calls_of(found))
            self._add_found(found)
        self.asked.forget()
        self.asked_later.forget()

    def _add_found(self, found: Found) -> None:
        for name, sites in found.sites.items():
            self.sites.setdefault(name, []).extend(sites)
        for name, sites in found.named.items():
            self._named_sites.setdefault(name, []).extend(sites)
