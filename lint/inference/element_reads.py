"""Finds what a loop's body reads on the host of the elements that the loop goes through one by one."""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator

from .narrowing import mentions
from .operations import Call, Convert, Iterate, Truth
from .recorder import Emitted
from .values import Value

READS = frozenset(("item", "tolist"))
"""Methods that read a tensor on the host."""


class Inside:
    """The reads on the host among the operations in a loop's body; `has_loop`: an inner loop is such a loop."""

    def __init__(self, loop: ast.For | ast.AsyncFor, operations: Iterable[Emitted]) -> None:
        first, last = loop.body[0].lineno, loop.body[-1].end_lineno or loop.body[-1].lineno
        within = [each for each in operations if first <= each.node.lineno <= last]
        self.reads = [each for each in within if _value_read(each)]
        self.has_loop = any(each.kind is Iterate for each in within)

    def of_name(self, name: str) -> tuple[Value, ...]:
        """The values read in expressions of the name."""
        return tuple(_values([each for each in self.reads if mentions(each.node, name)]))

    def indexed(self, name: str) -> ast.expr | None:
        """What is indexed by the name in a read: `x` of `float(x[i])`."""
        found = (base for each in self.reads for base in _bases(each.node, name))
        return next(found, None)

    def of_index(self, name: str, base: ast.expr) -> tuple[Value, ...]:
        """The values read in expressions that index a base by the name."""
        same = ast.dump(base)
        return tuple(_values([e for e in self.reads if any(ast.dump(b) == same for b in _bases(e.node, name))]))


def _value_read(emitted: Emitted) -> Value | None:
    """What an operation reads on the host; None where it reads nothing."""
    if emitted.kind is Call:
        name: str = emitted.operands["name"]
        receiver: Value | None = emitted.operands["receiver"]
        return receiver if name.rpartition(".")[2] in READS else None
    if emitted.kind in (Convert, Truth):
        value: Value = emitted.operands["value"]
        return value
    return None


def _values(emitted: Iterable[Emitted]) -> Iterator[Value]:
    yield from (value for each in emitted if (value := _value_read(each)) is not None)


def _bases(node: ast.expr, name: str) -> Iterator[ast.expr]:
    """Names and paths that are indexed by the name alone, or first."""
    for part in ast.walk(node):
        if isinstance(part, ast.Subscript) and isinstance(part.value, ast.Name | ast.Attribute):
            first = part.slice.elts[0] if isinstance(part.slice, ast.Tuple) and part.slice.elts else part.slice
            if isinstance(first, ast.Name) and first.id == name:
                yield part.value
