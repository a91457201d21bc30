"""Finds functions, classes and calls of all files by name."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence
from functools import cached_property

from ....facts.libraries import MODULE_KINDS
from ....facts.modules import MODULE
from ....limits import MOST_KINDS
from ...notes.summary import CallSite, FileSummary, FunctionSummary
from ...values.union import Deferred, Instance, Value
from .choices import is_in_dict, kept_in
from .openness import Openness
from .unused import PROGRAM


class ProjectIndex(Openness):
    """The functions, classes, call sites and evidence of all files of a run, however they came to be known."""

    sites: Mapping[str, Sequence[CallSite]]
    tests: Collection[str]
    binding: Mapping[str, Sequence[str]]
    """Methods that make attributes of what they are given for their `**keywords` -> their other parameters."""
    calling: Mapping[str, Mapping[str, int]]
    """Functions that call parameters, or keep them in attributes -> these, with their positions."""
    _named_sites: Mapping[str, Sequence[CallSite]]
    _given: Mapping[str, Mapping[str, Sequence[Value]]]
    _derived: Mapping[str, Sequence[str]]
    _chosen: Mapping[str, str]

    def __init__(self) -> None:
        super().__init__()
        self.unused: Mapping[str, str] = {}
        self.inner: Sequence[str] = ()
        self.evidence: dict[Deferred, str] = {}
        self.on_host: set[Deferred] = set()
        self.parameters: dict[Deferred, tuple[FunctionSummary, str]] = {}
        self._members: dict[str, dict[str, list[str]]] = {}

    def _add_questions(self, summary: FileSummary) -> None:
        """Add what is known about the questions of a file."""
        for function in summary.functions.values():
            for parameter, term in function.terms.items():
                self.parameters[term] = (function, parameter)
        self.evidence.update(summary.evidence)
        self.on_host.update(summary.on_host)

    def function(self, name: str) -> FunctionSummary | None:
        """Return the function with that full name."""
        return self.functions.get(name)

    def constant(self, name: str) -> Value | None:
        """Return what a module binds to that very name."""
        return self.constants.get(name)

    def alias(self, name: str) -> Value | None:
        """Return what the alias of types with that very name promises."""
        return self.aliases.get(name)

    def is_defined(self, cls: str) -> bool:
        """Whether a class is defined under that very name."""
        return cls in self.classes

    def has_method(self, cls: str, name: str) -> bool:
        """Whether a class defines a method itself."""
        return cls in self.classes and name in self.classes[cls].methods

    def kind(self, cls: str) -> str | None:
        """Return the kind of a class's instances: `module`, `metric` and so on."""
        return self.inheritance.kind(cls)

    def library_base(self, cls: str) -> str:
        """Return the class or its nearest base that belongs to a library."""
        return self.inheritance.library_base(cls)

    def is_called_by_base(self, method: str) -> bool:
        """Whether a library may call a method, since it has a base of its class, or of one derived from that."""
        cls = method.rpartition(".")[0]
        bases = {base for each in (cls, *self.derived_from(cls)) for base in self.inheritance.bases(each)}
        return any(each not in self.classes and each != "object" and not each.startswith("torch.") for each in bases)

    def bases(self, cls: str) -> Sequence[str]:
        """Return the class and its bases as far as they are known, nearest first."""
        return self.inheritance.bases(cls)

    def method(self, cls: str, name: str) -> FunctionSummary | None:
        """Return a method of a class, its own or inherited."""
        found = self.inheritance.method(cls, name)
        return None if found is None else self.functions.get(found)

    def chosen_as(self, function: str) -> str:
        """Return what chooses a function, or the class of a method; empty if something else may run it as well."""
        for name in (function, function.rpartition(".")[0]):
            if self.choices.get(name) and not self._is_run_by_name(name):
                return self.choices[name]
        return ""

    def _is_run_by_name(self, name: str) -> bool:
        """Whether something calls a function, or makes or derives from a class, by its name."""
        if name in self.classes and (self.derived_from(name) or self.called(name) is None):
            return True  # without a constructor, calls are not seen
        sites = self.sites_of(self.called(name) or name)
        return any(not site.passed and (name in self.functions or _makes(site, name)) for site in sites)

    def made_at(self, cls: str) -> Sequence[CallSite]:
        """Return the calls that make objects of a class or of those derived from it; none if others may make them."""
        found: list[CallSite] = []
        for name in (cls, *self.derived_from(cls)):
            maker = self.called(name) or f"{name}.__init__"
            sites = [each for each in self.sites_of(maker) if _makes(each, name)]
            is_base = bool(self.derived_from(name))
            if any(each.passed for each in sites) or self._may_be_made_elsewhere(name, bool(sites) or is_base):
                return ()
            found += sites
        return found

    def _may_be_made_elsewhere(self, cls: str, is_made: bool) -> bool:
        """Whether a class, which is seen being made or not, may be made where that is not seen."""
        if not (is_made or self.why_unused(cls)) or self.is_offered(cls):
            return True
        words = self.all_chosen.get(cls)
        return words is not None and not (is_made and is_in_dict(words))  # where that is looked up is seen

    def sites_of(self, function: str) -> Sequence[CallSite]:
        """Return the calls of a function."""
        return self.sites.get(function, ())

    def why_unused(self, function: str) -> str:
        """Return why nothing in the project runs a function, or what it is part of; empty if something may."""
        while function and function not in self.unused:
            function = function.rpartition(".")[0]
        return self.unused.get(function, "")

    def are_calls_seen(self, function: str) -> bool:
        """Whether all calls of a function are seen: only the project makes any, and on objects that are known."""
        if not self.may_all_be_seen(function):
            return False
        if function.rpartition(".")[0] not in self.classes:
            return True  # modules are known by their names: what is called on anything is a method
        callers = {site.caller for site in self.sites_of(function)}
        named = self._named_sites.get(function.rpartition(".")[2], ())
        return all(site.caller in callers for site in named)

    def may_all_be_seen(self, function: str) -> bool:
        """Whether only the project calls a function."""
        last = function.rpartition(".")[2]
        modules = (each.removesuffix(":") for each in self.inner)
        is_inner = any(function.startswith(f"{each}.") for each in modules)
        is_own = is_inner or (last.startswith("_") and not last.endswith("__"))
        return is_own and function not in self.all_chosen

    def is_inner(self, function: str) -> bool:
        """Whether nothing outside of the project calls the function: all of its callers are seen."""
        return any(function.startswith(f"{module}.") for module in self.inner)

    def in_program(self, name: str) -> bool:
        """Whether scripts run the project that defines a function or class."""
        return PROGRAM in self.inner and (name in self.classes or name in self.functions)

    def named_sites(self, function: str) -> Sequence[CallSite]:
        """Return the calls that may be of a method by its name, if all classes that define it are related."""
        method = function.rpartition(".")[2]
        sites = self._named_sites.get(method)
        return sites if sites and self.is_of_one_family(method) else ()

    def is_called_by_name(self, function: str) -> bool:
        """Whether a method of that name is called on objects of which nothing is known, of whatever family."""
        return bool(self._named_sites.get(function.rpartition(".")[2]))

    def is_one_of_several(self, function: str) -> bool:
        """Whether classes that are no bases of a method's class define a method of that name, too."""
        cls, _, method = function.rpartition(".")
        bases = {cls, *self.inheritance.bases(cls)}
        return any(each not in bases for each in self._owners.get(method, ()))

    def is_of_one_family(self, method: str) -> bool:
        """Whether all classes that define a method are related."""
        families = [set(self.inheritance.bases(cls)) - {"object"} for cls in self._owners.get(method, ())]
        return bool(families and set.intersection(*families))

    @cached_property
    def _owners(self) -> dict[str, list[str]]:
        """The classes that define a method, by its name."""
        owners: dict[str, list[str]] = {}
        for name, known in self.classes.items():
            for method in known.methods:
                owners.setdefault(method, []).append(name)
        return owners

    def bound_apart(self, method: str) -> Sequence[str] | None:
        """Return the other parameters of a method that makes attributes of what it is given for its `**keywords`."""
        return self.binding.get(method)

    def parameters_called(self, function: str) -> Mapping[str, int]:
        """Return the parameters that a function calls, or keeps in attributes, with their positions."""
        return self.calling.get(function, {})

    def is_test(self, function: str) -> bool:
        """Whether a function is test code."""
        return function in self.tests

    def overriding(self, cls: str, method: str) -> Sequence[tuple[str, str]]:
        """Return what objects of derived classes run in place of a class's method, each with such a class.

        They may inherit it, from a base that is none of the class: `class Critic(Mixin, Model)`.
        """
        bases, derived = self.inheritance.bases(cls), self.derived_from(cls)
        found: dict[str, str] = {}
        for each in derived:
            name = self.inheritance.method(each, method)
            if name is not None and (owner := name.rpartition(".")[0]) not in bases:
                found.setdefault(name, owner if owner in derived else each)
        return [(each, name) for name, each in found.items()]

    def is_abstract(self, function: str) -> bool:
        """Whether a method leaves all that it does to derived classes."""
        return function in self.functions and self.functions[function].abstract

    def is_given(self, cls: str, name: str) -> bool:
        """Whether calls bind an attribute of a class."""
        return name in self.given(cls)

    def every_derived(self) -> Mapping[str, Sequence[str]]:
        """Return the classes derived from each class."""
        return self._derived

    def derived_from(self, cls: str) -> Sequence[str]:
        """Return the classes derived from the one defined under that name, directly or not."""
        return self._derived.get(cls, ())

    def given(self, cls: str) -> Mapping[str, Sequence[Value]]:
        """Return the attributes of a class that calls bind, and what to."""
        return self._given.get(cls, {})

    def attributes(self, cls: str, name: str) -> list[Value]:
        """Return what a class itself binds an attribute of its instances to, or passes to a method that does."""
        known = self.classes.get(cls)
        bound = [] if known is None else known.attributes.get(name, [])
        given = self._given[cls].get(name) if cls in self._given else None
        return [*bound, *given] if given else bound

    def derived(self, cls: str) -> Sequence[str]:
        """Return the classes derived from a class, directly or not."""
        known = self.class_named(cls)
        return self.derived_from(known.name) if known is not None else ()

    def derived_with(self, cls: str, name: str) -> Sequence[str]:
        """Return the classes derived from a class that have a method or bind an attribute with that name."""
        if cls not in self._members:
            self._members[cls] = self._by_member(self.derived(cls))
        return self._members[cls].get(name, ())

    def modules_with(self, name: str) -> Sequence[str]:
        """Return the modules of the project that have a method or attribute with that name; none if too many."""
        if MODULE not in self._members:
            self._members[MODULE] = self._by_member(each for each in self.classes if self.kind(each) in MODULE_KINDS)
        found = self._members[MODULE].get(name, ())
        return () if MOST_KINDS.is_exceeded(len(found)) else found

    def _by_member(self, classes: Iterable[str]) -> dict[str, list[str]]:
        """Return which of the classes have a method or bind an attribute, by its name."""
        found: dict[str, list[str]] = {}
        for each in classes:
            known = self.classes[each]
            for member in {*known.methods, *known.attributes, *self.given(each)}:
                found.setdefault(member, []).append(each)
        return found

    def methods(self, cls: str, name: str) -> list[str]:
        """Return the full names of the methods that a call on an instance of a class may refer to.

        If the class has none with that name, those of its derived classes.
        """
        if (method := self.called(f"{cls}.{name}")) is not None:
            return [method]
        known = self.class_named(cls)
        return [] if known is None else [each for _, each in self.overriding(known.name, name)]

    @cached_property
    def all_chosen(self) -> dict[str, str]:
        """The full names of the functions and classes that something may choose, and what does."""
        return {self.canonical(name): words for name, words in self._chosen.items()}

    @cached_property
    def choices(self) -> dict[str, str]:
        """The same, with no words for the only one in a registry, or dict: that is no choice."""
        kept = Counter(map(kept_in, self.all_chosen.values()))
        return {name: words if kept[kept_in(words)] > 1 else "" for name, words in self.all_chosen.items()}


def _makes(site: CallSite, cls: str) -> bool:
    """Whether a call of a constructor makes an object of that very class."""
    made = site.positional[0] if site.positional else None
    return isinstance(made, Instance) and made.cls == cls and made == Instance(cls)
