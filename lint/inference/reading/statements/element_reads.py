"""Finds what a loop's body reads on the host from the elements that the loop visits one by one."""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator

from ...notes.operations import Call, Convert, Iterate, Truth
from ...notes.recorder import Emitted, Recorder
from ...often.nested import nodes
from ...values.union import Value
from ..conditions.narrowing import mentions

READS = frozenset(("item", "tolist"))
"""Methods that read a tensor on the host."""


class Inside:
    """The host reads among the operations in a loop's body; `has_loop`: an inner loop does this too."""

    def __init__(self, loop: ast.For | ast.AsyncFor, recorder: Recorder) -> None:
        within = recorder.within(loop.body[0].lineno, loop.body[-1].end_lineno or loop.body[-1].lineno)
        self.reads = [each for each in within if _value_read(each)]
        self.has_loop = any(each.kind is Iterate for each in within)

    def of_name(self, name: str) -> list[Emitted]:
        """Return the reads in expressions of the name."""
        return [each for each in self.reads if mentions(each.node, name)]

    def indexed(self, name: str) -> ast.expr | None:
        """Return what is indexed by the name in a read: `x` of `float(x[i])`."""
        found = (base for each in self.reads for base in _bases(each.node, name))
        return next(found, None)

    def of_index(self, name: str, base: ast.expr) -> list[Emitted]:
        """Return the reads in expressions that index a base by the name."""
        same = ast.dump(base)
        return [e for e in self.reads if any(ast.dump(b) == same for b in _bases(e.node, name))]


def _value_read(emitted: Emitted) -> Value | None:
    """Return what an operation reads on the host; None if it reads nothing."""
    if emitted.kind is Call:
        name: str = emitted.operands["name"]
        receiver: Value | None = emitted.operands["receiver"]
        return receiver if name.rpartition(".")[2] in READS else None
    if emitted.kind in (Convert, Truth):
        value: Value = emitted.operands["value"]
        return value
    return None


def values(emitted: Iterable[Emitted]) -> Iterator[Value]:
    """Yield what operations read on the host."""
    yield from (value for each in emitted if (value := _value_read(each)) is not None)


def _bases(node: ast.expr, name: str) -> Iterator[ast.expr]:
    """Yield the names and paths that are indexed by the name alone, or by the name first."""
    for part in nodes(node):
        if isinstance(part, ast.Subscript) and isinstance(part.value, ast.Name | ast.Attribute):
            first = part.slice.elts[0] if isinstance(part.slice, ast.Tuple) and part.slice.elts else part.slice
            if isinstance(first, ast.Name) and first.id == name:
                yield part.value
