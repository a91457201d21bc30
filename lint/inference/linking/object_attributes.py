"""Answers what an attribute of a resolved value is, for instances of the project through classes and bases."""

from __future__ import annotations

from ..library.access import attribute
from ..notes.summary import CallSite, FunctionSummary
from ..values.arguments import Keywords
from ..values.joining import join_all
from ..values.union import NONE, UNKNOWN, Deferred, Function, Instance, Value, options_of
from .project_index import ProjectIndex
from .questions import FAR
from .terms import Terms


class ObjectAttributes(Terms):
    """The part of the resolver that reads attributes.

    `_bound` is what they are bound to, as far as known while they are being asked for; `_fields` is what the callers of
    data class constructors pass.
    """

    def __init__(self, index: ProjectIndex) -> None:
        super().__init__(index)
        self._bound: dict[tuple[str, str], Value] = {}
        self._fields: dict[tuple[str, str], Value] = {}

    def attribute_term(self, term: Deferred) -> Value:
        options = options_of(self.resolve(term.operands[0]))
        return join_all(self.attribute(option, term.name) for option in options if option != NONE)

    def attribute(self, base: Value, name: str) -> Value:
        """Return an attribute of a resolved value."""
        found = attribute(base, name, self)
        return UNKNOWN if isinstance(found, Deferred) else found

    def owns(self, cls: str) -> bool:
        """Whether the project defines the class."""
        return self.index.class_named(cls) is not None

    def kind(self, cls: str) -> str | None:
        """Return the kind of a class's instances: `module`, `metric` and so on."""
        return self.index.inheritance.kind(cls)

    def library_base(self, cls: str) -> str:
        """Return the class or its nearest base that belongs to a library."""
        return self.index.inheritance.library_base(cls)

    def member(self, base: Instance, name: str) -> Value | None:
        """Return what the project says about an attribute: a method, a field, what a class or base binds it to."""
        if (method := self.index.inheritance.method(base.cls, name)) is not None:
            return self.property_or_method(self.index.functions[method], base)
        if (passed := self._field(base, name)) is not UNKNOWN:
            return passed
        for cls in self.index.inheritance.bases(base.cls):
            if values := self.index.attributes(cls, name):
                return self._any_binding(cls, name, values)
        return None

    def property_or_method(self, method: FunctionSummary, base: Instance) -> Value:
        """Return a method of an object; reading a property calls it."""
        if method.property:
            return self.call_named(method.name, (base,), ())
        return Function(method.name) if method.static else Function(method.name, base)

    def call_named(self, name: str, positional: tuple[Value, ...], keywords: Keywords) -> Value:
        """Return the result of a function, class or method by its full name."""
        raise NotImplementedError

    def missing(self, base: Instance, name: str) -> Value:
        """Return what derived classes have if the class lacks it: the instance is one of theirs."""
        found = (self._attribute_of_one(cls, base, name) for cls in self.index.derived_with(base.cls, name))
        return join_all(value for value in found if value is not UNKNOWN)

    def _any_binding(self, cls: str, name: str, values: list[Value]) -> Value:
        """Return what an attribute is bound to anywhere; bindings to itself come last: `self.x = self.x.cpu()`."""
        key = cls, name
        if self._depends_on(key):
            return self._bound[key]
        if key in self._bound:
            return self._bound[key]
        _, outer = self._ask(key)
        known: list[Value] = []
        with self.outside():
            for value in sorted(values, key=_asks):
                self._bound[key] = join_all(known)
                if not self._depends_on(id(value)):  # otherwise it is being computed, from the others
                    known.append(self.resolve(value))
        found = join_all(known)
        if self._done(key, outer) == FAR:
            self._bound[key] = found
        else:
            del self._bound[key]
        return found

    def _so_far(self, term: Deferred) -> Value:
        base = term.operands[0] if term.op == "attribute" else UNKNOWN
        if not isinstance(base, Instance):
            return super()._so_far(term)
        asked = ((cls, term.name) for cls in self.index.inheritance.bases(base.cls))
        return next((self._bound[key] for key in asked if self._depends_on(key)), UNKNOWN)

    def _attribute_of_one(self, cls: str, base: Instance, name: str) -> Value:
        """Return what one of the derived classes has, as a method or as an attribute."""
        if name in self.index.classes[cls].methods:
            return self.attribute(Instance(cls, device=base.device), name)
        values = self.index.attributes(cls, name)
        return self._any_binding(cls, name, values) if values else UNKNOWN

    def _field(self, base: Instance, name: str) -> Value:
        """Return what the constructor's callers pass for a field of a data class."""
        known = self.index.class_named(base.cls)
        if known is None or name not in known.fields:
            return UNKNOWN
        at = known.fields.index(name)
        if base.arguments:
            return self.resolve(base.argument(name) or base.argument(str(at)) or UNKNOWN)
        if (base.cls, name) not in self._fields:
            self._fields[base.cls, name] = UNKNOWN
            self._fields[base.cls, name] = self._passed_by_all(base.cls, name, at)
        return self._fields[base.cls, name]

    def _passed_by_all(self, cls: str, name: str, at: int) -> Value:
        with self.outside():
            sites = self.index.sites.get(f"{cls}.__init__", ())
            values = [self.resolve(_passed_to(site, name, at + 1)) for site in sites]
        return UNKNOWN if UNKNOWN in values else join_all(values)


def _asks(value: Value) -> bool:
    """Whether the value is, or may be, an open question."""
    return any(isinstance(option, Deferred) for option in options_of(value))


def _passed_to(site: CallSite, name: str, at: int) -> Value:
    """Return what a call passes for a parameter with that name and position (the object itself is the first)."""
    return dict(site.keywords).get(name) or (site.positional[at] if at < len(site.positional) else UNKNOWN)
