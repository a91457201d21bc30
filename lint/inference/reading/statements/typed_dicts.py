"""Classes that describe dicts: `class Sample(TypedDict): image: Tensor`."""

from __future__ import annotations

import ast

from ....facts.typing_names import TYPED_DICTS
from ...values.union import Class, Module, Sequence, Value
from ..state.annotations import value_of
from ..state.frame import Frame


def described(frame: Frame, node: ast.ClassDef) -> Sequence | None:
    """Return the dicts that a class describes, an item for each of its fields; None for other classes."""
    forms = [form for base in node.bases if (form := _form(frame.eval(base))) is not None]
    if not forms:
        return None
    items: dict[object, Value] = {}
    for form in forms:
        items |= zip(form.keys, form.items or ())
    for each in node.body:
        if isinstance(each, ast.AnnAssign) and isinstance(each.target, ast.Name):
            items[each.target.id] = value_of(each.annotation, frame.eval)
    return Sequence("dict", tuple(items.values()), keys=tuple(items))


def _form(base: Value) -> Sequence | None:
    """Return the dicts that a base class describes; None if it is no `TypedDict`, or one of another file."""
    match base:
        case Module(name) | Class(name) if name in TYPED_DICTS:
            return Sequence("dict", ())
        case Class(alias=Sequence("dict") as form):
            return form
    return None
