"""Answers what an attribute of a resolved value is, for instances of the project through classes and bases."""

from __future__ import annotations

from collections.abc import Callable
from collections.abc import Sequence as SequenceOf
from typing import TypeAlias

from ....facts.libraries import MODULE_KINDS
from ....facts.modules import LOADED, WRAPPED
from ...library.access import attribute, with_attribute
from ...library.container_methods import item_of
from ...library.world import Program
from ...notes.summary import CallSite, FunctionSummary
from ...values.containers import index
from ...values.joining import join_all
from ...values.lattice import ANYWHERE
from ...values.ops import Op
from ...values.union import (
    AS_PARENT,
    IMPOSSIBLE,
    NONE,
    UNKNOWN,
    Batch,
    Deferred,
    Function,
    Host,
    Instance,
    Sequence,
    Tensor,
    Value,
    options_of,
)
from ..index.answer import About
from ..index.noted_index import NotedIndex
from .frames import Frames
from .questions import UNANSWERED, Questions

_Attribute: TypeAlias = tuple[str, str, str]
"""The question what an attribute of a class's instances is bound to: a word for that, the class, the attribute."""


class Objects(Program):
    """Reads attributes of the project's objects.

    `resolve` resolves a value, `call` returns the result of a property's function for an object. `_so_far` is what
    attributes are bound to, as far as known while they are being asked for.
    """

    def __init__(
        self,
        index: NotedIndex,
        questions: Questions,
        frames: Frames,
        resolve: Callable[[Value], Value],
        call: Callable[[str, Instance], Value],
    ) -> None:
        self._index = index
        self._questions = questions
        self._frames = frames
        self._resolve = resolve
        self._call = call
        self._bound = questions.kept(lambda key: About(key[1], f".{key[2]}"))
        self._fields = questions.kept(lambda key: About(key[1], f".{key[2]} {key[3]}"))
        self._so_far: dict[_Attribute, Value] = {}

    def of(self, base: Value, name: str) -> Value:
        """Return an attribute of whatever a value may be, None left aside."""
        return join_all(self.attribute(option, name) for option in with_attribute(base, name, self))

    def attribute(self, base: Value, name: str) -> Value:
        """Return an attribute of a resolved value."""
        found = attribute(base, name, self)
        return UNKNOWN if isinstance(found, Deferred) else found

    def owns(self, cls: str) -> bool:
        """Whether the project defines the class."""
        return self._index.class_named(cls) is not None

    def kind(self, cls: str) -> str | None:
        """Return the kind of a class's instances: `module`, `metric` and so on."""
        return self._index.kind(cls)

    def library_base(self, cls: str) -> str:
        """Return the class or its nearest base that belongs to a library."""
        return self._index.library_base(cls)

    def item(self, holder: Value, base: Value, indices: tuple[Value, ...]) -> Value:
        """Return an item of a value; of a dict in an attribute what is bound under that very key, if it tells more."""
        found = index(base, indices)
        match holder, indices:
            case Deferred(Op.ATTRIBUTE, name, (owner, *_)), (Host("str", str() as key),) if _is_open(found, base):
                kept = self.of(self._resolve(owner), item_of(name, key))
                return found if kept is UNKNOWN else kept
        return found

    def given(self, call: CallSite, function: FunctionSummary) -> tuple[Value, ...]:
        """Return what a call passes by position: to a static method, not the object that it is called on.

        An autograd function's is given the context, about which nobody asks.
        """
        is_asked = function.parameters[:1] == () or function.parameters[0] in function.terms
        first = call.positional[0] if function.static and is_asked and call.positional else UNKNOWN
        itself = self._resolve(first) if isinstance(first, Instance | Deferred) else UNKNOWN
        if not isinstance(itself, Instance):
            return call.positional
        is_its = self._index.method(itself.cls, function.name.rpartition(".")[2]) is function
        return call.positional[is_its:]

    def member(self, base: Instance, name: str) -> Value | None:
        """Return what the project says about an attribute: a method, a field, what a class or base binds it to."""
        if (method := self._index.method(base.cls, name)) is not None:
            return self._property_or_method(method, base)
        if (passed := self._field(base, name)) is not UNKNOWN:
            return passed
        for cls in self._index.bases(base.cls):
            if (found := self.bound(cls, name)) is not None:
                return found
        return None

    def _property_or_method(self, method: FunctionSummary, base: Instance) -> Value:
        """Return a method of an object; reading a property calls it."""
        if method.property:
            return self._call(method.name, base)
        return Function(method.name) if method.static else Function(method.name, base)

    def missing(self, base: Instance, name: str) -> Value:
        """Return what derived classes have if the class lacks it: the instance is one of theirs, but for `super()`.

        A model that nobody knows is any module of the project. What wraps a module has it as an attribute, and is taken
        for the module itself.
        """
        if base.arguments == AS_PARENT:
            return UNKNOWN
        classes = self._index.modules_with(name) if base.cls == LOADED else self._index.derived_with(base.cls, name)
        found = (self._attribute_of_one(cls, base, name) for cls in classes)
        known = [value for value in found if value is not UNKNOWN]
        if not known and name == WRAPPED and self.kind(base.cls) in MODULE_KINDS:
            return base
        return join_all(known)

    def so_far(self, base: Instance, name: str) -> Value:
        """Return what is known about an attribute while it is being asked for."""
        asked = (_key(cls, name) for cls in self._index.bases(base.cls))
        return next((self._so_far[key] for key in asked if self._questions.is_open(key)), UNKNOWN)

    def bound(self, cls: str, name: str) -> Value | None:
        """Return what a class itself binds an attribute to; None if it does not."""
        values = self._index.attributes(cls, name)
        return self._any_binding(cls, name, values) if values else None

    def _any_binding(self, cls: str, name: str, values: SequenceOf[Value]) -> Value:
        """Return what an attribute is bound to anywhere; bindings to itself come last: `self.x = self.x.cpu()`."""
        key = _key(cls, name)
        if self._questions.is_open(key):
            return self._so_far[key]
        options = (option for value in values for option in options_of(value))
        asked = key, sorted(options, key=_asks)
        return self._questions.remembered(key, self._joined, asked, self._bound, UNANSWERED)

    def _joined(self, asked: tuple[_Attribute, list[Value]]) -> Value:
        return self._frames.outside(self._joined_so_far, asked)

    def _joined_so_far(self, asked: tuple[_Attribute, list[Value]]) -> Value:
        key, values = asked
        self._index.attributes(*key[1:])  # noted: an answer that is kept depends on it
        known: list[Value] = []
        for value in values:
            self._so_far[key] = join_all(known)
            if not (isinstance(value, Deferred) and self._questions.is_open(value)):  # computed from the others
                known.append(self._resolve(value))
        return join_all([each for each in known if each != IMPOSSIBLE] or known)

    def _attribute_of_one(self, cls: str, base: Instance, name: str) -> Value:
        """Return what one of the derived classes has, as a method or as an attribute."""
        if self._index.has_method(cls, name):
            return self.attribute(Instance(cls, device=base.device), name)
        found = self.bound(cls, name)
        return UNKNOWN if found is None else found

    def _field(self, base: Instance, name: str) -> Value:
        """Return what the constructor's callers pass for a field of a data class."""
        known = self._index.class_named(base.cls)
        if known is None or name not in known.fields:
            return UNKNOWN
        at = known.fields.index(name)
        if base.arguments:
            return self._resolve(base.argument(name) or base.argument(str(at)) or UNKNOWN)
        return self.passed(base.cls, name, at)

    def passed(self, cls: str, name: str, at: int) -> Value:
        """Return what all calls of a constructor pass for a field with that name and place."""
        asked = cls, name, at
        return self._questions.remembered(("field", *asked), self._passed_by_all, asked, self._fields, UNANSWERED)

    def _passed_by_all(self, asked: tuple[str, str, int]) -> Value:
        return self._frames.outside(self._passed_to_each, asked)

    def _passed_to_each(self, asked: tuple[str, str, int]) -> Value:
        cls, name, at = asked
        sites = self._index.sites_of(f"{cls}.__init__")
        values = [self._resolve(_passed_to(site, name, at + 1)) for site in sites]
        return UNKNOWN if UNKNOWN in values else join_all(values)


def _key(cls: str, name: str) -> _Attribute:
    return "attribute", cls, name


def _asks(value: Value) -> tuple[bool, bool]:
    """Return whether the value is an open question, and whether it is where one is."""
    is_beside = isinstance(value, Tensor | Batch) and value.device.like is not None
    return is_beside, isinstance(value, Deferred)


def _is_open(item: Value, base: Value) -> bool:
    """Whether no more is known of an item of a dict than that it may be a tensor, wherever that is."""
    held = [each for each in options_of(base) if each != NONE]
    is_dict = bool(held) and all(isinstance(each, Sequence) and each.kind == "dict" for each in held)
    return is_dict and all(
        each is UNKNOWN or (isinstance(each, Tensor) and each.device.flags == ANYWHERE) for each in options_of(item)
    )


def _passed_to(site: CallSite, name: str, at: int) -> Value:
    """Return what a call passes for a parameter with that name and position (the object itself is the first)."""
    return dict(site.keywords).get(name) or (site.positional[at] if at < len(site.positional) else UNKNOWN)
