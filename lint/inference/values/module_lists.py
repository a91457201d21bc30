"""Modules that hold others: `ModuleList`, `Sequential` and `ModuleDict`, with what is known of the modules in them."""

from __future__ import annotations

from dataclasses import replace
from typing import Final

from ...facts.modules import CONTAINERS, MODULE
from .ops import Op
from .union import UNKNOWN, Deferred, Instance, OneOf, Sequence, Value, defer

_HELD: Final = "0"
"""The name under which an instance keeps its modules, as if they were its first argument."""


def contents(value: Value) -> Sequence | None:
    """Return the list or dict of the modules in a container; None for anything else."""
    kind = CONTAINERS.get(value.cls) if isinstance(value, Instance) else None
    if kind is None or not isinstance(value, Instance):
        return None
    held = value.argument(_HELD)
    return held if isinstance(held, Sequence) else Sequence(kind)


def with_contents(value: Instance, held: Sequence) -> Instance:
    """Return the container with these modules."""
    return replace(value, arguments=((_HELD, held),))


def as_module(found: Value, holder: Instance) -> Value:
    """Return what is taken from a container: some module, if nothing else is known or turns out to be."""
    some = Instance(MODULE, (), holder.device)
    if isinstance(found, OneOf):
        return OneOf(tuple(_unless_known(each, some) for each in found.options))
    return some if found is UNKNOWN else _unless_known(found, some)


def _unless_known(found: Value, otherwise: Instance) -> Value:
    return defer(Op.BOUND, "", (found, otherwise)) if isinstance(found, Deferred) else found
