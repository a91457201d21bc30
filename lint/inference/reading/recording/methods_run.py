"""Records which methods run: by a call, or without one of their own, by `x[i] = y`, `a + b`, `with x` and `len(x)`."""

from __future__ import annotations

from typing import Final

from ....facts import libraries
from ...library.callbacks import ITEMS, makers_of
from ...values.arguments import Keywords
from ...values.ops import Op
from ...values.union import Deferred, Instance, Value, options_of
from ..state.frame import Frame

BUILTINS: Final = {
    "len": "__len__", "next": "__next__", "bool": "__bool__", "int": "__int__", "float": "__float__", "abs": "__abs__",
    "str": "__str__", "repr": "__repr__",
}  # fmt: skip
"""Builtins -> the methods of their argument that they call."""

ITEM: Final = "__getitem__"
_OBJECTS: Final = frozenset((Op.DECLARED, Op.ATTRIBUTE, Op.CALL))


def note_special(frame: Frame, method: str, base: Value, *given: Value) -> None:
    """Record that Python calls a method of a value, if that may be an object of the program."""
    for each in options_of(base):
        if _may_be_own(each, method):
            note_run(frame, each, method, given)


def _may_be_own(value: Value, method: str) -> bool:
    """Whether a value may be an object of the program; what an attribute holds of which items are read rarely is."""
    if isinstance(value, Instance):
        return libraries.class_kind(value.cls) is None
    is_held = isinstance(value, Deferred) and value.op is Op.ATTRIBUTE
    return isinstance(value, Deferred) and value.op in _OBJECTS and not (is_held and method == ITEM)


def note_run(frame: Frame, base: Value, name: str, positional: tuple[Value, ...], keywords: Keywords = ()) -> None:
    """Record that a method of a value runs, if it is known what makes or holds that."""
    for each in holders(base) or _containers(base):
        frame.note_call(f"{each}.{name}", (base, *positional), keywords)


def holders(base: Value) -> list[str]:
    """Return the class of a value, what may be called to make it, or the attribute that holds it."""
    match base:
        case Instance(cls) | Deferred(Op.DECLARED, cls):
            return [cls]
        case Deferred(Op.CALL | Op.ITEM | Op.METHOD | Op.CALL_VALUE | Op.BOUND):
            return makers_of(base)
        case Deferred(Op.ATTRIBUTE, attribute, (Instance(cls) | Deferred(Op.DECLARED, cls), *_)):
            return [f"{cls}.{attribute}"]
        case Deferred(Op.ATTRIBUTE | Op.INDEX | Op.ELEMENT):
            return makers_of(base)
    return []


def _containers(base: Value) -> list[str]:
    """Return the attribute that holds a value in a container."""
    items = _items_of(base) if isinstance(base, Deferred) else None
    return [] if items is None else [items]


def _items_of(value: Deferred) -> str | None:
    """Return the attribute that holds a value in a container: `self.meters[name]`, or what a loop over them yields."""
    match value:
        case Deferred(Op.ITEM | Op.ELEMENT | Op.INDEX, _, (Deferred(Op.ITEM | Op.ELEMENT | Op.INDEX) as inner, *_)):
            return _items_of(inner)
        case Deferred(Op.ELEMENT, _, (Deferred(Op.METHOD, "values" | "items", (Deferred() as held, *_)), *_)):
            pass
        case Deferred(Op.ELEMENT | Op.INDEX, _, (Deferred() as held, *_)):
            pass
        case _:
            return None
    match held:
        case Deferred(Op.ATTRIBUTE, attribute, (Instance(cls) | Deferred(Op.DECLARED, cls), *_)):
            return f"{cls}.{attribute}{ITEMS}"
    return None
