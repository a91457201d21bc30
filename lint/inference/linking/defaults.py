"""Library defaults that a program changes for all of its files."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace

from ...facts import distributions
from ..notes.operations import Call, Operation
from ..values.union import Host


def with_defaults(operations: Iterable[Operation]) -> Iterator[Operation]:
    """Yield the operations; if validation is turned off anywhere, calls of distributions are told."""
    every = list(operations)
    if not any(isinstance(each, Call) and _switches_off(each) for each in every):
        yield from every
        return
    for each in every:
        if isinstance(each, Call) and each.name.startswith(distributions.MODULE):
            each = replace(each, unchecked=True)
        yield each


def _switches_off(call: Call) -> bool:
    """Whether the call turns off validation for all distributions that do not specify it."""
    if call.last_name != distributions.SWITCH or not call.is_torch:
        return False
    return Host("bool", False) in (*call.positional, *dict(call.keywords).values())
