"""Follows copies to the host until the host has waited for them: reading one before that is a race."""

from __future__ import annotations

import ast

from ....facts import torch_transfers
from ....facts.signatures import lookup
from ...library.access import TENSOR_METHODS
from ...notes.operations import HostRead
from ...values.ops import Op
from ...values.unfinished import complete, holds_pending, pending
from ...values.union import UNKNOWN, Deferred, Function, Host, Instance, Module, Value
from ..state.file_state import FileState
from ..state.frame import Frame

READING = frozenset(("item", "tolist", "numpy"))
"""Tensor methods that read the tensor on the host."""
COPYING = frozenset(("to", "cuda", "copy_", "detach", "clone"))
"""Tensor methods that copy, and wait for no other copy."""
LIBRARIES = ("torch.", "numpy.", "list.", "dict.", "tuple.", "time.", "math.")
"""Prefixes of the names of functions that wait for no copy, unless facts say so."""


def host_read(frame: Frame, node: ast.expr, value: Value, how: str) -> None:
    """Record that the host reads a value; reading a copy that the device may still be writing is a race.

    So may be what a function has just returned, which linking tells.
    """
    if may_be_copy(frame, value):
        frame.emit(HostRead, node, value=value, how=how)


def may_be_copy(frame: Frame, value: Value) -> bool:
    """Whether the device may still be writing to a value for all that is known here."""
    return pending(value) is not None or (frame.copies.returned is not None and value is frame.copies.returned)


def operands_read(frame: Frame, node: ast.expr, left: Value, right: Value, how: str) -> None:
    """Record that the host computes with two values."""
    if frame.copies.may_be:
        host_read(frame, node, left, how)
        host_read(frame, node, right, how)


def settle_copies(frame: Frame) -> None:
    """Mark copies to the host as complete, because the host may wait for the device here."""
    frame.copies.returned = None
    if not frame.copies.in_progress:
        return
    frame.copies.in_progress = False
    for name, value in list(frame.env.items()):
        if holds_pending(value):
            frame.env[name] = complete(value)


def note_copies(frame: Frame, node: ast.Call, callee: Value, value: Value) -> None:
    """Record that a call may read a copy still in progress, start one, or wait until all are complete."""
    copies = frame.copies
    if copies.may_be or copies.views:
        follow_copies(frame, node, callee)
    if isinstance(value, Deferred) and value.op is Op.CALL:
        copies.returned = value
    elif pending(value) is not None:
        copies.in_progress = True


def follow_copies(frame: Frame, node: ast.Call, callee: Value) -> None:
    """Track what a call means for the copies in progress."""
    name = callee.name.rpartition(".")[2] if isinstance(callee, Function | Module | Deferred) else ""
    copies = frame.copies
    if copies.may_be and _reads(name) and may_be_copy(frame, receiver := _receiver(callee)):
        host_read(frame, node, receiver, f"`.{name}()`")
        if name == "numpy":
            copies.views.append(node)
    elif copies.may_be and (name in torch_transfers.SYNCHRONIZING or not is_harmless(frame.file, callee)):
        settle_copies(frame)
    if copies.views and name in torch_transfers.WAITS_FOR_COPIES:
        forget_views(frame)


def _reads(method: str) -> bool:
    """Whether a method of tensors reads the tensor on the host: it gives what the host keeps, or reduces it there."""
    if method in READING:
        return True
    signature = lookup(f"{TENSOR_METHODS}{method}")
    return signature is not None and signature.rank == "reduce"


def _receiver(callee: Value) -> Value:
    """Return what a method is called on."""
    match callee:
        case Function(receiver=receiver) if receiver is not None:
            return receiver
        case Deferred(op=Op.ATTRIBUTE, operands=(receiver, *_)):
            return receiver
    return UNKNOWN


def forget_views(frame: Frame) -> None:
    """Forget arrays that share a copy's memory: they may be read later, once the copy is complete."""
    for view in frame.copies.views:
        frame.recorder.operations.pop((id(view), HostRead.__name__), None)
    frame.copies.views.clear()


def is_harmless(file: FileState, callee: Value) -> bool:
    """Whether this is a library call that is not known to wait, or a method call on a host value."""
    if isinstance(callee, Deferred) and callee.op is Op.ATTRIBUTE:
        owner = callee.operands[0]
        return callee.name in COPYING or (isinstance(owner, Instance) and owner.cls.startswith("torch.cuda."))
    if isinstance(callee, Function | Module):
        return not file.is_local(callee.name) and (callee.name.startswith(LIBRARIES) or "." not in callee.name)
    return isinstance(callee, Host)
