"""Knows what a constructor chose for an attribute where a method asks the same: `self.proj` if `self.adaptive`."""

from __future__ import annotations

import ast

from ....facts.libraries import METRIC_KINDS
from ...values.ops import Op
from ...values.union import NONE, Deferred, Instance, Value, options_of
from ..state.frame import Frame
from ..state.scope import Names, path

_SELF = "self."
_CONSTRUCTOR = "__init__"


def note_chosen(frame: Frame, test: ast.expr, held: Names, failed: Names) -> None:
    """Record the objects that a constructor binds to attributes if a condition holds, and if it does not."""
    if frame.node is None or frame.node.name != _CONSTRUCTOR or not frame.roots or not frame.cls:
        return
    chosen = {
        key: (value, failed[key])
        for key, value in held.items()
        if failed.get(key, value) is not value and _is_chosen(frame, key, value, failed[key])
    }
    subject, text, is_so = _asked(test) if chosen else (None, "", True)
    if subject is not None and (kept := _as_kept(frame, subject)) is not None:
        pairs = {key: pair if is_so else pair[::-1] for key, pair in chosen.items()}
        frame.file.chosen.setdefault((frame.cls, kept + text), {}).update(pairs)


def recall_chosen(frame: Frame, test: ast.expr, holds: bool) -> None:
    """Bind the attributes of the object to what its constructor chose where a condition holds, or does not."""
    if not frame.file.chosen or frame.node is None or frame.node.name == _CONSTRUCTOR:
        return
    subject, text, is_so = _asked(test)
    if subject is None or (name := path(subject)) is None:
        return
    for key, (held, failed) in frame.file.chosen.get((frame.cls, name + text), {}).items():
        if all(option in (held, failed) for option in options_of(frame.env.get(key, held))):
            frame.hold(key, held if holds is is_so else failed)


def _is_chosen(frame: Frame, key: str, *values: Value) -> bool:
    """Whether a key is that of an attribute which the class binds to these objects alone, or to None."""
    name = key.removeprefix(_SELF)
    if name == key or not name.isidentifier() or frame.file.assigned.get(frame.cls, {}).get(name) != len(values):
        return False
    return all(value == NONE or _is_made(frame, value) for value in values)


def _is_made(frame: Frame, value: Value) -> bool:
    """Whether this is an object, or what a function returns; not a metric, which moves with the module that has it."""
    if isinstance(value, Instance):
        return frame.file.inheritance.kind(value.cls) not in METRIC_KINDS
    return isinstance(value, Deferred) and value.op is Op.CALL


def _asked(test: ast.expr) -> tuple[ast.expr | None, str, bool]:
    """Return what a condition is about, what it asks of that, and whether it holds if that is so; None for others."""
    match test:
        case ast.UnaryOp(op=ast.Not(), operand=operand):
            subject, text, is_so = _asked(operand)
            return subject, text, not is_so
        case ast.Compare(
            left=left, ops=[ast.Is() | ast.IsNot() as op], comparators=[ast.Constant(value=bool() as asked)]
        ):
            return left, "", isinstance(op, ast.Is) is asked
        case ast.Compare(left=left, ops=[ast.Is() | ast.IsNot() as op], comparators=[ast.Constant(value=None)]):
            return left, " is None", isinstance(op, ast.Is)
        case ast.Compare(left=left, ops=[ast.Eq() | ast.NotEq() as op], comparators=[ast.Constant(value=value)]):
            return left, f" == {value!r}", isinstance(op, ast.Eq)
        case ast.Name() | ast.Attribute():
            return test, "", True
    return None, "", True


def _as_kept(frame: Frame, subject: ast.expr) -> str | None:
    """Return the attribute under which methods find what a constructor asks about; None if there is none."""
    asked = path(subject)
    for each in frame.node.body if frame.node is not None else ():
        match each:
            case ast.Assign(targets=[ast.Attribute(value=ast.Name(id="self"), attr=name)], value=value):
                is_it = asked in (path(value), f"{_SELF}{name}")
                if asked is not None and is_it and frame.file.assigned.get(frame.cls, {}).get(name) == 1:
                    return f"{_SELF}{name}"
    return None
