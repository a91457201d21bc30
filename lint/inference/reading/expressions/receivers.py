"""What a method is called on, where that depends on the way there: one call, whatever it is called on."""

from __future__ import annotations

from collections.abc import Iterator

from ...values.joining import join_all
from ...values.ops import Op
from ...values.union import Deferred, Function, Value, options_of
from ..state.frame import Frame


def called_on(frame: Frame, callee: Value, receiver: Value) -> Value:
    """Return all that a method may be called on, if any of that is open; otherwise the receiver that is known."""
    options = options_of(callee)
    if len(options) < 2 or not any(isinstance(each, Deferred) for each in options):
        return receiver
    return frame.recorder.same(join_all(_receivers(options)))


def _receivers(options: tuple[Value, ...]) -> Iterator[Value]:
    for each in options:
        match each:
            case Deferred(Op.ATTRIBUTE, _, (receiver, *_)):
                yield receiver
            case Function(receiver=receiver) if receiver is not None:
                yield receiver
