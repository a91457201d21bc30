"""Reads attributes: of values, and of instances of the file's own classes."""

from __future__ import annotations

import ast

from ...facts import hidden_checks, libraries
from ...facts.attributes import TENSOR_ATTRIBUTES
from ..library.access import attribute
from ..notes.summary import ClassSummary
from ..values.union import Function, Instance, Value, defer, options_of
from .bindings import Bindings
from .scope import path


class AttributeReads(Bindings):
    """The part of the reader that reads attributes; it knows the file's classes for what is known about libraries."""

    def attribute_read(self, node: ast.Attribute) -> Value:
        if self.gpu_names and path(node) in self.gpu_names:
            return self.gpu_device(node)
        if self.has_paths and (key := path(node)) and (known := self.env.get(key)) is not None:
            return known
        return self.attribute(self.eval(node.value), node.attr)

    def attribute(self, base: Value, name: str) -> Value:
        """Return the value of an attribute; a use that only a tensor allows is evidence."""
        if name in TENSOR_ATTRIBUTES:
            for option in options_of(base):
                self.recorder.saw_tensor(option, f"`.{name}` is a tensor attribute", self.scope)
        return self.recorder.same(attribute(base, name, self))

    def owns(self, cls: str) -> bool:
        """Whether the file defines the class."""
        return self.file.inheritance.owns(cls)

    def kind(self, cls: str) -> str | None:
        """Return the kind of a class's instances, through the bases that this file knows."""
        return self.file.inheritance.kind(cls)

    def library_base(self, cls: str) -> str:
        """Return the class or its nearest base that is not from this file."""
        return self.file.inheritance.library_base(cls)

    def member(self, base: Instance, name: str) -> Value | None:
        """Return a method of the file's class, or what the class binds the attribute to; a question if that is open."""
        if (method := self.file.inheritance.method(base.cls, name)) is not None:
            return self.property_or_method(method, base)
        known = self.file.summary.classes[base.cls]
        values, bindings = known.attributes.get(name, []), self.file.assigned[base.cls]
        if not values and name not in bindings:
            return None
        if len(values) == 1 and bindings.get(name, 1) <= 1 and not self._is_passed(known, name, values[0]):
            return values[0]
        return self.missing(base, name)

    def missing(self, base: Instance, name: str) -> Value:
        """Return the question for an attribute that linking may know."""
        return defer("attribute", name, (base,))

    def _is_passed(self, known: ClassSummary, name: str, value: Value) -> bool:
        """Whether the arguments of constructors tell more about a field than its default.

        That is so for a metric, a loader or an optimizer.
        """
        if name not in known.fields or not isinstance(value, Instance):
            return False
        kind = self.kind(value.cls)
        return kind in libraries.FOLLOWED or kind == "optimizer" or hidden_checks.is_called(value.cls)

    def property_or_method(self, method: str, base: Instance) -> Value:
        """Return a method of the file's class; reading a property calls it."""
        self.settle()
        function = self.file.summary.functions.get(method)
        if function is not None and function.property:
            self.note_call(method, (base,), ())
            return defer("call", method, (base,))
        return Function(method) if function is not None and function.static else Function(method, base)
