"""Defaults of a library that a program changes for all of its files."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace

from ..facts import distributions
from .operations import Call, Operation
from .values import Host


def with_defaults(operations: Iterable[Operation]) -> Iterator[Operation]:
    """The operations; where validation is switched off anywhere, calls of distributions know of it."""
    every = list(operations)
    if not any(isinstance(each, Call) and _switches_off(each) for each in every):
        yield from every
        return
    for each in every:
        if isinstance(each, Call) and each.name.startswith(distributions.MODULE):
            each = replace(each, unchecked=True)
        yield each


def _switches_off(call: Call) -> bool:
    """The call turns the validation of distributions off for all that are made without a word about it."""
    if call.last_name != distributions.SWITCH or not call.is_torch:
        return False
    return Host("bool", False) in (*call.positional, *dict(call.keywords).values())
