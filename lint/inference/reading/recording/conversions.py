"""Records where Python needs a value of its own: a truth value, a number, an index, text."""

from __future__ import annotations

import ast

from ...notes.operations import Convert, Truth
from ...values.certainty import can_wait, in_text
from ...values.union import Value
from ..state.frame import Frame
from .copies import host_read, settle_copies


def truth(frame: Frame, node: ast.expr, value: Value, how: str) -> None:
    """Record that Python needs the truth value of a value."""
    if can_wait(value):
        frame.emit(Truth, node, value=value, how=how)
        settle_copies(frame)
    elif frame.copies.in_progress:
        host_read(frame, node, value, how)


def convert(frame: Frame, node: ast.expr, value: Value, to: str, by: str, quoted: ast.expr | None = None) -> None:
    """Record that Python converts a value to one of its own types; the text of a container is that of its items."""
    if any(map(can_wait, in_text(value) if to == "str" else (value,))):
        frame.emit(Convert, node, quoted, value=value, to=to, by=by)
        settle_copies(frame)
    elif frame.copies.in_progress:
        host_read(frame, node, value, by)
