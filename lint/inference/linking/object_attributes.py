"""Answers what an attribute of a resolved value is, for instances of the project through classes and bases."""

from __future__ import annotations

from ...facts import libraries, modules
from ..library.access import attribute
from ..notes.summary import CallSite
from ..values.joining import join_all
from ..values.lattice import OPEN
from ..values.union import NONE, UNKNOWN, Deferred, DeviceRef, Function, Instance, Value, options_of
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

    def attribute(self, term: Deferred) -> Value:
        options = options_of(self.resolve(term.operands[0]))
        return join_all(self.attribute_of(option, term.name) for option in options if option != NONE)

    def attribute_of(self, base: Value, name: str) -> Value:
        """Return an attribute of a resolved value; for an instance of the project, through its class and bases."""
        if isinstance(base, Instance) and self.index.class_named(base.cls) is not None:
            return self._attribute_of_object(base, name)
        found = attribute(base, name)
        return UNKNOWN if isinstance(found, Deferred) else found

    def _attribute_of_object(self, base: Instance, name: str) -> Value:
        if (method := self.index.method(base.cls, name)) is not None:
            return Function(method) if self.index.functions[method].static else Function(method, base)
        if (passed := self._field(base, name)) is not UNKNOWN:
            return passed
        for cls in self.index.bases(base.cls):
            if values := self.index.attributes(cls, name):
                return self._any_binding(cls, name, values)
        found = self._inherited_attribute(base, name)
        return self._attribute_of_derived(base, name) if found is UNKNOWN else found

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
        asked = ((cls, term.name) for cls in self.index.bases(base.cls))
        return next((self._bound[key] for key in asked if self._depends_on(key)), UNKNOWN)

    def _attribute_of_derived(self, base: Instance, name: str) -> Value:
        """Return what derived classes have if the class lacks it: the instance is one of theirs."""
        found = (self._attribute_of_one(cls, base, name) for cls in self.index.derived_with(base.cls, name))
        return join_all(value for value in found if value is not UNKNOWN)

    def _attribute_of_one(self, cls: str, base: Instance, name: str) -> Value:
        """Return what one of the derived classes has, as a method or as an attribute."""
        if name in self.index.classes[cls].methods:
            return self._attribute_of_object(Instance(cls, device=base.device), name)
        values = self.index.attributes(cls, name)
        return self._any_binding(cls, name, values) if values else UNKNOWN

    def _inherited_attribute(self, base: Instance, name: str) -> Value:
        """Return what an instance inherits from the library class that it is derived from."""
        kind = self.index.kind(base.cls)
        if name == "device" and kind in ("module", "lightning", "metric"):
            return DeviceRef(base.device or OPEN)
        if kind in libraries.MODULE_KINDS:
            return Function(f"torch.nn.Module.{name}", base) if name in modules.METHODS else UNKNOWN
        if kind == "metric":
            return Function(f"{self.index.library_base(base.cls)}.{name}", base)
        return Function(f"{kind}.{name}", base) if kind == "optimizer" else UNKNOWN

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
