"""Answers the questions that files left open about each other: parameters, results, attributes, callers."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from ..finding import Frequency, Level
from .callers import Callers
from .certainty import can_wait
from .defaults import with_defaults
from .frequency import combine
from .loader_lives import fed
from .metric_lives import followed
from .operations import Call, Compare, Convert, HostRead, Index, IndexWrite, Iterate, Operation, Truth
from .project_index import ProjectIndex
from .resolve import Resolver
from .summary import FileSummary, Placed

if TYPE_CHECKING:
    from ..config import Settings


def link(
    summaries: Sequence[FileSummary], settings: Settings, reported: Collection[str] | None = None
) -> Iterator[Operation]:
    """The operations of the reported files (None: of all), their questions answered, each with how often it runs.

    Operations that cannot wait any more (their values turned out to live on the host) are left out. Of the other
    files the calls matter: they tell what becomes of metrics and loaders.
    """
    for operation in fed(followed(with_defaults(_linked(summaries, settings, reported)))):
        if reported is None or operation.span.filename in reported:
            yield operation


def _linked(
    summaries: Sequence[FileSummary], settings: Settings, reported: Collection[str] | None
) -> Iterator[Operation]:
    index = ProjectIndex(summaries)
    resolver = Resolver(index)
    callers = Callers(index, settings)
    versions = settings.versions
    for summary in summaries:
        matters = Operation if reported is None or summary.filename in reported else Call
        for placed in summary.operations:
            if not isinstance(placed.operation, matters):
                continue
            frequency = combine(placed.local, callers.frequency(placed.owner or f"{summary.module}:"))
            if frequency.level is Level.NEVER or _is_allowed(placed, settings.allowed_contexts):
                continue
            operation = resolved(placed, resolver, frequency)
            if operation is not None:
                yield replace(operation, versions=versions)


def _is_allowed(placed: Placed, allowed: Sequence[str]) -> bool:
    """Waiting is meant here: the settings name a context manager around it."""
    return any(context == name or context.endswith(f".{name}") for context in placed.local.contexts for name in allowed)


def resolved(placed: Placed, resolver: Resolver, frequency: Frequency) -> Operation | None:
    """The operation with its operands resolved, or None where it cannot wait."""
    operation = placed.operation
    answer = resolver.resolve
    match operation:
        case Truth() | Convert():
            value = answer(operation.value)
            return _with(operation, frequency, value=value) if can_wait(value) else None
        case Iterate():
            reads = tuple(map(answer, operation.reads))
            return _with(operation, frequency, value=answer(operation.value), reads=reads)
        case HostRead():
            return _with(operation, frequency)
        case Compare():
            values = tuple(map(answer, operation.values))
            return _with(operation, frequency, values=values) if any(map(can_wait, values)) else None
        case Index():
            base = answer(operation.base)
            return _with(operation, frequency, base=base, indices=tuple(map(answer, operation.indices)))
        case IndexWrite():
            return _written(operation, resolver, frequency)
        case Call():
            return _call(operation, resolver, frequency)
    return None


def _written(operation: IndexWrite, resolver: Resolver, frequency: Frequency) -> Operation | None:
    base = resolver.resolve(operation.base)
    if not can_wait(base):
        return None
    indices = tuple(map(resolver.resolve, operation.indices))
    return _with(operation, frequency, base=base, indices=indices, value=resolver.resolve(operation.value))


def _call(operation: Call, resolver: Resolver, frequency: Frequency) -> Operation | None:
    receiver = None if operation.receiver is None else resolver.resolve(operation.receiver)
    name = operation.name
    if receiver is not None and name.startswith("?"):
        found = resolver.name_of_call(name, receiver)
        if found is None:
            return None
        name = found
    positional = tuple(map(resolver.resolve, operation.positional))
    keywords = tuple((key, resolver.resolve(value)) for key, value in operation.keywords)
    return _with(operation, frequency, name=name, receiver=receiver, positional=positional, keywords=keywords)


def _with(operation: Operation, frequency: Frequency, **changes: Any) -> Operation:
    return replace(operation, frequency=frequency, **changes)
