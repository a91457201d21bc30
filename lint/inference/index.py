"""Where functions, classes and calls of all files are found by name."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from ..facts import libraries
from .methods import kind_of
from .summary import CallSite, ClassSummary, FileSummary, FunctionSummary
from .values import Deferred


class ProjectIndex:
    """The functions, classes, call sites and evidence of all files of a run."""

    def __init__(self, summaries: Sequence[FileSummary]) -> None:
        self.functions: dict[str, FunctionSummary] = {}
        self.classes: dict[str, ClassSummary] = {}
        self.sites: dict[str, list[CallSite]] = {}
        self.evidence: dict[Deferred, str] = {}
        self.parameters: dict[Deferred, tuple[FunctionSummary, str]] = {}
        for summary in summaries:
            self._add(summary)
        for summary in summaries:
            for site in summary.calls:
                self._add_site(site, summary)

    def _add(self, summary: FileSummary) -> None:
        for name, function in summary.functions.items():
            self.functions[name or f"{summary.module}:"] = function
            for parameter, term in function.terms.items():
                self.parameters[term] = (function, parameter)
        self.classes.update(summary.classes)
        self.evidence.update(summary.evidence)

    def _add_site(self, site: CallSite, summary: FileSummary) -> None:
        callee = self.callable(site.callee)
        known = self.classes.get(site.callee.removesuffix(".__init__"))
        if callee is not None or (known is not None and known.fields):
            name = callee.name if callee is not None else site.callee
            caller = site.caller or f"{summary.module}:"
            self.sites.setdefault(name, []).append(site._replace(callee=name, caller=caller))

    def callable(self, name: str) -> FunctionSummary | None:
        """The function that a call of this name runs: itself, a method found through bases, `forward` of a module."""
        if (function := self.functions.get(name)) is not None:
            return function
        cls, _, method = name.rpartition(".")
        if cls not in self.classes:
            return self.callable(f"{name}.__init__") if name in self.classes else None
        if (found := self.method(cls, method)) is not None:
            return self.functions.get(found)
        if method == "__call__" and (found := self.method(cls, "forward")) is not None:
            return self.functions.get(found)
        return None

    def method(self, cls: str, name: str) -> str | None:
        """The full name of a method of a class, its own or a base's."""
        for each in self.bases(cls):
            known = self.classes.get(each)
            if known is not None and name in known.methods:
                return f"{each}.{name}"
        return None

    def bases(self, cls: str, depth: int = 0) -> Iterator[str]:
        """The class and its bases, nearest first."""
        yield cls
        known = self.classes.get(cls)
        if known is not None and depth < 10:
            for base in known.bases:
                yield from self.bases(base, depth + 1)

    def kind(self, cls: str) -> str | None:
        """What objects of a class are: `module`, `metric`, …"""
        for each in self.bases(cls):
            if (found := kind_of(each)) is not None:
                return found
        known = self.classes.get(cls)
        return "module" if known is not None and "forward" in known.methods and known.bases else None

    def library_base(self, cls: str) -> str:
        """The class or the nearest base that belongs to a library."""
        return next((each for each in self.bases(cls) if each not in self.classes), cls)

    def is_module(self, cls: str) -> bool:
        """Objects of the class are modules."""
        return self.kind(cls) in libraries.MODULE_KINDS
