"""Where the two paths of `if x.is_cuda:` meet again: what one of them moves to the GPU is where `x` is."""

from __future__ import annotations

import ast

from ...values.lattice import Device
from ...values.ops import Op
from ...values.placement import device_of
from ...values.tensors import moved_to
from ...values.union import Batch, Deferred, DeviceRef, Tensor, Value, defer
from ..state.frame import Frame
from ..state.scope import Names, path


def subject_of(test: ast.expr) -> str | None:
    """Return the key of the value of which a condition asks whether it is on the GPU; None if it asks nothing such."""
    match test:
        case ast.Attribute(value=subject, attr="is_cuda"):
            return path(subject)
        case ast.Compare(
            left=ast.Attribute(value=ast.Attribute(value=subject, attr="device"), attr="type"),
            ops=[ast.Eq()],
            comparators=[ast.Constant(value="cuda")],
        ):
            return path(subject)
    return None


def meet(frame: Frame, subject: str, narrowed: list[Value | None], outcomes: list[Names], joined: Names) -> None:
    """Forget which path was taken where both arrive: the subject is what it was, and others are where it is.

    `frame` holds what was known before, and `narrowed` is what the condition made of the subject on each path.
    """
    known = frame.env.get(subject)
    if not isinstance(known, Tensor | Batch | Deferred) or len(outcomes) < 2:
        return
    if all(outcome.get(subject) is value for outcome, value in zip(outcomes, narrowed)):
        joined[subject] = known
    if (device := device_of(known)) is None:
        return
    on_gpu, on_host = outcomes
    for name, value in on_gpu.items():
        other = on_host.get(name)
        if other is not None and other is not value and name != subject:
            joined[name] = _beside(frame, value, other, device) or joined[name]


def _beside(frame: Frame, value: Value, other: Value, device: Device) -> Value | None:
    """Return what is moved to the GPU on one path, and stays on the host on the other; None for anything else."""
    match value, other:
        case Tensor(), Tensor() if value.device.on_gpu and other.device.on_cpu:
            return Tensor(device, value.dtype | other.dtype, value.rank | other.rank)
        case Deferred(Op.METHOD, _, (source, *_)), Deferred() if source is other:
            moved = moved_to(value)
            return frame.recorder.same(defer(Op.METHOD, "to", (other, DeviceRef(device)))) if _is_gpu(moved) else None
    return None


def _is_gpu(device: Device | None) -> bool:
    return device is not None and device.on_gpu
