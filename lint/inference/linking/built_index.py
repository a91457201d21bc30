"""The index of a project, built from the summaries of all its files."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from ..notes.summary import CallSite, ClassSummary, FileSummary, FunctionSummary
from ..values.union import Function, Value
from .call_sites import CallsOfFile, Found
from .places import Places
from .project_index import ProjectIndex


class BuiltIndex(ProjectIndex):
    """The index of some files; `direct` and `through_attributes` are what was found out about the calls of each."""

    def __init__(self, summaries: Sequence[FileSummary], places: Places | None = None) -> None:
        places = places or Places()
        self.summaries = summaries
        self.functions: dict[str, FunctionSummary] = {}
        self.classes: dict[str, ClassSummary] = {}
        self.sites: dict[str, list[CallSite]] = {}
        self.constants: dict[str, Value] = {}
        self.aliases: dict[str, Value] = {}
        self.tests: set[str] = set()
        self.makers: dict[str, str] = {}
        self.binding: dict[str, tuple[str, ...]] = {}
        self.direct: list[Found] = []
        self.through_attributes: list[Found] = []
        self._named_sites: dict[str, list[CallSite]] = {}
        self._given: dict[str, dict[str, list[Value]]] = {}
        self._derived: dict[str, list[str]] = {}
        self._exports: dict[str, str] = {}
        self._offered: set[str] = set()
        self._chosen: dict[str, str] = {}
        super().__init__()
        for summary in summaries:
            with places.at(summary.filename):
                self._add(summary)
        self._find_makers()
        self._find_derived()
        self._add_sites(places)

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
        self._chosen.update(summary.chosen)

    def _find_makers(self) -> None:
        for name, function in self.functions.items():
            if isinstance(made := function.returns, Function) and made.receiver is None:
                self.makers[name] = made.name
            if function.binding:
                self.binding[name] = tuple(function.terms)

    def _find_derived(self) -> None:
        """Find the classes derived from each class."""
        for name in self.classes:
            for base in self.inheritance.bases(name)[1:]:
                self._derived.setdefault(base, []).append(name)

    def _add_sites(self, places: Places) -> None:
        """Determine what each call runs: what attributes hold is known once all calls that bind attributes are."""
        counted: Counter[str] = Counter()
        for summary in self.summaries:
            found = CallsOfFile(self, summary, counted, places).direct()
            counted.update(found.counted)
            self.direct.append(found)
            self._add_found(found)
            for cls, name, value in found.given:
                self._given.setdefault(cls, {}).setdefault(name, []).append(value)
        for summary, first in zip(self.summaries, self.direct):
            found = CallsOfFile(self, summary, counted, places).through_attributes(first.held)
            counted.update(found.counted)
            self.through_attributes.append(found)
            self._add_found(found)

    def _add_found(self, found: Found) -> None:
        for name, sites in found.sites.items():
            self.sites.setdefault(name, []).extend(sites)
        for name, sites in found.named.items():
            self._named_sites.setdefault(name, []).extend(sites)

    def names(self) -> dict[str, object]:
        """Return what is known by name alone."""
        return {
            "tests": sorted(self.tests),
            "makers": self.makers,
            "binding": self.binding,
            "derived": self._derived,
            "exports": self._exports,
            "offered": sorted(self._offered),
            "chosen": self._chosen,
            "unused": self.unused,
            "inner": self.inner,
        }
