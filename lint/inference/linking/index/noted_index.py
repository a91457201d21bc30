"""The index of a project as questions ask it: what they read is noted."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any, cast

from ...notes.summary import CallSite, ClassSummary, FunctionSummary
from ...values.union import Deferred, Value
from .answer import About
from .handed_on import HandedOn
from .project_index import ProjectIndex
from .reads import Fact, Reads


class NotedIndex:
    """Answers from an index, each of which is found once; `reads` is told of it.

    What is known about a question itself is part of what leads to it, so that is not noted. Of a project that
    `is_installable` others call what its packages give them.
    """

    def __init__(self, index: ProjectIndex, reads: Reads, is_installable: bool = False) -> None:
        self.parameters = index.parameters
        self.evidence = index.evidence
        self.on_host = index.on_host
        self._index = index
        self._is_installable = is_installable
        self.reads = reads
        self._known: dict[Fact, tuple[int, Any]] = {}
        self._direct: set[str] = set()
        self._handed_on = HandedOn(self._sites_of, self.function)

    def _ask(self, *fact: str) -> Any:
        known = self._known.get(fact)
        if known is None:
            known = self._known[fact] = self.reads.fact(fact), told_by(self._index, fact)
        self.reads.current.append(known[0])
        return known[1]

    def let_go(self) -> None:
        """Forget what the index has told: who asks is part of a circle."""
        self._known.clear()

    def about(self, term: Deferred) -> About | None:
        """Return the parameter that a question is about, if that is one of what is known by its function's name."""
        if (found := self.parameters.get(term)) is None:
            return None
        function, name = found
        return About(function.name, name, True) if self._index.functions.get(function.name) is function else None

    def canonical(self, name: str) -> str:
        """Return the full name under which something is defined."""
        found: str = self._ask("canonical", name)
        return found

    def function(self, name: str) -> FunctionSummary | None:
        """Return the function with that full name."""
        found: FunctionSummary | None = self._ask("function", name)
        return found

    def callable(self, name: str) -> FunctionSummary | None:
        """Return the function that a call of this name runs."""
        found: FunctionSummary | None = self._ask("callable", name)
        return found

    def all_made(self, name: str) -> Sequence[str]:
        """Return the full names of the classes and functions that a call by this name may make."""
        found: Sequence[str] = self._ask("all_made", name)
        return found

    def sites_of(self, function: str) -> Sequence[CallSite]:
        """Return the calls of a function, also by those that it is handed to."""
        found = self._sites_of(function)
        if function in self._direct:
            return found
        if not any(site.given for site in found):
            self._direct.add(function)
            return found
        return [each for site in found for each in (self._handed_on.calls(site) if site.given else (site,))]

    def _sites_of(self, function: str) -> Sequence[CallSite]:
        found: Sequence[CallSite] = self._ask("sites_of", function)
        return found

    def made_at(self, cls: str) -> Sequence[CallSite]:
        """Return the calls that make objects of a class or of those derived from it; none if others may make them."""
        found: Sequence[CallSite] = () if self.is_public(cls) else self._ask("made_at", cls)
        return found

    def why_unused(self, function: str) -> str:
        """Return why nothing in the project runs a function; empty if something may."""
        found: str = self._ask("why_unused", function)
        return "" if found and self.is_public(function) else found

    def chosen_as(self, function: str) -> str:
        """Return what chooses a function, or the class of a method; empty if something else may run it as well."""
        found: str = self._ask("chosen_as", function)
        return found

    def are_calls_seen(self, function: str) -> bool:
        """Whether all calls of a function are seen."""
        found: bool = self._ask("are_calls_seen", function)
        return found

    def is_inner(self, function: str) -> bool:
        """Whether nothing outside of the project calls the function."""
        found: bool = self._ask("is_inner", function)
        return found

    def in_program(self, name: str) -> bool:
        """Whether scripts run the project that defines a function or class."""
        found: bool = self._ask("in_program", name)
        return found

    def named_sites(self, function: str) -> Sequence[CallSite]:
        """Return the calls that may be of a method by its name."""
        found: Sequence[CallSite] = self._ask("named_sites", function)
        return found

    def is_called_by_name(self, function: str) -> bool:
        """Whether a method of that name is called on objects of which nothing is known, of whatever family."""
        found: bool = self._ask("is_called_by_name", function)
        return found

    def is_one_of_several(self, function: str) -> bool:
        """Whether classes that are no bases of a method's class define a method of that name, too."""
        found: bool = self._ask("is_one_of_several", function)
        return found

    def is_offered(self, function: str) -> bool:
        """Whether a package lists the function for others to use, or gives it to them."""
        found: bool = self._ask("is_offered", function)
        return found or self.is_public(function)

    def options(self, name: str, owner: str) -> Sequence[Value]:
        """Return the constants that options with this name are by default, in the owner's file or else in any."""
        parts = owner.rstrip(":").split(".")
        for at in range(len(parts), 0, -1):
            if found := self._ask("options", f"{'.'.join(parts[:at])}:{name}"):
                return cast("Sequence[Value]", found)
        return cast("Sequence[Value]", self._ask("options", name))

    def is_set(self, cls: str, name: str) -> bool:
        """Whether anything but a class's own methods may bind an attribute of its objects."""
        found: bool = self._ask("is_set", cls, name)
        return found

    def may_train(self) -> bool:
        """Whether anything in the project trains, or may have a library do so."""
        found: bool = self._ask("may_train", "")
        return found

    def may_trace(self) -> bool:
        """Whether anything in the project is captured in a CUDA graph, or compiled."""
        found: bool = self._ask("may_trace", "")
        return found

    def is_passed(self, name: str) -> bool:
        """Whether a call of something that is not known passes an argument by this name."""
        found: bool = self._ask("is_passed", name)
        return found

    def fields(self, cls: str) -> Sequence[str]:
        """Return the fields of a data class, in the order of its constructor's parameters."""
        found: Sequence[str] = self._ask("fields", cls)
        return found

    def is_public(self, name: str) -> bool:
        """Whether others may call a function, or make objects of a class, since they can install its package."""
        return self._is_installable and bool(self._ask("is_public", name))

    def constant(self, name: str) -> Value | None:
        """Return what a module binds to a name, under that very name."""
        found: Value | None = self._ask("constant", name)
        return found

    def alias(self, name: str) -> Value | None:
        """Return what an alias of types promises, under that very name."""
        found: Value | None = self._ask("alias", name)
        return found

    def class_named(self, name: str) -> ClassSummary | None:
        """Return the class with that name; its attributes are asked for one by one."""
        found: ClassSummary | None = self._ask("class_named", name)
        return found

    def is_defined(self, cls: str) -> bool:
        """Whether a class is defined under that very name."""
        found: bool = self._ask("is_defined", cls)
        return found

    def kind(self, cls: str) -> str | None:
        """Return the kind of a class's instances."""
        found: str | None = self._ask("kind", cls)
        return found

    def library_base(self, cls: str) -> str:
        """Return the class or its nearest base that belongs to a library."""
        found: str = self._ask("library_base", cls)
        return found

    def is_called_by_base(self, method: str) -> bool:
        """Whether a library may call a method, since it has a base of its class, or of one derived from that."""
        found: bool = self._ask("is_called_by_base", method)
        return found

    def bases(self, cls: str) -> Sequence[str]:
        """Return the class and its bases."""
        found: Sequence[str] = self._ask("bases", cls)
        return found

    def method(self, cls: str, name: str) -> FunctionSummary | None:
        """Return a method of a class, its own or inherited."""
        found: FunctionSummary | None = self._ask("method", cls, name)
        return found

    def has_method(self, cls: str, name: str) -> bool:
        """Whether a class defines a method itself."""
        found: bool = self._ask("has_method", cls, name)
        return found

    def attributes(self, cls: str, name: str) -> Sequence[Value]:
        """Return what a class itself binds an attribute of its instances to."""
        found: Sequence[Value] = self._ask("attributes", cls, name)
        return found

    def derived_with(self, cls: str, name: str) -> Sequence[str]:
        """Return the classes derived from a class that have a method or bind an attribute with that name."""
        found: Sequence[str] = self._ask("derived_with", cls, name)
        return found

    def modules_with(self, name: str) -> Sequence[str]:
        """Return the modules of the project that have a method or bind an attribute with that name."""
        found: Sequence[str] = self._ask("modules_with", name)
        return found

    def derived_from(self, cls: str) -> Sequence[str]:
        """Return the classes derived from the one defined under that name, directly or not."""
        found: Sequence[str] = self._ask("derived_from", cls)
        return found


def told_by(index: ProjectIndex, fact: Fact) -> Any:
    """Return what an index tells."""
    found = getattr(index, fact[0])(*fact[1:])
    return replace(found, attributes={}) if isinstance(found, ClassSummary) else found
