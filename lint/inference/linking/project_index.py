"""Finds functions, classes and calls of all files by name."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from functools import cached_property

from ..library.callbacks import MADE, function_call
from ..library.inheritance import Inheritance
from ..notes.summary import CallSite, ClassSummary, FileSummary, FunctionSummary
from ..values.ops import Op
from ..values.union import Deferred, Function, Instance, Value, options_of
from .places import Places

MOST_EXPORTS = 8
"""How many modules may re-export a name before the search is abandoned."""
MOST_CALLS = 200
"""How many calls of one name are followed to what derived classes, or those of what attributes hold, do then."""


class ProjectIndex:
    """The functions, classes, call sites and evidence of all files of a run."""

    def __init__(self, summaries: Sequence[FileSummary], places: Places | None = None) -> None:
        places = places or Places()
        self.functions: dict[str, FunctionSummary] = {}
        self.classes: dict[str, ClassSummary] = {}
        self.sites: dict[str, list[CallSite]] = {}
        self._named_sites: dict[str, list[CallSite]] = {}
        self.evidence: dict[Deferred, str] = {}
        self.on_host: set[Deferred] = set()
        self.parameters: dict[Deferred, tuple[FunctionSummary, str]] = {}
        self._tests: set[str] = set()
        self.constants: dict[str, Value] = {}
        self.aliases: dict[str, Value] = {}
        self._offered: set[str] = set()
        self._exports: dict[str, str] = {}
        self._canonical: dict[str, str] = {}
        self.inheritance = Inheritance(self.classes, self._defined)
        self._calls_of: Counter[str] = Counter()
        self._given: dict[str, dict[str, list[Value]]] = {}
        self._members: dict[str, dict[str, list[str]]] = {}
        for summary in summaries:
            with places.at(summary.filename):
                self._add(summary)
        self._derived = self._find_derived()
        self._add_sites(summaries, places)

    def _add(self, summary: FileSummary) -> None:
        for name, function in summary.functions.items():
            self.functions[name or f"{summary.module}:"] = function
            for parameter, term in function.terms.items():
                self.parameters[term] = (function, parameter)
        if summary.tests:
            self._tests.update(summary.functions)
        self.classes.update(summary.classes)
        self.evidence.update(summary.evidence)
        self.on_host.update(summary.on_host)
        self._exports.update(summary.exports)
        self.constants.update(summary.constants)
        self.aliases.update(summary.aliases)
        self._offered.update(summary.offered)

    def _add_sites(self, summaries: Sequence[FileSummary], places: Places) -> None:
        """Determine what each call runs: what attributes hold is known once all calls that bind attributes are."""
        held = []
        for summary in summaries:
            for site in summary.calls:
                site = site._replace(caller=site.caller or f"{summary.module}:")
                with places.at(summary.filename):
                    if not self._add_site(site, summary):
                        held.append((site, summary))
        for site, summary in held:
            with places.at(summary.filename):
                self._add_held(site, summary)

    def _add_site(self, site: CallSite, summary: FileSummary) -> bool:
        """Record a call by what it runs; return False if no function or class with that name is known."""
        if site.on_anything:
            self._keep_name(site, summary)
            return True
        callee = self.callable(site.callee)
        known = self.class_named(site.callee.removesuffix(".__init__"))
        if known is not None and not site.callee.endswith(".__init__"):
            site = site._replace(positional=(Instance(known.name), *site.positional))
        if callee is not None or (known is not None and known.fields):
            name = callee.name if callee is not None else f"{known.name}.__init__" if known else site.callee
            if callee is not None and callee.binding:
                self._bind(site, callee)
            self._keep(site._replace(callee=name), summary)
        return callee is not None or known is not None

    def _keep_name(self, site: CallSite, summary: FileSummary) -> None:
        """Record a call of which only the method's name is known."""
        if not summary.tests:
            self._named_sites.setdefault(site.callee.rpartition(".")[2], []).append(site)

    def named_sites(self, function: str) -> Sequence[CallSite]:
        """Return the calls that may be of a method by its name, if all classes that define it are related."""
        method = function.rpartition(".")[2]
        sites = self._named_sites.get(method)
        return sites if sites and self._is_of_one_family(method) else ()

    def _is_of_one_family(self, method: str) -> bool:
        families = [set(self.inheritance.bases(cls)) for cls in self._owners.get(method, ())]
        return bool(families and set.intersection(*families))

    @cached_property
    def _owners(self) -> dict[str, list[str]]:
        """The classes that define a method, by its name."""
        owners: dict[str, list[str]] = {}
        for name, known in self.classes.items():
            for method in known.methods:
                owners.setdefault(method, []).append(name)
        return owners

    def _bind(self, site: CallSite, callee: FunctionSummary) -> None:
        """Bind the keyword arguments of a call to attributes of the object whose method it is."""
        match site.positional:
            case (Instance(cls), *_):
                for name, value in site.keywords:
                    if name not in callee.parameters:
                        self._given.setdefault(cls, {}).setdefault(name, []).append(value)

    def _keep(self, site: CallSite, summary: FileSummary) -> None:
        """Record a call, and calls of the methods that derived classes override.

        A call in a test tells nothing about what others call, or how often.
        """
        self._keep_all((site, *self._overriding(site)), summary)

    def _keep_all(self, sites: Iterable[CallSite], summary: FileSummary) -> None:
        for each in sites:
            if not summary.tests or each.callee in self._tests:
                self.sites.setdefault(each.callee, []).append(each)

    def _find_derived(self) -> dict[str, list[str]]:
        """Find the classes derived from each class."""
        derived: dict[str, list[str]] = {}
        for name in self.classes:
            for base in self.inheritance.bases(name)[1:]:
                derived.setdefault(base, []).append(name)
        return derived

    def _overriding(self, site: CallSite) -> Iterator[CallSite]:
        """Yield what derived classes define in the place of `self.method()`."""
        first = site.positional[0] if site.positional else None
        if not isinstance(first, Instance) or not site.caller.startswith(f"{first.cls}."):
            return
        method = site.callee.rpartition(".")[2]
        if self._is_one_too_many(site):
            return
        for derived in self._derived.get(first.cls, ()) if method != "__init__" else ():
            if method in self.classes[derived].methods:
                itself = (Instance(derived), *site.positional[1:])
                yield site._replace(callee=f"{derived}.{method}", positional=itself)

    def _is_one_too_many(self, site: CallSite) -> bool:
        """Whether enough calls of that name, each of which may run many methods, have been seen already."""
        self._calls_of[site.callee] += 1
        return self._calls_of[site.callee] > MOST_CALLS

    def _add_held(self, site: CallSite, summary: FileSummary) -> None:
        """Record a call of what an attribute holds: `self.loss(x)`, or of a method of it: `self.decoder.update(x)`."""
        if self._is_one_too_many(site):
            return
        cls, _, attribute = site.callee.rpartition(".")
        first, caller = site.positional[0] if site.positional else None, site.caller.rpartition(".")[0]
        if isinstance(first, Instance) and first.cls == caller and cls in self.inheritance.bases(caller)[1:]:
            return  # `Base.method(self)` is never what derived classes define
        owner, _, held_by = cls.rpartition(".")
        self._keep_name(site, summary)
        for itself in self._objects(owner, held_by):
            is_open = held_by in self._given.get(owner, ())
            for method in self.methods(itself.cls, attribute):
                positional = (itself, *site.positional[1:])
                self._keep(site._replace(callee=method, positional=positional, open=is_open), summary)
        site = site._replace(open=not site.caller.startswith(f"{cls}."))
        methods = [site._replace(callee=method) for method in self.methods(cls, attribute)]
        if len(methods) == 1:
            self._keep(methods[0], summary)
        else:  # those of derived classes already
            self._keep_all(methods, summary)
        for value in self._held(cls, attribute):
            call = function_call(value, site.positional[1:], site.keywords)
            if call is not None and (function := self.callable(call.function)) is not None:
                held = CallSite(function.name, call.positional, call.keywords, site.local, site.caller, site.passed)
                self._keep(held, summary)

    def _objects(self, cls: str, attribute: str) -> Iterator[Instance]:
        """Yield the instances of the project's classes that an attribute is bound to."""
        for value in self._held(cls, attribute):
            for option in options_of(value):
                if (
                    isinstance(option, Deferred)
                    and option.op in (Op.CALL, Op.DECLARED)
                    and self.class_named(option.name)
                ):
                    option = Instance(option.name)
                if isinstance(option, Instance) and self.class_named(option.cls) is not None:
                    yield option

    def _held(self, cls: str, attribute: str) -> Iterator[Value]:
        for each in self.inheritance.bases(cls) if cls else ():
            yield from self.attributes(each, attribute)

    def attributes(self, cls: str, name: str) -> list[Value]:
        """Return what a class itself binds an attribute of its instances to, or passes to a method that does."""
        known = self.classes.get(cls)
        bound = [] if known is None else known.attributes.get(name, [])
        given = self._given[cls].get(name) if cls in self._given else None
        return [*bound, *given] if given else bound

    def derived(self, cls: str) -> list[str]:
        """Return the classes derived from a class, directly or not."""
        known = self.class_named(cls)
        return self._derived.get(known.name, []) if known is not None else []

    def derived_with(self, cls: str, name: str) -> Sequence[str]:
        """Return the classes derived from a class that have a method or bind an attribute with that name."""
        if (members := self._members.get(cls)) is None:
            members = self._members[cls] = {}
            for each in self.derived(cls):
                known = self.classes[each]
                for member in {*known.methods, *known.attributes, *self._given.get(each, ())}:
                    members.setdefault(member, []).append(each)
        return members.get(name, ())

    def methods(self, cls: str, name: str) -> list[str]:
        """Return the full names of the methods that a call on an instance of a class may refer to.

        If the class has none with that name, those of its derived classes.
        """
        if (method := self.callable(f"{cls}.{name}")) is not None:
            return [method.name]
        return [f"{each}.{name}" for each in self.derived_with(cls, name) if name in self.classes[each].methods]

    def canonical(self, name: str) -> str:
        """Return the full name under which something is defined, following what modules import and re-export."""
        if (known := self._canonical.get(name)) is None:
            known = self._canonical[name] = self._followed(name)
        return known

    def _followed(self, name: str) -> str:
        for _ in range(MOST_EXPORTS):
            if any(name in known for known in (self.functions, self.classes, self.constants, self.aliases)):
                return name
            head, tail = name, ""
            while head and head not in self._exports:
                head, _, part = head.rpartition(".")
                tail = f".{part}{tail}"
            if not head:
                return name
            name = self._exports[head] + tail
        return name

    @cached_property
    def offered(self) -> frozenset[str]:
        """The functions that packages list in `__all__`, which have more callers than are seen."""
        return frozenset(map(self.canonical, self._offered))

    def class_named(self, name: str) -> ClassSummary | None:
        """Return the class with that name, including names that other modules give it."""
        return self.classes.get(name) or self.classes.get(self.canonical(name))

    def callable(self, name: str) -> FunctionSummary | None:
        """Return the function that a call of this name runs: itself, an inherited method, `forward` of a module.

        For a name followed by `MADE`, the function that the named one returns.
        """
        if name.endswith(MADE):
            return self._made(name.removesuffix(MADE))
        name = self.canonical(name)
        if (function := self.functions.get(name)) is not None:
            return function
        if name in self.classes:
            return self.callable(f"{name}.__init__")
        cls, _, method = name.rpartition(".")
        if self.class_named(cls) is None:
            return None
        if (found := self.inheritance.method(cls, method)) is not None:
            return self.functions.get(found)
        if method == "__call__" and (found := self.inheritance.method(cls, "forward")) is not None:
            return self.functions.get(found)
        return None

    def _defined(self, cls: str) -> str:
        """Return the name under which a class is defined."""
        known = self.class_named(cls)
        return cls if known is None else known.name

    def _made(self, maker: str) -> FunctionSummary | None:
        """Return the function that another defines and returns."""
        found = self.callable(maker)
        made = found.returns if found is not None else None
        return self.functions.get(made.name) if isinstance(made, Function) and made.receiver is None else None
