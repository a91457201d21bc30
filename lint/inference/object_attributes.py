"""Answers what an attribute of a resolved value is, of objects of the project through classes and bases."""

from __future__ import annotations

from ..facts import libraries, modules
from .access import attribute
from .joining import join_all
from .lattice import OPEN
from .summary import CallSite
from .terms import Terms
from .values import NONE, UNKNOWN, Deferred, DeviceRef, Function, Instance, Value, options_of


class ObjectAttributes(Terms):
    """The part of the resolver that reads attributes."""

    def attribute(self, term: Deferred) -> Value:
        options = options_of(self.resolve(term.operands[0]))
        return join_all(self.attribute_of(option, term.name) for option in options if option != NONE)

    def attribute_of(self, base: Value, name: str) -> Value:
        """An attribute of a resolved value; of an object of the project through its class and bases."""
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
            known = self.index.class_named(cls)
            if known is not None and name in known.attributes:
                return join_all(self.resolve(value) for value in known.attributes[name])
        return self._inherited_attribute(base, name)

    def _inherited_attribute(self, base: Instance, name: str) -> Value:
        """What an object has from the library's class that it is derived from."""
        kind = self.index.kind(base.cls)
        if name == "device" and kind in ("module", "lightning", "metric"):
            return DeviceRef(base.device or OPEN)
        if kind in libraries.MODULE_KINDS:
            return Function(f"torch.nn.Module.{name}", base) if name in modules.METHODS else UNKNOWN
        if kind == "metric":
            return Function(f"{self.index.library_base(base.cls)}.{name}", base)
        return Function(f"{kind}.{name}", base) if kind == "optimizer" else UNKNOWN

    def _field(self, base: Instance, name: str) -> Value:
        """What the constructor's callers pass for a field of a data class."""
        known = self.index.class_named(base.cls)
        if known is None or name not in known.fields:
            return UNKNOWN
        at = known.fields.index(name)
        if base.arguments:
            return self.resolve(base.argument(name) or base.argument(str(at)) or UNKNOWN)
        sites = self.index.sites.get(f"{base.cls}.__init__", ())
        values = [self.resolve(_passed_to(site, name, at + 1)) for site in sites]
        return UNKNOWN if UNKNOWN in values else join_all(values)


def _passed_to(site: CallSite, name: str, at: int) -> Value:
    """What a call passes for a parameter of that name and position (the object itself is the first)."""
    return dict(site.keywords).get(name) or (site.positional[at] if at < len(site.positional) else UNKNOWN)
