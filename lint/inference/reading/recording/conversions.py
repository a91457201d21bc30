"""Records where Python needs a value of its own: a truth value, a number, an index, text."""

from __future__ import annotations

import ast

from ...notes.operations import Convert, Truth
from ...values.certainty import can_wait, in_text
from ...values.unfinished import pending
from ...values.union import Value
from ..state.frame import Frame
from .copies import host_read, settle_copies


def truth(frame: Frame, node: ast.expr, value: Value, how: str) -> None:
    """Record that Python needs the truth value of a value."""
    if frame.copies.may_be:
        host_read(frame, node, value, how)
    if can_wait(value) and pending(value) is None:
        frame.emit(Truth, node, value=value, how=how)
        settle_copies(frame)


def convert(frame: Frame, node: ast.expr, value: Value, to: str, by: str, quoted: ast.expr | None = None) -> None:
    """Record that Python converts a value to one of its own types; the text of a container is that of its items."""
    if frame.copies.may_be:
        host_read(frame, node, value, by)
    shown = [*in_text(value)] if to == "str" else [value]
    if any(can_wait(each) and pending(each) is None for each in shown):
        frame.emit(Convert, node, quoted, value=value, to=to, by=by)
        settle_copies(frame)
