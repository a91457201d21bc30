"""Library defaults that a program changes for all of its files."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace

from ....facts import distributions
from ...notes.operations import Call, Operation
from ...values.union import Host


def with_defaults(operations: Iterable[Operation], switched: bool = False) -> Iterator[Operation]:
    """Yield the operations; if validation is turned off anywhere (`switched`: elsewhere), distributions are told."""
    every = list(operations)
    if not switched and not any(map(switches_off, every)):
        yield from every
        return
    for each in every:
        if isinstance(each, Call) and each.name.startswith(distributions.MODULE):
            each = replace(each, unchecked=True)
        yield each


def switches_off(operation: Operation) -> bool:
    """Whether this turns off validation for all distributions that do not specify it."""
    if not isinstance(operation, Call) or operation.last_name != distributions.SWITCH or not operation.is_torch:
        return False
    return Host("bool", False) in (*operation.positional, *dict(operation.keywords).values())
