"""Reads subscriptions: `x[i]`, `x[mask]`, `x[a:b]`; writing an item is here, too, as far as rules see it."""

from __future__ import annotations

import ast

from ...notes.operations import Index, IndexWrite
from ...often.masks import mask_name
from ...often.regions import RegionKind
from ...values.certainty import can_wait, may_be_array
from ...values.containers import as_one, index, spread
from ...values.lattice import BOOL, SCALAR, may_be_mask
from ...values.operators import tested
from ...values.ops import Op
from ...values.union import (
    UNKNOWN,
    Batch,
    Class,
    Deferred,
    Function,
    Host,
    Module,
    Sequence,
    Tensor,
    Value,
    defer,
    options_of,
)
from ..recording.conversions import convert
from ..recording.evidence import note_computed
from ..recording.methods_run import ITEM, note_special
from ..state.frame import Frame


def indices_of(frame: Frame, node: ast.expr) -> tuple[Value, ...]:
    """Return the values of a subscript, one per dimension."""
    if isinstance(node, ast.Tuple) and node.elts:
        return tuple(frame.eval(each.value if isinstance(each, ast.Starred) else each) for each in node.elts)
    return spread((frame.eval(node),))


def masks_in(frame: Frame, node: ast.expr, base: Value, indices: tuple[Value, ...]) -> tuple[Value, ...]:
    """Return the indices of a potential tensor; an otherwise unknown one that is compared or named like a mask is one.

    Of a batch, only a tensor can be an index.
    """
    indices = tuple(Tensor(each.device, memory=each.memory) if isinstance(each, Batch) else each for each in indices)
    parts = node.elts if isinstance(node, ast.Tuple) else [node]
    if len(parts) != len(indices):
        return indices
    return tuple(_mask(frame, part, base, value) for part, value in zip(parts, indices))


def _mask(frame: Frame, node: ast.expr, base: Value, value: Value) -> Value:
    how = _masks(node, value)
    return frame.recorder.same(defer(Op.MASK, how, (value, base))) if how else value


def _masks(node: ast.expr, value: Value) -> str:
    """Return what shows that an index selects entries by a mask, if nothing else shows what it is; else nothing."""
    if any(map(_may_be_mask, options_of(value))) and (name := mask_name(node)) is not None:
        return f"named `{name}`"
    return ("compared" if _compares(node) else "") if value is UNKNOWN else tested(value)


def _compares(node: ast.expr) -> bool:
    """Whether an expression is `a < b`, or made of such by `~`, `&` and `|`."""
    match node:
        case ast.Compare(ops=[operator]):
            return not isinstance(operator, ast.In | ast.NotIn | ast.Is | ast.IsNot)
        case ast.UnaryOp(op=ast.Invert(), operand=operand):
            return _compares(operand)
        case ast.BinOp(op=ast.BitAnd() | ast.BitOr(), left=left, right=right):
            return _compares(left) or _compares(right)
    return False


def _is_test(value: Value) -> bool:
    """Whether an index is, or may turn out to be, a comparison on the device: no array, list or dict takes one."""
    if isinstance(value, Deferred):
        return value.op in (Op.BINARY, Op.UNARY)
    return isinstance(value, Tensor) and value.dtype == BOOL and not value.device.on_cpu


def _may_be_mask(value: Value) -> bool:
    return isinstance(value, Deferred) or (isinstance(value, Tensor) and may_be_mask(value.dtype))


def subscript_read(frame: Frame, node: ast.Subscript) -> Value:
    """Return `x[i]`, or what that was bound to here."""
    if (known := frame.bound(node)) is not None:
        return known
    base = frame.eval(node.value)
    indices = indices_of(frame, node.slice)
    for each in indices:
        note_computed(frame, each)
    note_read(frame, node, base, indices)
    note_special(frame, ITEM, base, as_one(indices))
    if isinstance(base, Function | Module | Class):
        return base
    return frame.recorder.same(index(base, indices))


def note_read(frame: Frame, node: ast.Subscript, base: Value, indices: tuple[Value, ...]) -> None:
    """Record the indexing of a tensor by tensors or host data, or of a list by a potential tensor."""
    if isinstance(base, Host | Module | Class | Function) or (base is UNKNOWN and not any(map(_is_test, indices))):
        return
    if isinstance(base, Sequence):
        if base.kind in ("list", "tuple"):
            quoted = node if isinstance(node.slice, ast.Name) else node.slice
            convert(frame, node.slice, indices[0], "index", "indexing a sequence", quoted)
        return
    selecting = masks_in(frame, node.slice, base, indices)
    if any(isinstance(each, Tensor | Batch) or can_wait(each) or _is_host_index(each, selecting) for each in selecting):
        note_selected(frame, node.slice, base, indices)
        frame.emit(Index, node, base=base, indices=selecting, scripted=_is_scripted(frame))


def note_selected(frame: Frame, node: ast.expr, base: Value, indices: tuple[Value, ...]) -> None:
    """Record that what several positions, or a mask, on the device select from is a tensor."""
    if not isinstance(base, Deferred):
        return
    parts = node.elts if isinstance(node, ast.Tuple) and len(node.elts) == len(indices) else [node] * len(indices)
    for part, value in zip(parts, indices):
        if _selects(frame, part, value):
            frame.recorder.saw_tensor(base, "a tensor selects entries of it", frame.scope)


def _selects(frame: Frame, node: ast.expr, value: Value) -> bool:
    """Whether an index is a mask or several positions on the device: a list or dict takes neither.

    Where there are no arrays, what nobody knows and what is compared or named like a mask is one.
    """
    if isinstance(value, Tensor) and not value.device.on_cpu:
        return value.dtype == BOOL or not value.rank & SCALAR or mask_name(node) is not None
    is_open = can_wait(value) and not isinstance(value, Tensor | Batch)
    return is_open and not frame.file.may_have_arrays(frame.cls) and bool(mask_name(node) or tested(value))


def slice_bounds(frame: Frame, node: ast.Slice) -> Value:
    """Return `a:b:c`, whose bounds are needed as numbers."""
    parts = []
    bounds = [bound for bound in (node.lower, node.upper, node.step) if bound is not None]
    for bound in bounds:
        value = frame.eval(bound)
        quoted = node if isinstance(bound, ast.Name) and len(bounds) == 1 else bound
        convert(frame, bound, value, "index", "a slice bound", quoted)
        parts.append(value)
    return Sequence("slice", tuple(parts))


def note_write(
    frame: Frame, target: ast.Subscript, base: Value, indices: tuple[Value, ...], value: Value, augmented: bool
) -> None:
    """Record the write of an item if the base may be a tensor, or an array that takes a tensor's value."""
    note_special(frame, "__setitem__", base, as_one(indices), value)
    if can_wait(base) or (may_be_array(base) and can_wait(value)):
        note_selected(frame, target.slice, base, indices)
        indices = masks_in(frame, target.slice, base, indices)
        scripted = _is_scripted(frame)
        frame.emit(IndexWrite, target, base=base, indices=indices, value=value, augmented=augmented, scripted=scripted)


def _is_scripted(frame: Frame) -> bool:
    return frame.region.is_in(RegionKind.SCRIPTED)


def _is_host_index(value: Value, indices: tuple[Value, ...]) -> bool:
    """Whether this value, as an index into a tensor, is copied to its device: a list, range, array or nested tuple.

    So is what a tuple holds whose length is not known: `spread` leaves it as one.
    """
    if isinstance(value, Sequence):
        return value.kind == "list" or (value.kind == "tuple" and (len(indices) > 1 or value.items is None))
    return value in (Host("ndarray"), Host("range"))
