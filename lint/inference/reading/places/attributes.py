"""Reads attributes: of values, and of instances of the file's own classes."""

from __future__ import annotations

import ast

from ....facts import hidden_checks, libraries
from ....facts.attributes import ARRAY_METHODS, SELDOM_OF_ARRAYS, TENSOR_ATTRIBUTES
from ....facts.typing_names import NO_PARENTS
from ...library.access import attribute
from ...library.method_names import may_be_of_lists, not_of_numbers
from ...library.world import Program
from ...notes.summary import ClassSummary
from ...values.certainty import OBJECT
from ...values.ops import Op
from ...values.union import AS_PARENT, UNKNOWN, Class, Function, Host, Instance, Tensor, Value, defer, options_of
from ..state.frame import Frame
from ..state.scope import path
from .bindings import settle
from .names import gpu_device

NUMBERS = frozenset(("int", "float"))
"""Kinds of numbers in whose place many a program uses tensors."""


def attribute_read(frame: Frame, node: ast.Attribute) -> Value:
    """Return `x.name`, or what that was bound to here."""
    if frame.gpu_names and path(node) in frame.gpu_names:
        return gpu_device(frame, node)
    if (known := frame.bound(node)) is not None:
        return known
    base = frame.eval(node.value)
    if isinstance(base, Host) and base.kind in NUMBERS and _is_of_tensors(frame, node.attr):
        base = _shown_tensor(frame, node.value, node.attr)
    return attribute_of(frame, base, node.attr)


def method_read(frame: Frame, node: ast.Attribute, call: ast.Call) -> Value:
    """Return `x.name` where that is called, which may show what nothing else tells."""
    if not _shows_tensor(frame, node.attr, call) or frame.bound(node) is not None:
        return attribute_read(frame, node)
    base = frame.eval(node.value)
    is_number = isinstance(base, Host) and base.kind in NUMBERS and _is_of_tensors(frame, node.attr)
    if is_number or base is UNKNOWN or (base == OBJECT and node.attr not in ARRAY_METHODS):
        base = _shown_tensor(frame, node.value, node.attr)
    return attribute_of(frame, base, node.attr)


def _shows_tensor(frame: Frame, method: str, call: ast.Call) -> bool:
    """Whether only tensors have the method, or are called like this; a list may be sorted, too."""
    given = [each.arg or "" for each in call.keywords]
    is_bare = not call.args and not given
    is_of_tensors = method in frame.tensor_methods and not may_be_of_lists(method, is_bare, given)
    return is_of_tensors or (method == "backward" and is_bare)


def _is_of_tensors(frame: Frame, method: str) -> bool:
    """Whether tensors have the method, and numbers do not."""
    return (method in frame.tensor_methods and method not in SELDOM_OF_ARRAYS) or method in not_of_numbers()


def _shown_tensor(frame: Frame, node: ast.expr, method: str) -> Tensor:
    """Return what is declared a number and used as a tensor, which says more, and bind its name to that."""
    shown = Tensor(by_use=f"`.{method}()` is a tensor method")
    if (key := path(node)) is not None:
        frame.hold(key, shown)
    return shown


def attribute_of(frame: Frame, base: Value, name: str) -> Value:
    """Return the value of an attribute; a use that only a tensor allows is evidence."""
    if name in TENSOR_ATTRIBUTES:
        for option in options_of(base):
            frame.recorder.saw_tensor(option, f"`.{name}` is a tensor attribute", frame.scope)
            if name == "grad" and isinstance(option, Tensor):
                frame.recorder.saw_gradient(frame.scope)
    return frame.recorder.same(attribute(base, name, OwnClasses(frame)))


def parent(frame: Frame, cls: Value) -> Value:
    """Return what `super()` is in a method of a class: an object of its base; Unknown where there are several."""
    known = frame.file.summary.classes.get(cls.name) if isinstance(cls, Class) else None
    bases = [each for each in known.bases if each not in NO_PARENTS] if known is not None else []
    return Instance(bases[0], AS_PARENT) if len(bases) == 1 else UNKNOWN


class OwnClasses(Program):
    """The classes of one file, as a body of it sees them."""

    __slots__ = ("file", "frame")

    def __init__(self, frame: Frame) -> None:
        self.frame = frame
        self.file = frame.file

    def owns(self, cls: str) -> bool:
        return self.file.inheritance.owns(cls)

    def kind(self, cls: str) -> str | None:
        return self.file.inheritance.kind(cls)

    def library_base(self, cls: str) -> str:
        return self.file.inheritance.library_base(cls)

    def member(self, base: Instance, name: str) -> Value | None:
        """Return a method of the file's class, or what the class binds the attribute to; a question if that is open."""
        if (method := self.file.inheritance.method(base.cls, name)) is not None:
            return self._property_or_method(method, base)
        known = self.file.summary.classes[base.cls]
        values, bindings = known.attributes.get(name, []), self.file.assigned[base.cls]
        if not values and name not in bindings:
            return None
        is_only = len(values) == 1 and bindings.get(name, 1) <= 1 and name not in self.file.bound_from_outside
        if is_only and not self._is_passed(known, name, values[0]):
            return values[0]
        return self.missing(base, name)

    def missing(self, base: Instance, name: str) -> Value:
        """Return the question for an attribute that linking may know."""
        return defer(Op.ATTRIBUTE, name, (base,))

    def _is_passed(self, known: ClassSummary, name: str, value: Value) -> bool:
        """Whether the arguments of constructors tell more about a field than its default.

        That is so for a metric, a loader or an optimizer.
        """
        if name not in known.fields or not isinstance(value, Instance):
            return False
        kind = self.kind(value.cls)
        return kind in libraries.FOLLOWED or kind == "optimizer" or hidden_checks.is_called(value.cls)

    def _property_or_method(self, method: str, base: Instance) -> Value:
        """Return a method of the file's class; reading a property calls it."""
        settle(self.frame)
        function = self.file.summary.functions.get(method)
        if function is not None and function.property:
            self.frame.note_call(method, (base,), ())
            return defer(Op.CALL, method, (base,))
        return Function(method) if function is not None and function.static else Function(method, base)
