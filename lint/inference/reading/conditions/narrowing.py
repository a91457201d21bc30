"""What a condition tells about its names: `isinstance(x, Tensor)`, `hasattr(x, "item")`, `x is None`, `x.is_cuda`."""

from __future__ import annotations

import ast
from dataclasses import replace
from functools import reduce
from operator import or_

from ....facts.typing_names import CONTAINERS
from ...library.method_names import of_tensors
from ...often import on_devices
from ...often.nested import nodes
from ...values.instances import is_one
from ...values.joining import join_all
from ...values.lattice import ANY_DTYPE, ANYWHERE, BOOL, COMPLEX, CPU, FLOAT, GPU, OPEN, UINT8, Device
from ...values.ops import Op
from ...values.placement import on_device
from ...values.union import (
    NONE,
    UNKNOWN,
    Batch,
    Deferred,
    DeviceRef,
    DTypeRef,
    Host,
    Instance,
    Sequence,
    Tensor,
    Value,
    defer,
    options_of,
)
from ..state.annotations import value_of
from ..state.frame import Frame
from .chosen_attributes import recall_chosen
from .subjects import known_at

SINGLE = BOOL | UINT8
"""Flags that stand for a single dtype: a tensor that is not torch.int32 may still be an integer tensor."""


def assume(frame: Frame, test: ast.expr, holds: bool) -> None:
    """Narrow the names in the environment by a condition that is assumed to hold, or not to hold."""
    recall_chosen(frame, test, holds)
    match test:
        case ast.UnaryOp(op=ast.Not(), operand=operand):
            assume(frame, operand, not holds)
        case ast.BoolOp(op=op, values=parts) if isinstance(op, ast.And) is holds:
            for part in parts:
                assume(frame, part, holds)
        case ast.BoolOp() if (rest := on_devices.beside_gpu(test, frame.conditions.tests)) is not test:
            assume(frame, rest, holds)
        case ast.Name(id=name) if (known := frame.conditions.tests.get(name)) is not None:
            assume(frame, known, holds)
        case ast.Name() if holds:
            _none(frame, test, False)
        case _:
            _assume_single(frame, test, holds)


def _assume_single(frame: Frame, test: ast.expr, holds: bool) -> None:
    match test:
        case ast.Compare(left=left, ops=[ast.Is() | ast.IsNot() as op], comparators=[ast.Constant(value=None)]):
            _none(frame, left, isinstance(op, ast.Is) is holds)
        case ast.Compare(left=ast.Attribute(attr="type") as left, ops=[op], comparators=[told]):
            _device_types(frame, left, op, told, holds)
        case (
            ast.Compare(left=ast.Attribute(attr="dtype"))
            | ast.Call(func=ast.Attribute(attr="is_floating_point" | "is_complex"))
        ):
            _dtype(frame, test, holds)
        case ast.Call(func=ast.Name(id="isinstance"), args=[subject, cls]):
            _instance(frame, subject, _instances(frame, cls), holds)
        case ast.Compare(left=ast.Call(func=ast.Name(id="type"), args=[subject]), ops=[op], comparators=[cls]):
            if (is_one_of := IS_ONE_OF.get(type(op))) is not None:
                _instance(frame, subject, _instances(frame, cls), is_one_of is holds)
        case (
            ast.Call(func=ast.Name(id="hasattr"), args=[subject, ast.Constant(value=str() as name)])
            | ast.Call(
                func=ast.Name(id="callable"),
                args=[ast.Call(func=ast.Name(id="getattr"), args=[subject, ast.Constant(value=str() as name), _])],
            )
        ) if not holds and of_tensors(name):
            _instance(frame, subject, [Tensor()], False)
        case ast.Call(func=ast.Attribute(attr="is_tensor"), args=[subject]):
            _instance(frame, subject, [Tensor()], holds)
        case ast.Attribute(attr="is_cuda" | "is_cpu") | ast.Compare(left=ast.Attribute(attr="device")):
            if (asked := on_devices.place_asked(test)) is not None:
                _place(frame, asked[0], GPU if asked[1] is holds else CPU)


def tells(test: ast.expr, name: str) -> bool:
    """Whether the condition, bound to `name`, may narrow other names when the truth value of that name is tested."""
    match test:
        case ast.Compare() | ast.BoolOp() | ast.UnaryOp(op=ast.Not()) | ast.Attribute(attr="is_cuda" | "is_cpu"):
            return not mentions(test, name)
        case ast.Call(func=ast.Name(id="isinstance" | "hasattr") | ast.Attribute(attr="is_tensor")):
            return not mentions(test, name)
    return False


def mentions(test: ast.expr, name: str) -> bool:
    """Whether the name occurs in the condition."""
    return any(isinstance(part, ast.Name) and part.id == name for part in nodes(test))


def _none(frame: Frame, node: ast.expr, is_none: bool) -> None:
    if known := known_at(frame, node):
        key, value = known
        if is_none:
            frame.hold(key, NONE)
        elif len(options_of(value)) > 1:
            frame.hold(key, join_all(option for option in options_of(value) if option != NONE))


def _instance(frame: Frame, subject: ast.expr, wanted: list[Value], holds: bool) -> None:
    if known := known_at(frame, subject):
        key, value = known
        frame.hold(key, _kept(value, wanted) if holds else _removed(value, wanted))


def _instances(frame: Frame, cls: ast.expr) -> list[Value]:
    """Return what instances of the classes are that `isinstance` is given."""
    parts = cls.elts if isinstance(cls, ast.Tuple) else [cls]
    values = [value_of(each, frame.eval) if not _is_container(each) else Sequence(_container(each)) for each in parts]
    return [option for value in values for option in options_of(value)]


def narrowed(frame: Frame, value: Value, cls: ast.expr) -> Value:
    """Return what a value is if it is an instance of the class; the same value for a class that is not known."""
    wanted = _instances(frame, cls)
    return value if UNKNOWN in wanted else _kept(value, wanted)


def _is_container(node: ast.expr) -> bool:
    return (isinstance(node, ast.Name) and node.id in CONTAINERS) or (
        isinstance(node, ast.Attribute) and node.attr in CONTAINERS
    )


def _container(node: ast.expr) -> str:
    return CONTAINERS[
        node.id if isinstance(node, ast.Name) else node.attr if isinstance(node, ast.Attribute) else "list"
    ]


def _kept(value: Value, wanted: list[Value]) -> Value:
    """Return the value after `isinstance` was true."""
    kept = [option for option in options_of(value) if any(is_one(option, each) for each in wanted)]
    kept += [_of_batch(option, each) for option in options_of(value) for each in wanted if isinstance(option, Batch)]
    if kept:
        return join_all(kept)
    open_questions = [option for option in options_of(value) if isinstance(option, Deferred)]
    narrowed = [_as(each, open_questions[0] if open_questions else UNKNOWN) for each in wanted]
    return join_all(narrowed) if narrowed else UNKNOWN


def _of_batch(batch: Batch, wanted: Value) -> Value:
    """Return a batch that is a tensor, or holds some, where the batch is; one on the host tells of its loader, too."""
    match wanted:
        case Tensor():
            return batch if batch.device.on_cpu else Tensor(batch.device, wanted.dtype, wanted.rank, batch.memory)
        case Sequence(items=None, element=element) if element is UNKNOWN:
            return Sequence(wanted.kind, None, batch)
        case Instance():
            return batch
    return wanted


def cast(subject: Value, wanted: Value) -> Value:
    """Return `typing.cast(wanted, subject)`: what is unknown about the subject is as the program says."""
    is_open = subject is UNKNOWN or isinstance(subject, Deferred)
    return _kept(subject, [wanted]) if is_open and wanted is not UNKNOWN else subject


def _as(wanted: Value, subject: Value) -> Value:
    if isinstance(wanted, Tensor) and isinstance(subject, Deferred):
        return Tensor(Device(ANYWHERE, subject), wanted.dtype, wanted.rank) if wanted.device == OPEN else wanted
    if isinstance(wanted, Sequence) and isinstance(subject, Deferred):
        if wanted.items is not None:
            return Sequence(wanted.kind, tuple(_as(item, subject) for item in wanted.items))
        each = defer(Op.ELEMENT, "", (subject,))
        return Sequence(wanted.kind, None, each if wanted.element is UNKNOWN else _as(wanted.element, each))
    return wanted


def _removed(value: Value, wanted: list[Value]) -> Value:
    """Return the value after `isinstance` was false; of what is open, linking says what that leaves."""
    excluded = tuple(each for each in wanted if isinstance(each, Tensor | Host | Sequence | Instance))
    rest = [
        defer(Op.WITHOUT, "", (option, *excluded)) if isinstance(option, Deferred) and excluded else option
        for option in options_of(value)
        if not any(is_one(option, each) for each in wanted)
    ]
    return join_all(rest) if rest else UNKNOWN


IS_ONE_OF: dict[type[ast.cmpop], bool] = {
    ast.Eq: True, ast.Is: True, ast.In: True, ast.NotEq: False, ast.IsNot: False, ast.NotIn: False,
}  # fmt: skip
"""Tests of a dtype or a type, and whether it is one of the listed ones."""


def _dtype(frame: Frame, test: ast.expr, holds: bool) -> None:
    """Narrow by `x.dtype == torch.bool`, `x.dtype in (torch.int32, torch.int64)`, `x.is_floating_point()`."""
    match test:
        case ast.Compare(left=ast.Attribute(value=subject), ops=[op], comparators=[named]) if type(op) in IS_ONE_OF:
            _dtype_named(frame, subject, frame.eval(named), IS_ONE_OF[type(op)] is holds)
        case ast.Call(func=ast.Attribute(value=subject, attr=asked), args=given):
            flags = FLOAT if asked == "is_floating_point" else COMPLEX
            _dtype_named(frame, given[0] if given else subject, DTypeRef(flags), holds)


def _dtype_named(frame: Frame, subject: ast.expr, named: Value, holds: bool) -> None:
    """Narrow to one of the listed dtypes, or to none of them."""
    dtypes = named.items or () if isinstance(named, Sequence) else (named,)
    flags = [each.dtype if isinstance(each, DTypeRef) else ANY_DTYPE for each in dtypes]
    if not flags or ANY_DTYPE in flags or (known := known_at(frame, subject)) is None:
        return
    left = [_of_dtype(option, reduce(or_, flags), holds) for option in options_of(known[1])]
    if any(each is not None for each in left):
        frame.hold(known[0], join_all(each for each in left if each is not None))


def _of_dtype(value: Value, flags: int, holds: bool) -> Value | None:
    """Return what remains of a value with one of these dtypes, or with none of them; None if that is impossible."""
    if isinstance(value, Deferred) and holds:
        return Tensor(Device(ANYWHERE, value), flags)
    if not isinstance(value, Tensor):
        return None if value == NONE else value
    rest = value.dtype & (flags if holds else ~(flags & SINGLE))
    return replace(value, dtype=rest) if rest else None


def _place(frame: Frame, subject: ast.expr, flags: int) -> None:
    if known := known_at(frame, subject):
        key, value = known
        why = frame.recorder.reason(subject, "the condition checks that it is on the GPU") if flags == GPU else None
        device = Device(flags, None, why)
        _place_alike(frame, value, device)
        if isinstance(value, Deferred):
            value = Tensor()
        frame.hold(key, on_device(value, device))


def _place_alike(frame: Frame, value: Value, device: Device) -> None:
    """Move what was created on a value's device to where the value is."""
    like = value if isinstance(value, Deferred) else value.device.like if isinstance(value, Tensor | Batch) else None
    _alike(frame, like, device)


def _alike(frame: Frame, like: Value | None, device: Device) -> None:
    for key, other in list(frame.env.items()) if like is not None else ():
        if isinstance(other, Tensor | Batch) and other.device.like is like:
            frame.env[key] = on_device(other, device)


def _device_type(frame: Frame, left: ast.expr, text: str, holds: bool) -> None:
    """Narrow by `x.device.type == "cuda"`."""
    match left:
        case ast.Attribute(value=ast.Attribute(value=subject, attr="device"), attr="type") if text in ("cuda", "cpu"):
            _place(frame, subject, GPU if (text == "cuda") is holds else CPU)
        case ast.Attribute(value=subject, attr="type") if text in ("cuda", "cpu"):
            named = frame.eval(subject)
            if isinstance(named, DeviceRef):
                _alike(frame, named.device.like, Device(GPU if (text == "cuda") is holds else CPU))


def _device_types(frame: Frame, left: ast.expr, op: ast.cmpop, told: ast.expr, holds: bool) -> None:
    """Narrow by `x.device.type != "cuda"` or `in ("cuda", "mps")`; several tell a place only if it is none of them."""
    match op, told:
        case ast.Eq() | ast.NotEq(), ast.Constant(value=str(text)):
            _device_type(frame, left, text, isinstance(op, ast.Eq) is holds)
        case ast.In() | ast.NotIn(), ast.Tuple(elts=several) | ast.List(elts=several) | ast.Set(elts=several):
            types = {each.value for each in several if isinstance(each, ast.Constant)}
            is_one = isinstance(op, ast.In) is holds
            if len(types) == len(several) and types and ("cuda" in types) is not is_one:
                _device_type(frame, left, "cuda", False)
