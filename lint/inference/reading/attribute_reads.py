"""Reads attributes: of values, and of instances of the file's own classes."""

from __future__ import annotations

import ast

from ...facts import hidden_checks, libraries, modules
from ...facts.attributes import TENSOR_ATTRIBUTES
from ..library.access import attribute
from ..library.objects import PARAM_GROUPS
from ..notes.summary import ClassSummary
from ..values.lattice import OPEN
from ..values.union import Deferred, DeviceRef, Function, Instance, Value, defer, options_of
from .bindings import Bindings
from .scope import path


class AttributeReads(Bindings):
    """The part of the reader that reads attributes."""

    def attribute(self, node: ast.Attribute) -> Value:
        if self.gpu_names and path(node) in self.gpu_names:
            return self.gpu_device(node)
        if self.has_paths and (key := path(node)) and (known := self.env.get(key)) is not None:
            return known
        base = self.eval(node.value)
        return self.read_attribute(base, node.attr)

    def read_attribute(self, base: Value, name: str) -> Value:
        """Return the value of an attribute; a use that only a tensor allows is evidence."""
        if name in TENSOR_ATTRIBUTES:
            for option in options_of(base):
                self.recorder.saw_tensor(option, f"`.{name}` is a tensor attribute", self.scope)
        if isinstance(base, Deferred):
            return self.recorder.same(defer("attribute", name, (base,)))
        if isinstance(base, Instance):
            return self.instance_attribute(base, name)
        return self.recorder.same(attribute(base, name))

    def instance_attribute(self, base: Instance, name: str) -> Value:
        """Return the value of an instance's attribute: a method, what is known about it, or a question."""
        known = self.file.summary.classes.get(base.cls)
        if known is None:
            return self.recorder.same(attribute(base, name))
        if (method := self.file.method(base.cls, name)) is not None:
            return self.property_or_method(method, base)
        found = self._known_attribute(base, known, name)
        return self.recorder.same(defer("attribute", name, (base,))) if found is None else found

    def _known_attribute(self, base: Instance, known: ClassSummary, name: str) -> Value | None:
        """Return what the class binds the attribute to, if only once, or what it inherits from its library base class.

        The default of a field that is a metric, or the fact that it is a loader or an optimizer, tells less than the
        arguments of constructors.
        """
        values = known.attributes.get(name, [])
        if name in known.fields and any(self._is_followed(each) for each in values):
            return None
        bindings = self.file.assigned.get(base.cls, {})
        if len(values) == 1 and bindings.get(name, 1) <= 1:
            return values[0]
        return None if values or name in bindings else self._inherited(base, name)

    def _is_followed(self, value: Value) -> bool:
        if not isinstance(value, Instance):
            return False
        kind = self.file.kind_of(value.cls)
        return kind in libraries.FOLLOWED or kind == "optimizer" or hidden_checks.is_called(value.cls)

    def _inherited(self, base: Instance, name: str) -> Value | None:
        """Return what an instance inherits from the library class that it is derived from."""
        kind = self.file.kind_of(base.cls)
        if kind in libraries.MODULE_KINDS and name in modules.METHODS:
            return Function(f"torch.nn.Module.{name}", base)
        if kind == "optimizer" and name == "param_groups":
            return PARAM_GROUPS
        if kind in ("lightning", "module", "metric") and name == "device":
            return DeviceRef(base.device or OPEN)
        if kind == "metric":
            return Function(f"{self.file.library_base(base.cls)}.{name}", base)
        return Function(f"{kind}.{name}", base) if kind in ("lightning", "optimizer") else None

    def property_or_method(self, method: str, base: Instance) -> Value:
        """Return a method of the file's class; reading a property calls it."""
        self.settle()
        function = self.file.summary.functions.get(method)
        if function is not None and function.name in self.file.properties:
            self.note_call(method, (base,), ())
            return self.recorder.same(defer("call", method, (base,)))
        return Function(method) if function is not None and function.static else Function(method, base)
